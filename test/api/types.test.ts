import { describe, expectTypeOf, it } from "vitest";
import type { Client } from "../../provider/api/client";
import type { Site } from "../../provider/api/groups/sites";
import type { Page } from "../../provider/api/http/pages";
import type { Deletion } from "../../provider/api/schema/endpoint";
import type { Complete } from "../../provider/emulator/http/route";

/** What does not compile is not called: `tsc` is the test, and vitest only shows that it is there. */
const calls = (client: Client) => [
  () => client.getSite({ organizationId: "org_1", siteId: "site_1" }),
  // @ts-expect-error a parameter of the path is missing
  () => client.getSite({ organizationId: "org_1" }),
  // @ts-expect-error an id is a text
  () => client.getSite({ organizationId: "org_1", siteId: 5 }),
  // @ts-expect-error there is no such parameter of the path
  () => client.getSite({ organizationId: "org_1", siteId: "site_1", site: "site_1" }),
  // @ts-expect-error the body is required
  () => client.updateSite({ organizationId: "org_1", siteId: "site_1" }),
  // @ts-expect-error there is no such property
  () => client.updateSite({ organizationId: "org_1", siteId: "site_1", body: { titel: "Handbook" } }),
  // @ts-expect-error there is no such visibility
  () => client.updateSite({ organizationId: "org_1", siteId: "site_1", body: { visibility: "hidden" } }),
  // @ts-expect-error a limit is a number
  () => client.listSites({ organizationId: "org_1", query: { limit: "10" } }),
  // The body of a creation may be left out as a whole.
  () => client.createSite({ organizationId: "org_1" }),
];

/** What the compiler asks of the emulator's answers. */
const { agentsContext, ...without } = {} as Complete<Site>;
const answers: Complete<Site>[] = [
  // @ts-expect-error an optional property is missing
  without,
  { ...without, agentsContext },
];

describe("the types of the emulator", () => {
  it("ask for each property of a reply, including optional ones", () => {
    expectTypeOf(answers).toBeArray();
    expectTypeOf<Complete<{ a: string; b?: number }>>().toEqualTypeOf<{ a: string; b: number | undefined }>();
  });
});

describe("the types of the client", () => {
  it("are those of the table", () => {
    expectTypeOf(calls).toBeFunction();
    expectTypeOf<Awaited<ReturnType<Client["getSite"]>>>().toEqualTypeOf<Site>();
    expectTypeOf<Awaited<ReturnType<Client["listSites"]>>>().toEqualTypeOf<Page<Site>>();
    expectTypeOf<Awaited<ReturnType<Client["deleteSite"]>>>().toEqualTypeOf<Deletion>();
    expectTypeOf<Site["visibility"]>().toEqualTypeOf<
      "public" | "unlisted" | "share-link" | "visitor-auth" | (string & {})
    >();
  });
});

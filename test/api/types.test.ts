import { describe, expectTypeOf, it } from "vitest";
import type { Client } from "../../provider/api/client";
import type { Site } from "../../provider/api/groups/sites";
import type { Page } from "../../provider/api/http/pages";
import type { Deletion } from "../../provider/api/schema/endpoint";
import type { Complete } from "../../provider/emulator/http/route";

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
    expectTypeOf<Awaited<ReturnType<Client["getSite"]>>>().toEqualTypeOf<Site>();
    expectTypeOf<Awaited<ReturnType<Client["listSites"]>>>().toEqualTypeOf<Page<Site>>();
    expectTypeOf<Awaited<ReturnType<Client["deleteSite"]>>>().toEqualTypeOf<Deletion>();
    expectTypeOf<Site["visibility"]>().toEqualTypeOf<
      "public" | "unlisted" | "share-link" | "visitor-auth" | (string & {})
    >();
  });
});

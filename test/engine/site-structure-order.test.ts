import { afterAll, beforeAll, expect, it } from "vitest";
import { type Client, createClient } from "../../provider/api/client";
import { type Emulator, startEmulator } from "../../provider/emulator";
import { type Outcome, Stack } from "../../scripts/stack";

let emulator: Emulator;
let client: Client;
let stack: Stack;

beforeAll(async () => {
  emulator = await startEmulator();
  client = createClient({ baseUrl: emulator.url, token: emulator.token });
  const { url: DOCS_BASE_URL, token: DOCS_TOKEN, organizationId: DOCS_ORGANIZATION_ID } = emulator;
  stack = await Stack.create(program(["group_developers", "section_guides"]), {
    DOCS_BASE_URL,
    DOCS_TOKEN,
    DOCS_ORGANIZATION_ID,
  });
});
afterAll(async () => {
  await stack.remove();
  await client.close();
  await emulator.close();
});

/** The site is a resource beside it, so that its id is only known when that is there. */
const program = (order: readonly unknown[]) => ({
  text: [
    'import * as docs from "pulumi-docs-org";',
    'const guides = new docs.Site("guides", { title: "Guides", spaces: ["guides", "reference"], published: true });',
    'new docs.SiteStructureOrder("flat", { siteId: guides.siteId, order: [] });',
    `new docs.SiteStructureOrder("product", { siteId: "site_product", order: ${JSON.stringify(order)} });`,
  ].join("\n"),
});

const section = { type: "site-section", id: "section_guides" } as const;
const group = { type: "site-section-group", id: "group_developers" } as const;
const sort = (item: object, position: object) => [
  "PATCH",
  "/v1/orgs/acme/sites/site_product/structure/sort",
  { item, position },
];

function done(outcome: Outcome, ...texts: RegExp[]): void {
  if (outcome.status !== 0) throw new Error(outcome.output);
  for (const text of texts) expect(outcome.output).toMatch(text);
}

function sortsSince(): unknown[] {
  const made = emulator.log.filter(({ method, row }) => method !== "GET" && row === "sortSiteStructure");
  emulator.resetRequests();
  return made.map(({ method, path, body }) => [method, path, body]);
}

it("sorts the structure, shows and corrects only what was moved outside Pulumi, and keeps the order at a destroy", {
  timeout: 600_000,
}, async () => {
  done(await stack.up(), /\+ 4 created/);
  expect(sortsSince()).toEqual([sort(group, { before: section })]);

  await client.sortSiteStructure({
    organizationId: "acme",
    siteId: "site_product",
    body: { item: group, position: {} },
  });
  emulator.resetRequests();
  const drift = await stack.preview("--diff");
  done(drift, /~ order/, /~ 1 to update/);
  expect(drift.output).not.toMatch(/~ siteId/);
  expect(emulator.log.filter(({ method }) => method !== "GET")).toEqual([]);
  done(await stack.up(), /~ 1 updated/);
  expect(sortsSince()).toEqual([sort(group, { before: section })]);

  await stack.write(program([{ id: "group_developers", order: ["section_guides"] }]));
  const refused = await stack.up();
  expect(refused.status).not.toBe(0);
  expect(refused.output).toMatch(/section "Guides" \(section_guides\) is at the top, not in group "Developers"/);
  expect(sortsSince()).toEqual([]);

  await stack.write(program([{ id: "section_guides", order: ["sitespace_product_guides"] }, "group_developers"]));
  done(await stack.up(), /~ 1 updated/);
  expect(sortsSince()).toEqual([sort(section, { before: group })]);
  done(await stack.preview("--expect-no-changes"));

  done(await stack.destroy(), /- 4 deleted/);
  expect(emulator.log.filter(({ method }) => method !== "GET").map(({ row }) => row)).toEqual(["deleteSite"]);
});

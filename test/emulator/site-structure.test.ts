import { expect, test } from "vitest";
import { idOfItem, seedWithSites, sites, startEmulated } from "./support";

const seed = seedWithSites({
  id: "site_1",
  basename: "docs",
  published: true,
  sections: [
    {
      id: "section_1",
      title: "First section",
      condition: "visitor.claims.beta == true",
      spaces: ["a", "b", "c"].map((id) => ({ id, space: "guides", title: id })),
    },
    {
      id: "group_1",
      title: "Group",
      sections: [
        { id: "section_2", title: "Second section", spaces: ["reference"] },
        {
          id: "group_2",
          title: "Inner group",
          sections: [{ id: "section_3", title: "Third section", spaces: ["guides"] }],
        },
      ],
    },
  ],
});

async function sorted(item: object, position: object) {
  const emulator = await startEmulated({ seed });
  const answer = await emulator.call("PATCH", `${sites}/site_1/structure/sort`, { item, position });
  const { structure } = (await emulator.call("GET", `${sites}/site_1/published`)).body.structure;
  return { ...answer, structure };
}

const siteSpace = (id: string) => ({ type: "site-space", id });

test("the published profile shows sections, nested groups and conditions", async () => {
  const { call } = await startEmulated({ seed });
  const { body } = await call("GET", `${sites}/site_1/published`);
  expect(body.structure.type).toBe("sections");
  const [section, group] = body.structure.structure;
  expect(section).toMatchObject({ object: "site-section", default: true, path: "first-section" });
  expect(section.condition).toBe("visitor.claims.beta == true");
  expect(section.siteSpaces[1]).toMatchObject({ object: "site-space", id: "b", section: "section_1", path: "b" });
  expect(section.siteSpaces[1].urls.published).toMatch(/\/acme\/docs\/b\/$/);
  expect(group).toMatchObject({ object: "site-section-group", id: "group_1", title: "Group" });
  expect(group.sections.map(idOfItem)).toEqual(["section_2"]);
  expect(group.children.map(idOfItem)).toEqual(["section_2", "group_2"]);
  expect(group.children[0]).toMatchObject({
    sectionGroup: "group_1",
    urls: { published: expect.stringMatching(/\/second-section\/$/) },
  });
  expect(group.children[1].children.map(idOfItem)).toEqual(["section_3"]);
});

test.each([
  ["before another", { before: siteSpace("a") }, ["c", "a", "b"]],
  ["after another", { after: siteSpace("a") }, ["a", "c", "b"]],
  ["between two", { after: siteSpace("a"), before: siteSpace("b") }, ["a", "c", "b"]],
])("a site space moves %s", async (_, position, order) => {
  const { status, body, structure } = await sorted(siteSpace("c"), position);
  expect(status).toBe(200);
  expect(body).toMatchObject({ object: "site-space", id: "c", section: "section_1" });
  expect(structure[0].siteSpaces.map(idOfItem)).toEqual(order);
});

const profile = `${sites}/site_1/published`;

test("a share-link site resolves its URLs only with the right key", async () => {
  const site = {
    id: "site_1",
    visibility: "share-link" as const,
    published: true,
    shareKeys: ["k1"],
    spaces: ["guides"],
  };
  const { call } = await startEmulated({ seed: seedWithSites(site) });
  const urls = async (query: string) => (await call("GET", profile + query)).body.structure.structure[0].urls;
  expect(await urls("")).toEqual({});
  expect(await urls("?shareKey=wrong")).toEqual({});
  expect(await urls("?shareKey=k1")).toEqual({ published: expect.stringMatching(/\/k1\/$/) });
});

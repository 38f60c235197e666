import { expect, test } from "vitest";
import { idOfItem, seedWithSites, sites, startEmulated } from "./support";

test("a new site has the defaults of the service and an address of its own", async () => {
  const { call, url } = await startEmulated({ seed: seedWithSites() });
  const { status, headers, body } = await call("POST", sites);
  expect(status).toBe(201);
  expect(body.id).toMatch(/^site_[A-Za-z0-9]{20}$/);
  expect(body).toMatchObject({
    object: "site",
    type: "basic",
    title: "Untitled",
    visibility: "public",
    published: false,
  });
  expect(body).toMatchObject({ agentsContext: "included", siteSpaces: 0 });
  expect(body.urls).toEqual({ location: `${url}${sites}/${body.id}`, app: expect.stringContaining(body.id) });
  expect(headers.get("location")).toBe(body.urls.location);
  expect((await call("GET", `${sites}/${body.id}`)).body).toEqual(body);
});

const sectioned = seedWithSites({
  id: "site_1",
  published: true,
  sections: [
    {
      id: "section_1",
      title: "One",
      spaces: [
        { id: "first", space: "guides" },
        { id: "second", space: "reference" },
      ],
    },
    {
      id: "group_1",
      title: "Group",
      sections: [{ id: "section_2", title: "Two", spaces: [{ id: "third", space: "guides" }] }],
    },
  ],
});

test("the default site space and the default section can be chosen", async () => {
  const { call } = await startEmulated({ seed: sectioned });
  expect((await call("PATCH", `${sites}/site_1`, { defaultSiteSpace: "second" })).status).toBe(200);
  const defaults = async () => {
    const { structure } = (await call("GET", `${sites}/site_1/published`)).body.structure;
    const [one, { children }] = structure;
    const found = [one, ...one.siteSpaces, ...children, ...children[0].siteSpaces];
    return found.filter((node) => node.default).map(idOfItem);
  };
  expect(await defaults()).toEqual(["section_1", "second", "third"]);
  expect(
    (await call("PATCH", `${sites}/site_1`, { defaultSiteSection: "section_2", defaultSiteSpace: "third" })).status,
  ).toBe(200);
  expect(await defaults()).toEqual(["second", "section_2", "third"]);
});

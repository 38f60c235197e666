import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import { few, members, org, peopleSeed, teamMembers } from "./people";
import { sites, startEmulated } from "./support";

/** What each feature refuses beyond the types of its row (server/server.test.ts), and that a refusal changes nothing. */

const siteSpace = (id: string) => ({ type: "site-space", id });
const seed = peopleSeed({
  ...few,
  saml: [{ id: "saml_1", label: "Acme", defaultTeam: "writers" }],
  translations: [{ id: "one", source: { space: "guides" }, language: "fr" }],
});
Object.assign(seed.organizations.acme ?? {}, {
  sites: [
    {
      id: "site_1",
      title: "Docs",
      sections: [
        { id: "section_1", title: "One", spaces: ["a", "b", "c"].map((id) => ({ id, space: "guides", title: id })) },
        {
          id: "group_1",
          title: "Group",
          sections: [{ id: "section_2", title: "Two", spaces: [{ id: "third", space: "guides" }] }],
        },
      ],
    },
  ],
});

const site = `${sites}/site_1`;
const sort = `PATCH ${site}/structure/sort`;
const search = `POST ${site}/search`;
const ask = `POST ${site}/ai/response`;
const update = (change: object) => ({ title: "Changed", ...change });
const question = (content: string, more: object = {}) => ({ input: [{ role: "user", content }], ...more });
const french = { source: { space: "guides", language: "en" }, language: "fr" };

test.each<[string, object | undefined, string]>([
  [`POST ${sites}`, { type: "bsic" }, 'type: found "bsic"; use one of .*; did you mean "basic"'],
  [`POST ${sites}`, { spaces: ["guides", "nowhere"] }, 'spaces: organization "acme" has no space "nowhere"'],
  [`PATCH ${site}`, update({ defaultSiteSpace: "none" }), 'defaultSiteSpace: site "site_1" has no site space "none"'],
  [`PATCH ${site}`, update({ defaultSiteSection: "none" }), 'defaultSiteSection: site "site_1" has no section "none"'],
  [`PATCH ${site}`, update({ defaultSiteSpace: "third" }), '"third" is not in the default section "section_1"'],
  [`PATCH ${site}`, update({ proxy: "https://www.acme.test/docs" }), "proxy: "],
  [sort, { item: siteSpace("none"), position: {} }, 'item: site "site_1" has no site-space "none"'],
  [sort, { item: { type: "site-section", id: "a" }, position: {} }, 'item: site "site_1" has no site-section "a"'],
  [sort, { item: { type: "page", id: "a" }, position: {} }, "item.type: "],
  [sort, { item: siteSpace("a"), position: { before: siteSpace("x") } }, "position.before: .* has no site-space"],
  [
    sort,
    { item: siteSpace("a"), position: { after: { type: "site-section", id: "section_2" } } },
    'position.after: "section_2" is no other item of the same level',
  ],
  [sort, { item: siteSpace("a"), position: { before: siteSpace("a") } }, '"a" is no other item of the same level'],
  [sort, { item: siteSpace("c"), position: { before: siteSpace("a"), after: siteSpace("b") } }, "use adjacent items"],
  [search, { mode: "all" }, "query: missing"],
  [search, { query: "x".repeat(513), mode: "all" }, "use at most 512 characters"],
  [search, { query: "x", mode: "current", siteSpaceId: "none" }, 'site "site_1" has no site space "none"'],
  [search, { query: "x", scope: { mode: "default", currentSiteSpace: "none" } }, "has no site space"],
  [ask, {}, "input: missing"],
  [ask, question("x".repeat(2049)), "input\\[0\\].content: "],
  [ask, question("x", { model: "slow" }), "model: "],
  ["POST /v1/spaces/guides/change-requests", undefined, "missing; use an object"],
  ["POST /v1/spaces/guides/change-requests", { template: { id: "t" } }, "template: there is no such property"],
  [`GET ${members}?sort=name`, undefined, 'sort: use "joinedAt" or "lastSeenAt"'],
  [`PUT ${teamMembers("writers")}`, { add: ["bea", "nobody"] }, 'add\\[1\\]: there is no member "nobody"'],
  [
    `PUT ${teamMembers("writers")}`,
    { add: ["bea"], memberships: { nobody: { role: "owner" } } },
    'memberships: there is no member "nobody"',
  ],
  [`POST ${org}/saml`, { label: "New", defaultTeam: "none" }, 'defaultTeam: organization "acme" has no team "none"'],
  [`PATCH ${org}/saml/saml_1`, { label: "New", defaultTeam: "none" }, "defaultTeam: "],
  [`PATCH ${org}/saml/saml_1`, { label: "New", defaultTeam: null }, "defaultTeam: "],
  [`PATCH ${org}/saml/saml_1`, { status: "active" }, "status: there is no such property"],
  [`POST ${org}/translations`, { ...french, language: "pt-b" }, 'did you mean "pt-br"'],
  [`POST ${org}/translations`, { ...french, language: "en" }, 'language: the source is in "en" already'],
  [`POST ${org}/translations`, { ...french, source: { space: "guides", language: "xx" } }, "source.language: "],
  [`POST ${org}/translations`, { ...french, source: { space: "none", language: "en" } }, 'no space "none"'],
  [
    `PUT ${org}/translations/one`,
    { instructions: { object: "document", data: {}, nodes: [] }, language: "de" },
    "language: ",
  ],
])("refuses %s with %j, and changes nothing", async (request, body, message) => {
  const { call, state } = await startEmulated({ seed });
  const before = structuredClone(state);
  const [method = "", path = ""] = request.split(" ");
  const answer = await call(method, path, body);
  // An item that is not there is a 404, as in a path.
  const status = /^(item|position\.before): /.test(message) ? 404 : 400;
  expect([answer.status, answer.body.error.message]).toEqual([status, expect.stringMatching(message)]);
  expect(isDeepStrictEqual(state, before)).toBe(true);
});

import { expect, it } from "vitest";
import { richTextOf } from "../../../provider/api/groups/rich-text";
import type { Stack } from "../../../scripts/stack";
import { engineBench } from "../bench";

const bench = engineBench();
const { stackOf, done, takeWrites } = bench;

const acme = { organizationId: "acme" };
const support = { ...acme, teamId: "team_support" };

/** The live objects that the example may change. */
async function live() {
  const { client } = bench;
  const roles = (await client.listMembers(acme).all()).map(({ user, role }) => `${user.id} ${role}`);
  const people = (await client.listTeamMembers(support).all()).map(({ organization }) => organization.user.id);
  const sites = (await client.listSites(acme).all()).map(({ title }) => title);
  const saml = (await client.listSamlProviders(acme).all()).map(({ label }) => label);
  const translations = (await client.listTranslations(acme).all()).map(({ language }) => language);
  return [roles, people, sites, saml, translations].map((list) => list.sort());
}

/** Ids of what the stack has made, by kind and name. */
async function idsIn(stack: Stack) {
  const resources = await stack.resources();
  const idOf = (kind: string, name: string) =>
    resources.find(({ type, urn }) => type.endsWith(`:${kind}`) && urn.endsWith(`::${name}`))?.id ?? "";
  return {
    handbook: idOf("Site", "handbook"),
    okta: idOf("SamlProvider", "okta"),
    spanish: idOf("Translation", "guides-es"),
  };
}

it("creates an organization with every kind of resource, shows no change, corrects drift, and destroys it", async () => {
  const before = await live();
  const stack = await stackOf({ example: "organization" });
  done(await stack.up(), /\+ 12 created/);
  takeWrites();
  done(await stack.refresh("--expect-no-changes"));
  expect(takeWrites()).toEqual([]);

  const { client } = bench;
  const { handbook, okta, spanish } = await idsIn(stack);
  const site = { ...acme, siteId: handbook };
  const order = (await client.getPublishedSite(site)).structure.structure.map(({ id }) => id);
  await client.updateSite({ ...site, body: { title: "Hand book", visibility: "public" } });
  await client.unpublishSite(site);
  await client.publishSite(site);
  const item = (id = "") => ({ type: "site-space", id }) as const;
  await client.sortSiteStructure({ ...site, body: { item: item(order[0]), position: { after: item(order[1]) } } });
  const { jsonSchema } = await client.getSiteAdaptiveSchema(site);
  const { employee: _, ...fewer } = jsonSchema.properties;
  await client.putSiteAdaptiveSchema({ ...site, body: { jsonSchema: { ...jsonSchema, properties: fewer } } });
  await client.updateTranslation({ ...acme, translationId: spanish, body: { instructions: richTextOf("Be formal.") } });
  await client.updateSamlProvider({ ...acme, samlProviderId: okta, body: { label: "Octa", defaultRole: "admin" } });
  await client.updateTeamMembers({
    ...acme,
    teamId: "team_writers",
    body: { remove: ["user_dana"], memberships: { user_kofi: { role: "owner" } } },
  });
  await client.putTeamMember({ ...support, userId: "user_jun", body: { role: "owner" } });
  await client.updateMember({ ...acme, userId: "user_hugo", body: { role: "admin" } });
  await client.updateMember({ ...acme, userId: "user_ines", body: { role: null } });
  takeWrites();

  const { output } = done(await stack.preview("--diff"), /~ 9 to update/);
  for (const shown of drift) expect(output).toMatch(shown);
  expect(takeWrites()).toEqual([]);

  done(await stack.up(), /~ 9 updated/);
  const made = bench.emulator.log
    .filter(({ method }) => method !== "GET")
    .map(({ method, path, body }) => ({ method, path, body }));
  expect(made).toHaveLength(9);
  expect(made).toEqual(expect.arrayContaining(corrections({ handbook, okta, spanish, order })));
  takeWrites();
  done(await stack.preview("--expect-no-changes"));

  done(await stack.destroy(), /- 12 deleted/);
  expect(await live()).toEqual(before);
});

/** The drift above, each as the property that it is. */
const drift = [
  /~ title\s*: "Hand book" => "Company handbook"/,
  /~ visibility\s*: "public" => "visitor-auth"/,
  /~ order\s*:/,
  /\+ employee\s*:/,
  /[-~+] instructions\s*:/,
  /~ label\s*: "Octa" => "Okta"/,
  /~ defaultRole: "admin" => "read"/,
  /\+ dana@acme.test: "member"/,
  /- kofi@acme.test: "owner"/,
  /~ role\s*: "owner" => "member"/,
  /~ role\s*: "admin" => "review"/,
  /ines@acme.test: .*"edit"/,
];

interface Ids {
  readonly handbook: string;
  readonly okta: string;
  readonly spanish: string;
  readonly order: readonly string[];
}

/** All that the correction sends: one request a resource. */
const corrections = ({ handbook, okta, spanish, order: [first, second] }: Ids) => {
  const path = "/v1/orgs/acme";
  const claim = expect.objectContaining({ employee: expect.anything(), office: expect.anything() });
  return [
    {
      method: "PATCH",
      path: `${path}/sites/${handbook}`,
      body: { title: "Company handbook", visibility: "visitor-auth" },
    },
    {
      method: "PATCH",
      path: `${path}/sites/${handbook}/structure/sort`,
      body: expect.objectContaining({ item: expect.objectContaining({ id: expect.toBeOneOf([first, second]) }) }),
    },
    {
      method: "PUT",
      path: `${path}/sites/${handbook}/adaptive-schema`,
      body: { jsonSchema: expect.objectContaining({ properties: claim }) },
    },
    { method: "PATCH", path: `${path}/saml/${okta}`, body: { label: "Okta", defaultRole: "read" } },
    {
      method: expect.toBeOneOf(["PUT", "PATCH"]),
      path: `${path}/translations/${spanish}`,
      body: { instructions: expect.objectContaining({ object: "document" }) },
    },
    {
      method: "PUT",
      path: `${path}/teams/team_writers/members`,
      body: { add: ["user_dana"], memberships: { user_dana: { role: "member" } }, remove: ["user_kofi"] },
    },
    { method: "PUT", path: `${path}/teams/team_support/members/user_jun`, body: { role: "member" } },
    { method: "PATCH", path: `${path}/members/user_hugo`, body: { role: "review" } },
    { method: "PATCH", path: `${path}/members/user_ines`, body: { role: "edit" } },
  ];
};

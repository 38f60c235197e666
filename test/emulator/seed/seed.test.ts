import { expect, test } from "vitest";
import { seedFromYaml } from "../../../provider/emulator";
import { members, org, teamOf } from "../people";
import { sites, startEmulated } from "../support";

const good = `
organizations:
  acme:
    title: Acme
    spaces:
      - id: guides
        title: Guides
        pages:
          - title: Über uns!
            markdown: We are here.
            pages:
              - title: Team
              - title: Team
              - { title: Jobs, slug: work }
      - { id: api, title: API }
    sites:
      - id: site_1
        title: Docs
        type: ultimate
        visibility: share-link
        basename: docs
        hostname: docs.acme.test
        proxy: www.acme.test/docs
        published: true
        createdAt: 2026-01-02T03:04:05Z
        adaptiveContent: { enabled: true }
        shareKeys: [key]
        sections:
          - title: Guides
            condition: visitor.claims.beta == true
            spaces: [guides, { space: api, title: For machines, default: true }]
          - title: More
            sections:
              - { title: API, path: api, default: true, spaces: [api] }
      - spaces: [guides]
  other: {}
`;

test("a seed file becomes organizations, spaces with pages, and sites, by default 30 days old", async () => {
  const seed = await seedFromYaml(good, "seed.yaml");
  const { call, organizationId, state } = await startEmulated({ seed, now: () => new Date("2026-11-21T12:00:00Z") });
  expect(organizationId).toBe("acme");
  const guides = state.organizations.get("acme")?.spaces.get("guides");
  const pages = guides?.revisions.get(guides.revision)?.content.pages ?? [];
  expect(pages[0]?.markdown).toBe("We are here.");
  expect(pages.map(({ slug }) => slug)).toEqual(["uber-uns", "team", "team-1", "work"]);
  const [first, second] = (await call("GET", sites)).body.items;
  expect(first).toMatchObject({ id: "site_1", hostname: "docs.acme.test", siteSpaces: 3, published: true });
  expect(first).toMatchObject({ createdAt: "2026-01-02T03:04:05Z", proxy: { origin: "www.acme.test/docs" } });
  expect(second).toMatchObject({ title: "Untitled", createdAt: "2026-10-22T12:00:00.000Z" });
  const { structure } = (await call("GET", `${sites}/site_1/published?shareKey=key`)).body.structure;
  expect(structure[0]).toMatchObject({ condition: "visitor.claims.beta == true", default: false });
  expect(structure[0].siteSpaces).toMatchObject([{ default: false }, { title: "For machines", default: true }]);
  expect(structure[1].children).toMatchObject([{ path: "api", default: true }]);
});

const people = `
organizations:
  acme:
    spaces: [{ id: guides, title: Guides }]
    members:
      - { userId: ada, displayName: Ada, email: ada@acme.test, role: admin, joinedAt: 2026-01-02T03:04:05+01:00 }
      - { userId: bea, role: null, disabled: true, sso: true, lastSeenAt: 2026-02-03T04:05:06Z, spaces: { guides: edit } }
    teams:
      - { id: writers, title: Writers, members: { ada: owner, bea: member } }
      - id: empty
    saml:
      - { id: saml_1, label: Acme, defaultTeam: writers, defaultRole: null }
    translations:
      - { id: one, source: { space: guides }, language: fr, instructions: Be formal. }
`;

test("a seed file makes members, teams, SAML providers and translations", async () => {
  const emulator = await startEmulated({ seed: await seedFromYaml(people, "seed.yaml") });
  const [bea, ada] = (await emulator.call("GET", members)).body.items;
  expect(ada).toMatchObject({ id: "ada", role: "admin", joinedAt: "2026-01-02T02:04:05.000Z", teams: 1, spaces: 1 });
  expect(bea).toMatchObject({
    role: null,
    disabled: true,
    sso: true,
    lastSeenAt: "2026-02-03T04:05:06.000Z",
    spaces: 1,
  });
  expect(bea.user).toMatchObject({ displayName: "bea" });
  expect(await teamOf(emulator, "writers")).toEqual({ ada: "owner", bea: "member" });
  expect(await teamOf(emulator, "empty")).toEqual({});
  expect((await emulator.call("GET", `${org}/saml/saml_1`)).body.defaultTeam.title).toBe("Writers");
  expect((await emulator.call("GET", `${org}/translations/one`)).body.status).toBe("completed");
});

const acme = (text: string) => `organizations:\n  acme:\n    ${text}`;
const site = (text: string) => acme(`sites: [{ ${text} }]`);

test.each([
  [acme("titel: Acme"), '3:5: organizations.acme.titel: there is no such property; did you mean "title"'],
  [site("title: A"), '3:22: organizations.acme.sites[0].title: found "A" (1 character); use 2 to 128 characters'],
  [acme("spaces: [{ id: guides }]"), "3:14: organizations.acme.spaces[0].title: missing; use a string"],
  [acme("spaces: [{ id: guides, title: G }]\n    sites: [{ spaces: [guide] }]"), '4:24: .*did you mean "guides"'],
  ["organizations:\n  a: { spaces: [&x { id: x, title: X }] }\n  b: { spaces: [*x] }", "another one has it already"],
  [site("sections: [{ title: S }]"), "3:26: organizations.acme.sites[0].sections[0]: "],
  [site("sections: [{ title: S, spaces: [] }]"), '3:35: .*title: found "S"; use 2 to 128 characters'],
  ["organizations:\n  a/b: {}", "use only letters, digits, - and _ in its id"],
  ["organizations: {}", "use at least one organization"],
  ["", "1:1: found null; use an object"],
  ["organizations:\n  acme: [", "2:\\d+: "],
  ["organizations:\n  acme: {}\n  acme: {}", "3:3: Map keys must be unique"],
  [acme("members: [{ userId: ada }]\n    teams: [{ id: t, members: { adda: owner } }]"), '4:39: .*did you mean "ada"'],
  [acme("saml: [{ label: Acme, defaultTeam: x }]"), "3:40: .*no such team; declare it under `teams`"],
  [acme("members: [{ userId: ada, spaces: { guides: edit } }]"), "3:48: .*spaces.guides: .*no such space"],
  [acme("translations: [{ source: { space: x }, language: fr }]"), "3:39: .*source.space: .*no such space"],
  [acme("members: [{ userId: ada }, { userId: ada }]"), "3:42: .*[1].userId: .*another one has it already"],
  [acme("members: [{ userId: a, email: a@b.test }, { userId: b, email: A@b.test }]"), "another one has it already"],
  [acme("teams: [{ id: a }, { id: a }]"), "another one has it already"],
  [acme("members: [{ userId: a, role: adm }]"), 'did you mean "admin"'],
  [
    acme("spaces: [{ id: s, title: S }]\n    translations: [{ source: { space: s }, language: en }]"),
    "4:\\d+: .*language: .*use another language than that of the source",
  ],
])("%j is reported with line and column", async (text, message) => {
  const pattern = message.replace(/[[\]()]/g, "\\$&");
  await expect(seedFromYaml(text, "seed.yaml")).rejects.toThrow(
    new RegExp(`^seed\\.yaml:(\\d+:\\d+: .*)?${pattern}`, "s"),
  );
});

test("all mistakes are reported, in the order of the file", async () => {
  const text = "organizations:\n  acme:\n    spaces: [{ id: a b, title: 1 }]\n    titel: Acme\n";
  const error = await seedFromYaml(text, "seed.yaml").catch((found: Error) => found);
  const lines = (error as Error).message.split("\n").map((line) => line.split(" ")[0]);
  expect(lines).toEqual(["seed.yaml:3:20:", "seed.yaml:3:32:", "seed.yaml:4:5:"]);
});

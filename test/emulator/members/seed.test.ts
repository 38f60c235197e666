import { expect, test } from "vitest";
import { seedFromYaml } from "../../../provider/emulator";
import { members, org, teamOf } from "../people";
import { emulate } from "../support";

const good = `
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
      - { id: one, source: { space: guides }, language: fr, status: running, instructions: Be formal. }
`;

test("a seed file makes members, teams, SAML providers and translations", async () => {
  const emulator = await emulate({ seed: await seedFromYaml(good, "seed.yaml") });
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
  expect((await emulator.call("GET", `${org}/translations/one`)).body.status).toBe("running");
});

test("the built-in organization has every role, a guest, three teams, and providers and translations in each status", async () => {
  const { call } = await emulate();
  const list = async (path: string) => (await call("GET", `${org}/${path}`)).body.items;
  const people: { role: string | null; disabled: boolean; sso: boolean; teams: number }[] = await list("members");
  expect(people).toHaveLength(12);
  const roles = people.map(({ role }) => role);
  expect(new Set(roles)).toEqual(new Set(["admin", "create", "review", "edit", "comment", "read", null]));
  expect(roles.filter((role) => role === "admin")).toHaveLength(2);
  expect([people.filter(({ disabled }) => disabled).length, people.filter(({ sso }) => sso).length]).toEqual([1, 1]);
  expect(new Set(people.map(({ teams }) => teams))).toEqual(new Set([0, 1, 2]));
  const status = (item: { status: string }) => item.status;
  expect((await list("saml")).map(status)).toEqual(["active", "pending"]);
  expect(await list("sso")).toHaveLength(1);
  expect((await list("translations")).map(status)).toEqual(["completed", "running", "pending"]);
  expect((await call("GET", `${org}/teams/team_support/members`)).body.count).toBe(3);
});

const acme = (text: string) => `organizations:\n  acme:\n    ${text}`;

test.each([
  [
    "an unknown user in a team",
    acme("members: [{ userId: ada }]\n    teams:\n      - { id: t, members: { adda: owner } }"),
    'seed.yaml:5:35: organizations.acme.teams[0].members.adda: found "owner"; there is no such member; did you mean "ada"?',
  ],
  [
    "an unknown team",
    acme("saml:\n      - { label: Acme, defaultTeam: writers }"),
    'seed.yaml:4:37: organizations.acme.saml[0].defaultTeam: found "writers"; there is no such team; declare it under `teams` of the organization',
  ],
  [
    "an unknown space of a member",
    acme("members:\n      - { userId: ada, spaces: { guides: edit } }"),
    expect.stringMatching(/^seed\.yaml:4:\d+: .*spaces\.guides: .*there is no such space/),
  ],
  [
    "an unknown source",
    acme("translations:\n      - { source: { space: guides }, language: fr }"),
    expect.stringMatching(/^seed\.yaml:4:28: .*source\.space: .*there is no such space/),
  ],
  [
    "a user twice",
    acme("members: [{ userId: ada }, { userId: ada }]"),
    'seed.yaml:3:42: organizations.acme.members[1].userId: found "ada"; another member has it already; use each one once',
  ],
  [
    "an e-mail twice, in other letters",
    acme("members: [{ userId: a, email: a@acme.test }, { userId: b, email: A@acme.test }]"),
    expect.stringMatching(/^seed\.yaml:3:\d+: .*members\[1\]\.email: .*another member has it already/),
  ],
  ["a team twice", acme("teams: [{ id: a }, { id: a }]"), expect.stringContaining("another team has it already")],
  ["an unknown role", acme("members: [{ userId: a, role: adm }]"), expect.stringContaining('did you mean "admin"?')],
  [
    "a translation into its own language",
    acme("spaces: [{ id: s, title: S }]\n    translations: [{ source: { space: s }, language: en }]"),
    expect.stringMatching(/^seed\.yaml:4:\d+: .*language: .*use another language than that of the source$/),
  ],
])("%s is named with its line and column", async (_, text, message) => {
  const error: Error = await seedFromYaml(text, "seed.yaml").then(
    () => Promise.reject(new Error("no mistake was found")),
    (found: Error) => found,
  );
  expect(error.message).toEqual(message);
});

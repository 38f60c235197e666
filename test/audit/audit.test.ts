import { describe, expect, it } from "vitest";
import { audited, exported, liveWith, person, provider, site, translation, unmanagedIn } from "./support";

const state = (...resources: Parameters<typeof exported>[1][]) => exported("prod", ...resources);

describe("a role is declared", () => {
  const live = liveWith([person("ada", "admin"), person("Bea", "edit", "Bea@Acme.test"), person("lena", null)]);

  it("by id, and by e-mail in any case; guests have none and are counted apart", () => {
    const roles = { type: "MemberRoles", inputs: { roles: { ada: "admin", "bea@acme.TEST": "read" } } };
    const audit = audited(live, state(roles));
    expect(unmanagedIn(audit)).toEqual([]);
    expect(audit.coverage.roles).toEqual({ declared: 2, there: 2, percent: 100 });
    expect([audit.guests, audit.verdict.kind]).toEqual([1, "complete"]);
    expect(unmanagedIn(audited(live, state()))).toEqual(["ada admin", "Bea edit"]);
  });

  it("by the recorded id, even if another person has the e-mail now, or if the person has left", () => {
    const members = [
      person("new", "edit", "ops@acme.test"),
      person("old", "edit", "renamed@acme.test"),
      person("shy", "read", ""),
    ];
    const one = (recorded: string) => ({
      type: "MemberRole",
      inputs: { user: "ops@acme.test", role: "edit" },
      outputs: { userId: recorded },
    });
    const many = (recorded: string) => ({
      type: "MemberRoles",
      inputs: { roles: { "ops@acme.test": "edit", "hidden@acme.test": "read" } },
      outputs: { userIds: { "ops@acme.test": recorded, "hidden@acme.test": "shy" } },
    });
    expect(unmanagedIn(audited(liveWith(members), state(one("old"))))).toEqual(["new edit", "shy read"]);
    expect(unmanagedIn(audited(liveWith(members), state(many("old"))))).toEqual(["new edit"]);
    const left = audited(liveWith(members), state(many("gone")));
    expect(unmanagedIn(left)).toEqual(["new edit", "old edit"]);
    expect(left.gone.map(({ id }) => id)).toEqual(["gone"]);
  });

  it("by nobody if two members have the e-mail", () => {
    const twins = liveWith([person("a", "edit", "ops@acme.test"), person("b", "edit", "OPS@acme.test")]);
    const roles = { type: "MemberRoles", inputs: { roles: { "ops@acme.test": "edit" } } };
    expect(unmanagedIn(audited(twins, state(roles)))).toHaveLength(2);
  });

  it("but not if MemberRoles ignores the person, by id or by e-mail", () => {
    const ignoring = (ignore: string) => ({
      type: "MemberRoles",
      inputs: { roles: { ada: "admin", "bea@acme.test": "edit" }, ignore: [ignore] },
    });
    expect(unmanagedIn(audited(live, state(ignoring("ada@*"))))).toEqual(["ada admin"]);
    expect(unmanagedIn(audited(live, state(ignoring("Bea"))))).toEqual(["Bea edit"]);
  });
});

describe("a membership is declared", () => {
  const members = [
    person("ada"),
    person("bea"),
    person("cem", "read", "cem@contractor.test"),
    person("shy", "read", ""),
  ];
  const roles = {
    type: "MemberRoles",
    name: "all",
    inputs: { roles: Object.fromEntries(members.map(({ id }) => [id, "read"])) },
  };
  const live = liveWith(members, { team_a: { ada: "owner", bea: "member", cem: "member", shy: "member" } });
  const found = (...resources: Parameters<typeof exported>[1][]) =>
    unmanagedIn(audited(live, state(roles, ...resources)));

  it("by TeamMembership, and only in its team", () => {
    const membership = (teamId: string) => ({ type: "TeamMembership", inputs: { teamId, user: "ADA@acme.test" } });
    expect(found(membership("team_a"))).toEqual(["team_a bea member", "team_a cem member", "team_a shy member"]);
    expect(found(membership("team_b"))).toContain("team_a ada owner");
  });

  it("by TeamMembers, and by its ignore patterns if the e-mail is visible", () => {
    const team = { teamId: "team_a", members: { "ada@acme.test": "owner" }, ignore: ["*@CONTRACTOR.test"] };
    expect(found({ type: "TeamMembers", inputs: team })).toEqual(["team_a bea member", "team_a shy member"]);
    expect(found({ type: "TeamMembers", inputs: { ...team, ignore: ["shy", "bea@acme.test"] } })).toEqual([
      "team_a cem member",
    ]);
  });

  it("by a matching ignore pattern, which is counted apart", () => {
    const team = { teamId: "team_a", members: { "ada@acme.test": "owner", bea: "member" }, ignore: ["*", "bea"] };
    const audit = audited(live, state(roles, { type: "TeamMembers", inputs: team }));
    // A person with a hidden e-mail matches no pattern.
    expect(unmanagedIn(audit)).toEqual(["team_a shy member"]);
    expect(audit.ignored).toBe(1);
    expect(audited(live, state(roles)).ignored).toBe(0);
  });

  it("but not by a refresh that found the person", () => {
    const team = {
      teamId: "team_a",
      members: { ada: "owner", "bea@acme.test": "member", cem: "member", shy: "member" },
    };
    const outputs = { found: ["bea", "shy"], userIds: { "bea@acme.test": "bea" } };
    expect(found({ type: "TeamMembers", inputs: team, outputs })).toEqual(["team_a bea member", "team_a shy member"]);
  });
});

describe("sites, SAML providers and translations", () => {
  const live = liveWith(
    [],
    {},
    {
      sites: [site("s1"), site("s2")],
      saml: [provider("p1"), provider("p2")],
      translations: [translation("t1"), translation("t2")],
    },
  );

  it("are declared by the id of a resource of their own type", () => {
    const audit = audited(
      live,
      state(
        { type: "Site", id: "s1" },
        { type: "SiteAdaptiveSchema", id: "s2" },
        { type: "SamlProvider", id: "p2" },
        { type: "Translation", id: "t1" },
        { type: "Translation", id: "s2" },
        { type: "Site", name: "read-only", id: "s2", external: true },
      ),
    );
    expect(unmanagedIn(audit)).toEqual(["p1", "s2", "t2"]);
    expect(audit.coverage.total).toEqual({ declared: 3, there: 6, percent: 50 });
    expect(audit.verdict.text).toHaveWording("a verdict about objects");
  });
});

it("lists the most important objects first", () => {
  const live = liveWith(
    [
      person("r", "read"),
      person("c", "comment"),
      person("a2", "admin"),
      person("x", "superuser"),
      person("a1", "admin"),
      person("e", "edit"),
    ],
    { team_b: { r: "member", c: "owner" }, team_a: { e: "member" } },
    {
      saml: [provider("p_read"), provider("p_guest", null), provider("p_admin", "admin")],
      sites: [
        site("s_jwt", "visitor-auth"),
        site("s_off", "public", false),
        site("s_link", "share-link"),
        site("s_public"),
      ],
    },
  );
  expect(unmanagedIn(audited(live, state()))).toEqual([
    "a1 admin",
    "a2 admin",
    "x superuser",
    "e edit",
    "c comment",
    "r read",
    "team_b c owner",
    "team_a e member",
    "team_b r member",
    "p_admin",
    "p_read",
    "p_guest",
    "s_public",
    "s_link",
    "s_jwt",
    "s_off",
  ]);
  expect(audited(live, state()).verdict.text).toHaveWording("a verdict about people and objects");
});

it("lists declared objects that are not live, and memberships that wait for a person", () => {
  const live = liveWith([person("ada"), person("bea")], { team_a: { ada: "owner" } }, { sites: [site("s1")] });
  const audit = audited(
    live,
    state(
      { type: "MemberRole", inputs: { user: "ex@acme.test", role: "edit" }, outputs: { userId: "ex" } },
      { type: "MemberRoles", inputs: { roles: { ada: "read", "no@acme.test": "guest" } } },
      { type: "TeamMembership", inputs: { teamId: "team_a", user: "bea" } },
      {
        type: "TeamMembership",
        name: "soon",
        inputs: { teamId: "team_a", user: "soon@acme.test" },
        outputs: { pending: true },
      },
      {
        type: "TeamMembers",
        inputs: { teamId: "team_b", members: { "soon@acme.test": "member", "Bea@acme.test": "owner" } },
        outputs: { pending: ["soon@acme.test", "bea@acme.test"] },
      },
      { type: "Site", name: "s2", id: "s2", inputs: { title: "Old" } },
      { type: "Site", name: "s3", id: "s3", delete: true },
      { type: "SiteAdaptiveSchema", id: "s1" },
      { type: "SamlProvider", id: "p1", inputs: { label: "Okta" } },
    ),
  );
  expect(audit.gone.map(({ kind, id, name, team }) => [kind, id, name, ...(team ? [team.id] : [])])).toEqual([
    ["role", "ex", "ex@acme.test"],
    ["membership", "bea", "bea@acme.test", "team_a"],
    ["membership", "bea", "bea@acme.test", "team_b"],
    ["saml", "p1", "Okta"],
    ["site", "s2", "Old"],
  ]);
  expect(audit.waiting).toBe(3);
});

describe("a conflict between stacks", () => {
  const live = liveWith([person("ada"), person("bea"), person("cem")], { team_a: { ada: "owner", bea: "member" } });
  const shared = (one: Parameters<typeof exported>[1][], two: Parameters<typeof exported>[1][]) =>
    audited(live, exported("one", ...one), exported("two", ...two)).shared.map(
      ({ kind, id, by }) => `${kind} ${id}: ${by.map(({ stack, resource }) => `${stack} ${resource}`).join(", ")}`,
    );
  const membership = (user: string) => ({ type: "TeamMembership", inputs: { teamId: "team_a", user } });
  const team = (user: string, ...ignore: string[]) => ({
    type: "TeamMembers",
    inputs: { teamId: "team_a", members: { [user]: "owner" }, ignore },
  });

  it("is one person under any name, or one object", () => {
    expect(
      shared(
        [
          { type: "MemberRole", inputs: { user: "ada" } },
          { type: "Site", id: "s1" },
          membership("bea"),
          { type: "SamlProvider", id: "p1" },
        ],
        [
          { type: "MemberRoles", inputs: { roles: { "ADA@acme.test": "read" } } },
          { type: "Site", id: "s1" },
          membership("bea@acme.test"),
        ],
      ),
    ).toEqual([
      "role ada: docs/one MemberRole one, docs/two MemberRoles one",
      "membership bea: docs/one TeamMembership one, docs/two TeamMembership one",
      "site s1: docs/one Site one, docs/two Site one",
    ]);
    expect(shared([membership("ada"), team("ada")], [])).toEqual([]);
    expect(shared([{ type: "Site", id: "s1", delete: true }], [{ type: "Site", id: "s1" }])).toEqual([]);
  });

  it("is a team that one stack manages completely, if another stack declares a person that the first does not ignore", () => {
    const expected = ["team team_a: docs/one TeamMembers one, docs/two TeamMembership one"];
    expect(shared([team("ada")], [membership("bea")])).toEqual(expected);
    expect(shared([team("ada")], [membership("ada")])).toEqual(expected);
    expect(shared([team("ada", "bea@*")], [membership("bea")])).toEqual([]);
    expect(shared([team("ada")], [team("ada")])).toEqual([
      "team team_a: docs/one TeamMembers one, docs/two TeamMembers one",
    ]);
  });
});

it("leaves out secrets", () => {
  const secret = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext: "…" };
  const audit = audited(
    liveWith([person("ada"), person("bea")]),
    state(
      { type: "MemberRole", name: "a", inputs: { user: secret }, outputs: { userId: "ada" } },
      { type: "MemberRole", name: "b", inputs: { user: secret } },
    ),
  );
  expect([unmanagedIn(audit), audit.hidden, audit.gone]).toEqual([["bea read"], 1, []]);
});

describe("a state", () => {
  const live = liveWith([person("ada")]);
  const other = { type: "Site", id: "s1", outputs: { organizationId: "globex" } };

  it("of another organization is refused, and both organizations are named", () => {
    expect(() => audited(live, state(other))).toThrow(expect.toHaveWording("a state of another organization"));
  });

  it("of several organizations counts for this one; without any of its resources, the stack is named", () => {
    const audit = audited(live, state(other, { type: "MemberRole", inputs: { user: "ada" } }), exported("empty"));
    expect([unmanagedIn(audit), audit.foreignResources, audit.emptyStacks]).toEqual([[], 1, ["docs/empty"]]);
  });

  it("can be given only once", () => {
    expect(() => audited(live, state(), exported("two"), state())).toThrow(
      expect.toHaveWording("a state that is given twice"),
    );
  });
});

it("an ended grant is listed while a state still gives it, and nobody has taken it away", () => {
  const review = { organization: "acme", grants: [{ user: "bea@acme.test", role: "admin", expires: "2020-01-31" }] };
  const endsWith = (live: string, recorded?: string) => {
    const roles = { type: "MemberRoles", inputs: { roles: recorded ? { "bea@acme.test": recorded } : {} } };
    const notes = { type: "OrganizationNotes", inputs: { review } };
    return audited(liveWith([person("bea", live)]), state(roles, notes)).ends.map(({ kind, on }) => [kind, on]);
  };
  expect(endsWith("admin", "admin")).toEqual([["grant has ended", "2020-01-31"]]);
  for (const [live, recorded] of [["admin"], ["read", "admin"], ["read", "read"]] as const)
    expect(endsWith(live, recorded)).toEqual([]);
});

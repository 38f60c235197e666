import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { type Plan, writePlan } from "../../provider/access/plan-file";
import { type Client, createClient } from "../../provider/api/client";
import { type Emulator, startEmulator } from "../../provider/emulator";
import type { ResourceName } from "../../provider/resources/names";
import { readPreview } from "../../provider/review/model/preview";
import { planOf } from "../../provider/review/plan/plan";
import { reviewOf } from "../../provider/review/review";
import { type PreviewStep, print } from "../review/support";
import { failureOf } from "../support/failure";
import { cutConnection, LyingService } from "../support/lying-service";
import type { Properties } from "../support/protocol-provider";
import { startProvider, startRun } from "../support/provider";

let folder: string;
let emulator: Emulator;
let client: Client;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "docs-org-plan-"));
  emulator = await startEmulator();
  client = createClient({ baseUrl: emulator.url, token: emulator.token });
});
afterEach(async () => {
  await client.close();
  await emulator.close();
  await rm(folder, { recursive: true });
});

const made = new Date("2026-11-24T12:00:00Z");
const planned = (organizationId: string, ...steps: readonly PreviewStep[]): Plan =>
  planOf(reviewOf(readPreview(print(steps), "a preview"), { organizationId }), made);

async function upWith(resource: ResourceName, plan: Plan, more: NodeJS.ProcessEnv = {}) {
  const file = path.join(folder, "plan.json");
  await writeFile(file, writePlan(plan));
  const config = { "docs:baseUrl": emulator.url, "docs:token": emulator.token };
  const environment = { DOCS_ORGANIZATION_ID: "acme", DOCS_PLAN: file, DOCS_NOW: "2026-11-25T12:00:00Z", ...more };
  return startRun(resource, { config, environment });
}

const upCreating = (type: ResourceName, declared: Properties) =>
  upWith(type, planned("acme", { op: "create", type, declared }));
const changing = (type: ResourceName, before: Properties, declared: Properties) =>
  planned("acme", { type, recorded: before, live: before, declared });

const startBeforePlan = (resource: ResourceName) => {
  const config = { "docs:baseUrl": emulator.url, "docs:token": emulator.token };
  return startProvider(resource, { config, environment: { DOCS_ORGANIZATION_ID: "acme" } });
};

const writes = () =>
  emulator.log.filter(({ method }) => method !== "GET").map(({ method, path }) => `${method} ${path}`);
const roleOf = async (userId: string) => (await client.getMember({ organizationId: "acme", userId })).role;
const setRole = (userId: string, role: "read" | "admin" | null) =>
  client.updateMember({ organizationId: "acme", userId, body: { role } });

const rename = (userId: string, email: string | undefined) => {
  const { members } = emulator.state.organizations.get("acme") ?? expect.unreachable();
  members.set(userId, { ...(members.get(userId) ?? expect.unreachable()), email });
};
/** An unchanged membership, whose state tells the review that the e-mail is the one of `user_eli`. */
const member = { teamId: "team_support", user: "eli@acme.test" };
const membershipOfEli = {
  op: "same",
  type: "TeamMembership",
  live: member,
  outputs: { userId: "user_eli" },
  declared: member,
};

/** Kofi gets the e-mail of Eli. */
const passOn = (email: string) => {
  rename("user_eli", "eli.former@acme.test");
  rename("user_kofi", email);
};

/** Expects that the whole change is refused: nothing of it is sent, not even the part that was reviewed. */
async function refuses(work: Promise<unknown>, change: string, title = "a change that the plan does not list") {
  const before = writes().length;
  const { message } = await failureOf(work);
  expect(message.replace(change, "CHANGE")).toHaveWording(title);
  expect(writes().slice(before)).toEqual([]);
}

it("an up with a plan creates nothing in another organization than the reviewed one", async () => {
  const grant = { user: "user_eli", role: "create" };
  const creating = async (organizationId: string) => {
    const plan = planned(organizationId, { op: "create", type: "MemberRole", declared: grant });
    return (await upWith("MemberRole", plan)).create(grant);
  };
  await expect(creating("other")).rejects.toHaveWording("a plan of another organization");
  expect(emulator.log).toEqual([]);
  expect((await creating("acme")).id).toBe("user_eli");
});

it.each([
  ["guest", "PATCH"],
  ["remove", "DELETE"],
])("an up with a plan applies others: %s to nobody but the people of the plan", async (members, method) => {
  const roles = { "ines@acme.test": "read" };
  const ignore = ["user_ada", "user_bea", "user_cem", "user_dana", "user_eli", "user_femi", "user_gita", "user_hugo"];
  const declared = { roles, others: { members, ignore } };
  const { id, properties } = await (await startBeforePlan("MemberRoles")).create({ roles });
  const live = {
    ...properties,
    roles: { ...roles, "kofi@acme.test": "read" },
    userIds: { "kofi@acme.test": "user_kofi" },
  };
  const plan = planned("acme", {
    type: "MemberRoles",
    recorded: { roles },
    live,
    outputs: { found: ["user_kofi"], userIds: live.userIds },
    declared,
  });
  await (await upWith("MemberRoles", plan)).update(id, properties, declared);
  // Jun is undeclared as well, and no review has shown that.
  expect([writes(), await roleOf("user_jun")]).toEqual([[`${method} /v1/orgs/acme/members/user_kofi`], "read"]);
});

describe("an up with a plan changes no access that the plan does not list", () => {
  const eli = { user: "user_eli", role: "create" };
  const kofi = { teamId: "team_support", user: "user_kofi" };
  const engineers = (members: object) => ({ teamId: "team_engineers", members, exclusive: true });

  it.each<[ResourceName, reviewed: Properties, declared: Properties, refused: string]>([
    [
      "MemberRoles",
      { roles: { user_eli: "create" } },
      { roles: { user_eli: "create", user_kofi: "admin" } },
      "user_kofi, kofi@acme.test (role): read → admin",
    ],
    ["MemberRole", eli, { ...eli, role: "admin" }, "user_eli, eli@acme.test (role): review → admin"],
    ["MemberRole", eli, { ...eli, sso: true }, "user_eli, eli@acme.test (single sign-on): none → sso"],
    [
      "MemberRole",
      { ...eli, role: "[secret]" },
      { user: "user_kofi", role: "edit" },
      "user_kofi, kofi@acme.test (role): read → edit",
    ],
    ["TeamMembership", kofi, { ...kofi, role: "owner" }, "user_kofi (team team_support): none → owner"],
    ["TeamMembership", kofi, { ...kofi, user: "user_jun" }, "user_jun (team team_support): none → member"],
    [
      "TeamMembers",
      engineers({ user_bea: "owner", user_eli: "member" }),
      engineers({ user_bea: "owner" }),
      "user_eli, eli@acme.test (team team_engineers): member → none",
    ],
  ])("creates %s as reviewed, %o, with any level if the plan hides it, and not as %o", async (...args) => {
    const [type, reviewed, declared, refused] = args;
    const up = await upCreating(type, reviewed);
    await refuses(up.create(declared), refused);
    const allowed = reviewed.role === "[secret]" ? { ...reviewed, role: "admin" } : reviewed;
    expect((await up.create(allowed)).properties).toMatchObject(allowed);
  });

  it("deletes no membership that was reviewed as a creation", async () => {
    const up = await upCreating("TeamMembership", kofi);
    const { id, properties } = await up.create(kofi);
    await refuses(up.delete(id, properties), "user_kofi (team team_support): member → none");
  });

  it("if an e-mail belongs to another member by then", async () => {
    const declared = { roles: { "eli@acme.test": "edit" } };
    const plan = planned("acme", membershipOfEli, { op: "create", type: "MemberRoles", declared });
    expect(plan.access.find(({ change }) => change === "gains")?.user.userId).toBe("user_eli");
    passOn("eli@acme.test");
    const up = await upWith("MemberRoles", plan);
    const reviewed = /as user_eli .* user_kofi now/;
    await expect(up.create(declared)).rejects.toThrow(reviewed);
    // Without `users`, the list of changes refuses it.
    const alone = await upWith("MemberRoles", { ...plan, users: {} });
    await refuses(alone.create(declared), "user_kofi, eli@acme.test (role): read → edit");
  });

  it.each([
    ["MemberRole", { user: "Eli@acme.test", role: "edit" }],
    ["MemberRoles", { roles: { "eli@acme.test": "edit" } }],
    ["TeamMembership", { teamId: "team_engineers", user: "eli@acme.test" }],
    ["TeamMembers", { teamId: "team_engineers", members: { "eli@acme.test": "owner" }, exclusive: true }],
  ] as const)(
    "and does not record the other member of an e-mail in a failed creation of %s",
    async (type, declared) => {
      const plan = planned("acme", membershipOfEli, { op: "create", type, declared });
      passOn("eli@acme.test");
      const failure = await failureOf((await upWith(type, plan)).create(declared));
      expect(failure.message).toMatch(/as user_eli .* user_kofi now/);
      // The next review would take the recorded member for the meant one.
      expect(failure.partial).toBeUndefined();
    },
  );

  it("if an e-mail belongs to another member by then who has the reviewed role already, so that nothing would be sent", async () => {
    const declared = { roles: { "eli@acme.test": "read" } };
    const plan = planned("acme", membershipOfEli, { op: "create", type: "MemberRoles", declared });
    passOn("eli@acme.test");
    expect([await roleOf("user_eli"), await roleOf("user_kofi")]).toEqual(["review", "read"]);
    await expect((await upWith("MemberRoles", plan)).create(declared)).rejects.toHaveWording(
      "a passed-on e-mail in a plan",
    );
  });

  it("in a team, if the program or a second person adds or removes somebody", async () => {
    const before = {
      teamId: "team_engineers",
      members: { user_bea: "owner", user_eli: "member", user_gita: "member", user_femi: "member" },
    };
    const { properties } = await (await startBeforePlan("TeamMembers")).create(before);
    const after = { ...before, members: { user_bea: "owner", user_gita: "member", user_femi: "member" } };
    const plan = changing("TeamMembers", before, after);
    const up = await upWith("TeamMembers", plan);
    const added = { ...after, members: { ...after.members, user_kofi: "owner" } };
    await refuses(up.update("team_engineers", properties, added), "user_kofi (team team_engineers): none → owner");
    await client.updateTeamMembers({
      organizationId: "acme",
      teamId: "team_engineers",
      body: { add: ["user_gita"], memberships: { user_gita: { role: "owner" } } },
    });
    const later = await upWith("TeamMembers", plan);
    await refuses(
      later.update("team_engineers", properties, after),
      "user_gita, gita@acme.test (team team_engineers): owner → member",
    );
  });

  it("if the person has more or less by then than the review showed", async () => {
    const before = { roles: { user_eli: "edit", user_gita: "edit" } };
    const { id, properties } = await (await startBeforePlan("MemberRoles")).create(before);
    const after = { roles: { user_eli: "read", user_gita: "edit" } };
    const plan = changing("MemberRoles", before, after);
    const refusesFrom = async (role: "admin" | null) => {
      await client.updateMember({ organizationId: "acme", userId: "user_eli", body: { role } });
      const refused = `user_eli, eli@acme.test (role): ${role ?? "guest"} → read`;
      await refuses((await upWith("MemberRoles", plan)).update(id, properties, after), refused);
    };
    await refusesFrom("admin");
    await refusesFrom(null);
    // Less than reviewed is safe.
    await client.updateMember({ organizationId: "acme", userId: "user_eli", body: { role: "comment" } });
    await (await upWith("MemberRoles", plan)).update(id, properties, after);
    expect(await roleOf("user_eli")).toBe("read");
  });

  it("and removes nobody who is an administrator by then", async () => {
    const declared = { user: "user_eli", role: "edit", onRelease: "remove" };
    const { id, properties } = await (await startBeforePlan("MemberRole")).create(declared);
    const gone = { op: "delete", type: "MemberRole", recorded: declared, live: declared, outputs: properties };
    await setRole("user_eli", "admin");
    const up = await upWith("MemberRole", planned("acme", gone));
    await refuses(up.delete(id, properties), "user_eli, eli@acme.test (role): admin → none");
  });

  it("in a new whole team, if a reviewed person has another e-mail, or hides it", async () => {
    const members = { user_bea: "owner", "eli@acme.test": "member" };
    const declared = { teamId: "team_engineers", members, exclusive: true };
    const plan = planned("acme", membershipOfEli, { op: "create", type: "TeamMembers", declared });
    rename("user_eli", "eli.former@acme.test");
    const up = await upWith("TeamMembers", plan);
    await expect(up.create(declared)).rejects.toHaveWording("a plan whose e-mail belongs to nobody");
    rename("user_eli", undefined);
    await expect((await upWith("TeamMembers", plan)).create(declared)).rejects.toThrow(
      /hide their e-mail|was reviewed as user_eli/,
    );
    expect(writes()).toEqual([]);
  });

  it.each([
    ["MemberRole", { user: "user_cem", role: "create" }, "user_cem, cem@acme.test (role): admin → create"],
    ["MemberRole", { user: "cem@acme.test", role: "guest" }, "user_cem, cem@acme.test (role): admin → guest"],
    ["MemberRole", { user: "user_cem", role: "[secret]" }, "user_cem, cem@acme.test (role): admin → create"],
    ["MemberRoles", { roles: { user_cem: "create" } }, "user_cem, cem@acme.test (role): admin → create"],
    [
      "TeamMembership",
      { teamId: "team_engineers", user: "user_bea", role: "member" },
      "user_bea, bea@acme.test (team team_engineers): owner → member",
    ],
  ] as const)(
    "and lowers nobody whose present level the review did not know: %s %o",
    async (type, declared, change) => {
      await setRole("user_cem", "admin");
      const up = await upCreating(type, declared);
      const written = "role" in declared && declared.role === "[secret]" ? { ...declared, role: "create" } : declared;
      await refuses(up.create(written), change, "a change whose present level the plan does not show");
    },
  );

  it("but lowers a person whose present level is declared first", async () => {
    await setRole("user_cem", "admin");
    const present = { user: "user_cem", role: "admin" };
    const lower = { ...present, role: "create" };
    const first = await upCreating("MemberRole", present);
    const { id, properties } = await first.create(present);
    const plan = changing("MemberRole", present, lower);
    await (await upWith("MemberRole", plan)).update(id, properties, lower);
    expect(await roleOf("user_cem")).toBe("create");
  });
});

it("a role that a killed up has changed gets the previous role of the plan, which a component's preview knows", async () => {
  const declared = { roles: { "eli@acme.test": "edit" } };
  const preview = JSON.parse(print([{ op: "create", type: "MemberRoles", declared }]));
  const live = [{ user: "eli@acme.test", userId: "user_eli", level: "review" }];
  const notes = { inputs: { review: { organization: "acme", live } } };
  const urn = "urn:pulumi:prod::docs::docs:index:Organization::acme";
  const steps = [{ op: "create", urn, newState: notes }, ...preview.steps];
  const review = reviewOf(readPreview(JSON.stringify({ ...preview, steps }), "a preview"), { organizationId: "acme" });
  const plan = planOf(review, made);
  const killed = await upWith("MemberRoles", plan);
  await killed.create(declared);
  const again = await upWith("MemberRoles", plan);
  const { properties } = await again.create(declared);
  expect(properties).toMatchObject({ ...declared, previousRoles: { user_eli: "review" } });
  const { properties: without } = await (await startBeforePlan("MemberRoles")).create(declared);
  expect(without).toMatchObject({ ...declared, previousRoles: {} });
});

describe("an up with a plan writes no resource that the plan does not have", () => {
  const declared = { title: "Reviewed", visibility: "unlisted" };

  it("creates only what declares the same", async () => {
    const up = await upCreating("Site", declared);
    await refuses(up.create({ ...declared, visibility: "public" }), "create Site");
    await refuses(up.create({ title: "Reviewed" }), "create Site");
    const { id, properties } = await up.create(declared);
    await refuses(up.delete(id, properties), `delete Site ${id}`);
  });

  it("replaces a planned resource: its creation does not use up its deletion", async () => {
    const former = { source: { space: "reference", language: "en" }, language: "uk" };
    const after = { ...former, language: "ko" };
    const { id, properties } = await (await startBeforePlan("Translation")).create(former);
    const step = JSON.parse(print([{ op: "replace", type: "Translation", live: former, declared: after }]));
    step.steps[0].oldState.id = id;
    const plan = planOf(reviewOf(readPreview(JSON.stringify(step), "a preview"), { organizationId: "acme" }), made);
    const up = await upWith("Translation", plan);
    await up.create(after);
    await refuses(up.create(after), "create Translation");
    await up.delete(id, properties);
    expect(writes().at(-1)).toMatch(`DELETE /v1/orgs/acme/translations/${id}`);
  });

  it("deletes no object that the reviewed deletion only removes from the state", async () => {
    const { id, properties } = await (await startBeforePlan("Site")).create(declared);
    const before = { id, retainOnDelete: true };
    const up = await upWith("Site", planned("acme", { op: "delete", type: "Site", live: declared, before }));
    await refuses(up.delete(id, properties), `delete Site ${id}`);
  });

  it("accepts for the id of a new site only the id of a site of the run", async () => {
    const order = { siteId: "site_product", order: ["group_developers", "section_guides"] };
    const plan = planned("acme", { op: "create", type: "SiteStructureOrder", declared: order });
    // As a plan has it if the same component creates the site.
    for (const { properties } of plan.resources)
      properties.siteId = "the id of urn:pulumi:prod::docs::docs:index:Site::one";
    const up = await upWith("SiteStructureOrder", plan);
    await refuses(up.create(order), "create SiteStructureOrder");
    await up.of("Site").readExisting("site_product");
    await up.create(order);
    expect(writes()).toEqual(["PATCH /v1/orgs/acme/sites/site_product/structure/sort"]);
  });

  it("changes only properties that the plan changes, also if others were changed outside Pulumi", async () => {
    const { id, properties } = await (await startBeforePlan("Site")).create(declared);
    const after = { ...declared, title: "Renamed" };
    const step = JSON.parse(print([{ type: "Site", live: declared, declared: after }]));
    step.steps[0].oldState.id = id;
    const plan = planOf(reviewOf(readPreview(JSON.stringify(step), "a preview"), { organizationId: "acme" }), made);
    const up = await upWith("Site", plan);
    await refuses(
      up.update(id, properties, { ...after, visibility: "public" }),
      `update Site ${id} (title, visibility)`,
    );
    await client.updateSite({ organizationId: "acme", siteId: id, body: { visibility: "public" } });
    const later = await upWith("Site", plan);
    await refuses(later.update(id, properties, after), `update Site ${id} (title, visibility)`);
    await client.updateSite({ organizationId: "acme", siteId: id, body: { visibility: "unlisted" } });
    await (await upWith("Site", plan)).update(id, properties, after);
    expect(writes().at(-1)).toBe(`PATCH /v1/orgs/acme/sites/${id}`);
  });

  it("completes a reviewed creation that was interrupted", async () => {
    const plan = planned("acme", { op: "create", type: "Site", declared });
    const { id, properties } = await (await upWith("Site", plan)).create(declared);
    await client.updateSite({ organizationId: "acme", siteId: id, body: { visibility: "public" } });
    const up = await upWith("Site", plan);
    expect(await up.update(id, { ...properties, visibility: "public" }, declared)).toMatchObject(declared);
  });
});

describe("up --only grants", () => {
  /** The grants of Eli and of Bea end. Ines has left. Hugo was a guest. */
  const others = { user_ada: "admin", user_hugo: "comment", user_ines: "read" };
  const declared = { roles: { ...others, user_eli: "read", user_bea: "read" } };
  async function recorded() {
    const roles = { ...others, user_eli: "edit", user_bea: "admin" };
    await setRole("user_hugo", null);
    const made = await (await startBeforePlan("MemberRoles")).create({ roles });
    await client.removeMember({ organizationId: "acme", userId: "user_ines" });
    return made;
  }
  async function upOnly(baseUrl = emulator.url) {
    const change = (user: string, before: string, after: string) => ({
      change: "loses",
      user: { keys: [user], userId: user },
      place: { kind: "role", organization: "acme" },
      before,
      after,
    });
    const plan = {
      ...planned("acme", { op: "same", type: "MemberRoles", live: declared, declared }),
      access: [change("user_eli", "edit", "read"), change("user_bea", "admin", "read")],
    } as Plan;
    return upWith("MemberRoles", plan, {
      DOCS_ONLY: "/user_eli\n/user_bea",
      DOCS_BASE_URL: baseUrl,
      DOCS_BASE_URL_MOVED_FROM: emulator.url,
    });
  }
  const roles = () => Promise.all(["user_ada", "user_bea", "user_eli", "user_hugo"].map(roleOf));

  it("ends grants beside drift and people who have left, also once more after a killed run", async () => {
    const { id, properties } = await recorded();
    await setRole("user_hugo", "admin");
    const live = (await (await upOnly()).read(id, properties)) ?? expect.unreachable();
    const from = writes().length;
    const after = await (await upOnly()).update(id, live.properties, declared);
    expect(await roles()).toEqual(["admin", "read", "read", "admin"]);
    expect(writes().slice(from)).toHaveLength(2);
    // The state keeps what it had of others, so the next refresh shows what differs.
    expect(after).toMatchObject({ roles: { ...declared.roles }, previousRoles: { user_hugo: null } });
    const drift = await (await startBeforePlan("MemberRoles")).read(id, after);
    expect(drift?.properties).toMatchObject({ roles: { user_hugo: "admin" }, absent: ["user_ines"] });
    await (await upOnly()).update(id, live.properties, declared);
    expect(writes().slice(from)).toHaveLength(2);
  });

  it("ends a grant in a team in which another e-mail is nobody's since the review", async () => {
    rename("user_eli", undefined);
    const inputs = { teamId: "team_support", exclusive: true };
    const before = { ...inputs, members: { user_ada: "owner", user_bea: "owner", [member.user]: "member" } };
    const { id, properties } = await (await startBeforePlan("TeamMembers")).create(before);
    const after = { ...inputs, members: { ...before.members, user_bea: "member" } };
    const plan = { ...changing("TeamMembers", before, after), users: { [member.user]: ["user_eli"] } };
    const up = await upWith("TeamMembers", plan, { DOCS_ONLY: "team_support/user_bea" });
    expect(await up.update(id, properties, after)).toMatchObject(after);
    const whole = (await upWith("TeamMembers", plan)).update(id, properties, before);
    await expect(whole).rejects.toThrow("was reviewed as user_eli");
  });

  it("ends a grant of a user id in a team again after a failure, although the refresh names the person by e-mail", async () => {
    const inputs = { teamId: "team_support", exclusive: true };
    const before = { ...inputs, members: { user_ada: "owner", user_bea: "owner" } };
    const { id, properties } = await (await startBeforePlan("TeamMembers")).create(before);
    const after = { ...inputs, members: { user_ada: "owner" } };
    const lying = await LyingService.start(emulator.url);
    onTestFinished(() => lying.close());
    lying.on("removeTeamMember", () => ({ status: 403, body: { error: { code: 403, message: "Not now" } } }), 1);
    const upOnly = () =>
      upWith("TeamMembers", changing("TeamMembers", before, after), {
        DOCS_ONLY: "team_support/user_bea",
        DOCS_BASE_URL: lying.url,
        DOCS_BASE_URL_MOVED_FROM: emulator.url,
      });
    const { partial } = await failureOf((await upOnly()).update(id, properties, after));
    const live = await (await upOnly()).read(id, partial?.properties ?? {});
    await (await upOnly()).update(id, live?.properties ?? {}, after);
    expect(lying.requests("removeTeamMember")).toHaveLength(2);
  });

  it("keeps the last administrator, whose grant ends when there is another one", async () => {
    const { id, properties } = await recorded();
    await setRole("user_ada", "read");
    const live = (await (await startBeforePlan("MemberRoles")).read(id, properties)) ?? expect.unreachable();
    const { message, partial } = await failureOf((await upOnly()).update(id, live.properties, declared));
    expect(message).toMatch(/user_bea.* is the last administrator/);
    expect(await roles()).toEqual(["read", "admin", "read", "comment"]);
    await setRole("user_ada", "admin");
    await (await upOnly()).update(id, partial?.properties ?? {}, declared);
    expect(await roles()).toEqual(["admin", "read", "read", "comment"]);
  });

  it("ends a grant once if the answer is lost", async () => {
    const { id, properties } = await recorded();
    const lying = await LyingService.start(emulator.url);
    onTestFinished(() => lying.close());
    lying.on("updateMember", ({ forward }) => forward().then(() => cutConnection), 2);
    const after = await (await upOnly(lying.url)).update(id, properties, declared);
    expect(await roles()).toEqual(["admin", "read", "read", "comment"]);
    expect(after).toMatchObject(declared);
  });
});

describe("a plan is refused", () => {
  const declared = { user: "user_eli", role: "create" };
  const creating = async (more: NodeJS.ProcessEnv, plan?: Partial<Plan>) => {
    const whole = planned("acme", { op: "create", type: "MemberRole", declared });
    return (await upWith("MemberRole", { ...whole, ...plan }, more)).create(declared);
  };

  it("if it is older than 7 days, or than DOCS_PLAN_AGE says", async () => {
    const old = { DOCS_NOW: "2026-12-01T12:00:01Z" };
    await expect(creating(old)).rejects.toHaveWording("a plan older than 7 days");
    await expect(creating({ DOCS_PLAN_AGE: "23h" })).rejects.toThrow("than 23 hours");
    await expect(creating({ DOCS_PLAN_AGE: "week" })).rejects.toHaveWording("DOCS_PLAN_AGE that is no age");
    expect(writes()).toEqual([]);
    expect((await creating({ ...old, DOCS_PLAN_AGE: "8d" })).id).toBe("user_eli");
  });

  it.each<[title: string, more: NodeJS.ProcessEnv, plan: Partial<Plan>]>([
    ["a plan that cannot be read", { DOCS_PLAN: "no-plan.json" }, {}],
    // A workflow has lost the name.
    ["a plan without a name", { DOCS_PLAN: " " }, {}],
    ["a plan made later than now", {}, { made: "2026-12-24T12:00:00.000Z" }],
    ["a plan without a time", {}, { made: "yesterday" }],
    ["a plan whose preview was refused", {}, { refused: true }],
    ["a plan for another service", {}, { origin: "https://docs.other.test" }],
  ])("%s", async (title, more, plan) => {
    await expect(creating(more, plan)).rejects.toHaveWording(title);
    expect(emulator.log).toEqual([]);
  });
});

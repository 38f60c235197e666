import fc from "fast-check";
import { expect, test } from "vitest";
import type { Role, TeamRole } from "../../../provider/api/groups/shared";
import { members, peopleSeed, teamMembers, teamOf } from "../people";
import { type Emulated, startEmulated } from "../support";

/** Members and teams against a model of a few lines: whatever happens, counts, lists and single reads agree. */

interface Model {
  readonly members: Map<string, Role | null>;
  readonly teams: Record<string, Map<string, TeamRole>>;
  readonly invited: Record<string, Map<string, TeamRole>>;
}

const users = ["ada", "bea", "cem", "dan", "eli"];
const teams = ["one", "two", "three"];
const email = (user: string) => `${user}@acme.test`;

const user = fc.constantFrom(...users);
const team = fc.constantFrom(...teams);
const teamRole = fc.constantFrom<TeamRole>("owner", "member");
/** Users, and whether to name them by id. Users who are not members are named by e-mail in any case. */
const keys = fc.uniqueArray(fc.tuple(user, fc.boolean()), { maxLength: 3, selector: ([name]) => name });

const step = fc.oneof(
  fc.record({ do: fc.constant("join" as const), user }),
  fc.record({ do: fc.constant("leave" as const), user }),
  fc.record({ do: fc.constant("role" as const), user, role: fc.constantFrom<Role | null>("admin", "read", null) }),
  fc.record({ do: fc.constant("put" as const), user, team, role: fc.option(teamRole, { nil: undefined }) }),
  fc.record({ do: fc.constant("take" as const), user, team }),
  fc.record({ do: fc.constant("bulk" as const), team, add: keys, remove: keys, roles: keys, role: teamRole }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

test("any sequence of operations leaves counts, lists and single reads in agreement", { timeout: 60_000 }, async () => {
  const seed = peopleSeed({
    members: users.slice(0, 3).map((userId) => ({ userId, email: email(userId) })),
    teams: teams.map((id) => ({ id })),
  });
  const property = fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 15 }), async (steps) => {
    const emulator = await startEmulated({ seed });
    const model: Model = {
      members: new Map(users.slice(0, 3).map((id) => [id, "read"])),
      teams: Object.fromEntries(teams.map((id) => [id, new Map()])),
      invited: {},
    };
    for (const one of steps) expect(await carryOut(one, emulator, model)).toBe(carryOutInModel(one, model));
    await expectAgreement(emulator, model);
    await emulator.close();
  });
  await fc.assert(property, { numRuns: 40 });
});

async function carryOut(step: Step, emulator: Emulated, model: Model): Promise<number> {
  const { call } = emulator;
  if (step.do === "join") {
    if (!model.members.has(step.user)) emulator.join({ userId: step.user, email: email(step.user).toUpperCase() });
    return 0;
  }
  if (step.do === "leave") return (await call("DELETE", `${members}/${step.user}`)).status;
  if (step.do === "role") return (await call("PATCH", `${members}/${step.user}`, { role: step.role })).status;
  const path = teamMembers(step.team);
  if (step.do === "put") return (await call("PUT", `${path}/${step.user}`, step.role && { role: step.role })).status;
  if (step.do === "take") return (await call("DELETE", `${path}/${step.user}`)).status;
  const named = (all: typeof step.add) =>
    all.map(([name, byId]) => (byId && model.members.has(name) ? name : email(name)));
  const memberships = Object.fromEntries(named(step.roles).map((key) => [key, { role: step.role }]));
  return (await call("PUT", path, { add: named(step.add), remove: named(step.remove), memberships })).status;
}

/** Carries the step out in the model. Returns the status that the service must answer; 0 for a step without a request. */
function carryOutInModel(step: Step, model: Model): number {
  if (step.do === "bulk") {
    const names = (all: typeof step.add) => all.map(([name]) => name);
    for (const name of names(step.add)) place(model, step.team, name);
    for (const name of names(step.roles)) place(model, step.team, name, step.role);
    for (const name of names(step.remove)) {
      if (model.members.has(name)) model.teams[step.team]?.delete(name);
      else model.invited[name]?.delete(step.team);
    }
    return 204;
  }
  const isMember = model.members.has(step.user);
  if (step.do === "join") {
    if (isMember) return 0;
    model.members.set(step.user, "read");
    for (const [team, role] of model.invited[step.user] ?? []) model.teams[team]?.set(step.user, role);
    delete model.invited[step.user];
    return 0;
  }
  if (step.do === "leave") {
    for (const people of Object.values(model.teams)) people.delete(step.user);
    model.members.delete(step.user);
    return isMember ? 205 : 204;
  }
  if (step.do === "role") {
    if (isMember) model.members.set(step.user, step.role);
    return isMember ? 200 : 404;
  }
  if (step.do === "take") {
    const wasInTeam = model.teams[step.team]?.delete(step.user);
    return wasInTeam ? 205 : 204;
  }
  if (isMember) place(model, step.team, step.user, step.role);
  return isMember ? 204 : 404;
}

function place({ members, teams, invited }: Model, team: string, name: string, role?: TeamRole): void {
  invited[name] ??= new Map();
  const [roles, key] = members.has(name) ? [teams[team], name] : [invited[name], team];
  roles?.set(key, role ?? roles.get(key) ?? "member");
}

async function expectAgreement(emulator: Emulated, model: Model): Promise<void> {
  const { call } = emulator;
  const { items, count } = (await call("GET", `${members}?order=asc`)).body;
  expect([count, items.length]).toEqual([model.members.size, model.members.size]);
  for (const item of items) {
    const inTeams = teams.filter((id) => model.teams[id]?.has(item.id));
    expect([item.role, item.teams]).toEqual([model.members.get(item.id), inTeams.length]);
    expect((await call("GET", `${members}/${item.id}`)).body).toEqual(item);
    const listed = (await call("GET", `${members}/${item.id}/teams`)).body.items;
    expect(listed.map((one: { team: { id: string } }) => one.team.id)).toEqual(inTeams);
    for (const one of listed) {
      expect(one.team.members).toBe(model.teams[one.team.id]?.size);
      expect(one.member.role).toBe(model.teams[one.team.id]?.get(item.id));
    }
  }
  for (const id of teams) expect(await teamOf(emulator, id)).toEqual(Object.fromEntries(model.teams[id] ?? []));
}

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import * as definitions from "../../provider/definitions";
import { type Emulator, startEmulator } from "../../provider/emulator";
import { ResourceHandler } from "../../provider/lifecycle/handler";
import type { ResourceName } from "../../provider/resources/names";
import type { Properties } from "../../provider/run/properties";
import { Run } from "../../provider/run/run";
import { TestClock } from "../support/clock";
import { LyingService } from "../support/lying-service";
import { settingsOf } from "../support/settings";

/** A decision that removes somebody or lowers a role is made by what was read within 30 seconds, however long a run takes. */

const teamId = "team_writers";
let emulator: Emulator;
let lying: LyingService;
let elapsed = 0;
let run: Run;

beforeEach(async () => {
  emulator = await startEmulator();
  lying = await LyingService.start(emulator.url);
  Object.assign(process.env, settingsOf(emulator), { DOCS_BASE_URL: lying.url });
  elapsed = 0;
  anotherRun();
  const now = Date.now.bind(Date);
  const begun = now();
  // Ten times as fast, because a refusal of the last one waits a while for another administrator or owner.
  vi.spyOn(Date, "now").mockImplementation(() => begun + 10 * (now() - begun) + elapsed);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await lying.close();
  await emulator.close();
});

const handler = (name: ResourceName) => new ResourceHandler(definitions[name], { run });
/** Without a check, so the run does not know that the program declares it, as if an earlier run had created it. */
async function created(name: ResourceName, inputs: Properties): Promise<{ id: string; outs: Properties }> {
  const { id, outs } = await handler(name).create(inputs);
  return { id: String(id), outs };
}
async function updated(name: ResourceName, id: string, olds: Properties, news: Properties): Promise<unknown> {
  await handler(name).check?.(olds, news);
  return handler(name).update?.(id, olds, news);
}
/** A run that has read nothing. */
function anotherRun(): void {
  run = new Run({ clock: new TestClock() });
}

const organization = () => emulator.state.organizations.get(emulator.organizationId) ?? expect.unreachable();
const setTeamRole = (userId: string, role: "owner" | "member") => {
  const one = organization().teams.get(teamId)?.members.get(userId);
  Object.assign(one ?? expect.unreachable(), { role });
};
const ownersLive = () =>
  [...(organization().teams.get(teamId)?.members ?? [])].flatMap(([userId, { role }]) =>
    role === "owner" ? [userId] : [],
  );
const putTeammate = (userId: string, role: "owner" | "member") =>
  fetch(`${emulator.url}/v1/orgs/${emulator.organizationId}/teams/${teamId}/members/${userId}`, {
    method: "PUT",
    headers: { authorization: `Bearer ${emulator.token}`, "content-type": "application/json" },
    body: JSON.stringify({ role }),
  }).then(({ ok }) => expect(ok).toBe(true));

describe("a list of a team that is older than 30 seconds", () => {
  it("is read again before an owner is lowered, and a list without the owner is no proof", async () => {
    const inputs = { teamId, user: "user_cem", role: "owner" };
    const { id, outs } = await created("TeamMembership", inputs);
    anotherRun();
    expect((await handler("TeamMembership").read?.(id, outs))?.props).toMatchObject({ role: "owner" });
    elapsed = 31_000;
    lying.on(
      "listTeamMembers",
      async ({ forward }) => {
        const answer = await forward();
        const items = answer.body.items.filter(({ organization: { user } }) => user.id !== "user_cem");
        return { ...answer, body: { ...answer.body, items } };
      },
      1,
    );
    await expect(updated("TeamMembership", id, outs, { ...inputs, role: "member" })).rejects.toThrow(
      /user_cem\) is the last owner/,
    );
    expect(ownersLive()).toEqual(["user_cem"]);
  });

  it("is read again before a role is given to a person who was not in the team then and may own it now", async () => {
    // Another membership reads the list.
    await created("TeamMembership", { teamId, user: "user_dana" });
    elapsed = 31_000;
    await putTeammate("user_ines", "owner");
    setTeamRole("user_cem", "member");
    const inputs = { teamId, user: "user_ines", role: "member" };
    await handler("TeamMembership").check?.({}, inputs);
    await expect(created("TeamMembership", inputs)).rejects.toThrow(/user_ines\) is the last owner/);
    expect(ownersLive()).toEqual(["user_ines"]);
  });
});

describe("a list of members that is older than 30 seconds", () => {
  const roles = { user_cem: "comment", user_femi: "create" };

  it("does not decide which role MemberRoles restores", async () => {
    const { id, outs } = await created("MemberRoles", { roles });
    expect(outs.previousRoles).toMatchObject({ user_femi: "edit" });
    anotherRun();
    await handler("MemberRoles").read?.(id, outs);
    elapsed = 31_000;
    // By the old list, restoring `edit` lowers the role; by now it would raise it, which is not allowed.
    Object.assign(organization().members.get("user_femi") ?? expect.unreachable(), { role: "read" });
    lying.forget();
    await updated("MemberRoles", id, outs, { roles: { user_cem: "comment" } });
    expect(lying.writes()).toEqual([]);
  });

  it("does not decide who remains as an administrator", async () => {
    const { id, outs } = await created("MemberRoles", { roles: { user_ada: "admin", user_ines: "edit" } });
    anotherRun();
    await handler("MemberRoles").read?.(id, outs);
    elapsed = 31_000;
    Object.assign(organization().members.get("user_ines") ?? expect.unreachable(), { role: "admin" });
    for (const [userId, member] of organization().members)
      if (userId !== "user_ines" && member.role === "admin") Object.assign(member, { role: "read" });
    lying.forget();
    await expect(updated("MemberRoles", id, outs, { roles: { user_ada: "read", user_ines: "edit" } })).rejects.toThrow(
      /user_ines\) is the last administrator/,
    );
    expect(lying.writes()).toEqual([]);
  });
});

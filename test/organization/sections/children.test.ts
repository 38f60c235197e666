import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { OrganizationFile } from "../../../provider/organization/file/types";
import { childrenOf } from "../../../provider/organization/sections";

/** Days are days in UTC, in whichever zone the machine is. */
beforeAll(() => void vi.stubEnv("TZ", "America/New_York"));
afterAll(() => void vi.unstubAllEnvs());

const organization: OrganizationFile = {
  organization: "acme",
  members: {
    "ada@acme.test": "admin",
    "Gus@acme.test": { role: "edit", expires: { on: "2027-01-31", then: "remove" } },
  },
  teams: {
    team_a: { members: { "gus@acme.test": "owner", "ada@acme.test": "member" } },
    team_b: { members: { "ada@acme.test": { role: "owner", expires: { on: "2027-01-31", then: "member" } } } },
    team_c: { members: { "ada@acme.test": "owner" } },
    team_d: { members: { "ada@acme.test": "member" } },
  },
};

test("gives nothing before a grant begins, and takes nothing", () => {
  const later: OrganizationFile = {
    organization: "acme",
    members: { user_a: "admin", user_b: { role: "edit", from: "2027-01-15T08:00+01:00" } },
    teams: {
      team_a: { members: { user_a: "member", user_b: { role: "owner", from: "2027-01-15" } } },
      team_b: { memberships: { user_b: { role: "member", from: "2027-01-15" } } },
    },
  };
  const inputsAt = (now: string) => childrenOf("acme", later, new Date(now)).map(({ inputs }) => inputs);
  expect(inputsAt("2027-01-14T23:59:59.999Z")).toEqual([
    {
      organizationId: "acme",
      roles: { user_a: "admin" },
      onRelease: { removal: "guest", people: { user_b: "leave" } },
    },
    { organizationId: "acme", teamId: "team_a", members: { user_a: "member" }, ignore: ["user_b"] },
  ]);
  expect(inputsAt("2027-01-15T07:00Z")).toEqual([
    { organizationId: "acme", roles: { user_a: "admin", user_b: "edit" }, onRelease: { removal: "guest" } },
    { organizationId: "acme", teamId: "team_a", members: { user_a: "member", user_b: "owner" } },
    { organizationId: "acme", teamId: "team_b", user: "user_b", role: "member" },
  ]);
  expect(inputsAt("2027-01-15")[0]).toMatchObject({ roles: { user_a: "admin" } });
});

const teamsAt = (now: string) =>
  childrenOf("acme", organization, new Date(now))
    .filter(({ resource }) => resource === "TeamMembers")
    .map(({ inputs: { organizationId: _, ...inputs } }) => inputs);

test("ended grants also end in teams, even the last owner's", () => {
  expect(teamsAt("2027-01-31")).toEqual([
    { teamId: "team_a", members: { "gus@acme.test": "owner", "ada@acme.test": "member" } },
    { teamId: "team_b", members: { "ada@acme.test": "owner" } },
    { teamId: "team_c", members: { "ada@acme.test": "owner" } },
    { teamId: "team_d", members: { "ada@acme.test": "member" } },
  ]);
  expect(teamsAt("2027-02-01")).toEqual([
    { teamId: "team_a", members: { "ada@acme.test": "member" }, allowNoOwner: true },
    { teamId: "team_b", members: { "ada@acme.test": "member" }, allowNoOwner: true },
    { teamId: "team_c", members: { "ada@acme.test": "owner" } },
    { teamId: "team_d", members: { "ada@acme.test": "member" } },
  ]);
});

test("allowRaise applies only to the person who declares it, even after the grant has ended", () => {
  const members: OrganizationFile["members"] = {
    "ada@acme.test": "admin",
    user_bea: { role: "read", allowRaise: true },
    user_cem: { role: "read", allowRaise: true, expires: { on: "2027-01-31", then: "restore" } },
  };
  const rolesAt = (now: string) => childrenOf("acme", { organization: "acme", members }, new Date(now))[0]?.inputs;
  expect(rolesAt("2027-01-31")).toMatchObject({ allowRaiseOf: ["user_bea", "user_cem"] });
  expect(rolesAt("2027-02-01")).toMatchObject({
    onRelease: { removal: "guest", people: { user_cem: "restore" } },
    allowRaiseOf: ["user_bea", "user_cem"],
  });
  expect(rolesAt("2027-02-01")).not.toHaveProperty("allowRaise");
});

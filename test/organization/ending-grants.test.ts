import { expect, test } from "vitest";
import type { Member } from "../../provider/api/groups/members";
import {
  describeEndingGrant,
  describeEndingGrants,
  type EndingGrant,
  type Held,
} from "../../provider/organization/ending-grants";
import type { OrganizationFile } from "../../provider/organization/file/types";
import { planChange } from "../../provider/organization/guards/change";

const last = "2027-01-31";
const organization: OrganizationFile = {
  organization: "o",
  members: {
    a: "admin",
    b: { role: "edit", expires: { on: last, then: "read" } },
    c: { role: "admin", expires: { on: "2027-02-28", then: "restore" } },
    d: { role: "review", expires: { on: "2027-01-30", then: "remove" } },
  },
  teams: { t: { members: { b: { role: "owner", expires: { on: last } }, d: "member" } }, empty: {} },
};

const member = (id: string) => ({ role: "edit", sso: false, user: { id } }) as Member;

/** A stack that manages everybody, with this role as the previous one of all. */
const warningsAt = (now: string, previous = "guest", declared = organization) => {
  const names = ["a", "b", "c", "d"];
  const all = <T>(value: T) => Object.fromEntries(names.map((name) => [name, value]));
  const outputs = { roles: all("edit"), previousRoles: all(previous) };
  const team = { teamId: "t", members: { b: "owner", d: "member" } };
  const change = planChange({
    name: "o",
    organization: declared,
    live: { members: names.map(member), teams: [], saml: [], sites: [] },
    recorded: [
      { resource: "MemberRoles", name: "o-members", outputs },
      { resource: "TeamMembers", name: "o-t", outputs: team },
    ],
    formerComponents: [],
    rolesManagedElsewhere: [],
    now: new Date(now),
  });
  return describeEndingGrants(change);
};

test("grants with at most 14 days left, and ended ones, are announced with what follows", () => {
  const named = (now: string) => warningsAt(now).map((text) => / to (.) end/.exec(text)?.[1]);
  expect(named("2027-01-15T23:59:59Z")).toEqual([]);
  expect(named("2027-01-16T00:00:00Z")).toEqual(["d"]);
  expect(named("2027-01-17T00:00:00Z")).toEqual(["d", "b", "b"]);
  expect(named("2027-03-01T00:00:00Z")).toEqual(["d", "b", "b", "c"]);
});

const declaring = (c: NonNullable<OrganizationFile["members"]>[string]): OrganizationFile => ({
  organization: "o",
  members: { c },
});
const expires = { on: "2027-02-28", then: "restore" } as const;

test("a grant is announced at any time if its end has no effect, because the previous role is not lower or would be a raise", () => {
  const announced = (previous: string, declared: OrganizationFile) =>
    warningsAt("2026-01-01", previous, declared).map((text) => / ends with (\S+)/.exec(text)?.[1]);
  const admin = declaring({ role: "admin", expires });
  expect(announced("admin", admin)).toEqual(["2027-02-28"]);
  expect(announced("read", admin)).toEqual([]);
  expect(announced("admin", declaring({ role: "read", expires }))).toHaveLength(1);
  const raising = declaring({ role: "edit", allowRaise: true, expires });
  expect(announced("admin", raising)).toEqual([]);
  expect(announced("edit", raising)).toHaveLength(1);
});

test("a removed person who is still in teams of the file is announced with these teams", () => {
  expect(warningsAt(last)[0]).toBe(
    "the grant of the role review to d ended with 2027-01-30 (UTC): d now is removed from the organization; the file still has d in t: remove that line as well",
  );
});

const ending: EndingGrant = { user: "b", role: "edit", on: last, becomes: "read", days: 3 };
const inTeam = { team: "t", role: "owner", becomes: "member" };
const sentences: readonly [special: Partial<EndingGrant>, held: Partial<Held>, end: string][] = [
  [{}, {}, "the role edit to b ends with 2027-01-31 (UTC), in 3 days: b then gets the role read"],
  [{ days: 1 }, {}, "the role edit to b ends with 2027-01-31 (UTC), tomorrow: b then gets the role read"],
  [{ days: 0, becomes: "guest" }, {}, "the role edit to b ends with 2027-01-31 (UTC), today: b then becomes a guest"],
  [{ becomes: "restore", days: -1 }, {}, ": b now gets back the previous role (guest)"],
  [{ becomes: "restore" }, { previous: undefined }, "then gets back the previous role"],
  [
    { becomes: "restore" },
    { previous: "edit" },
    "then keeps the role edit, which is the previous role: declare the role that follows instead of restore",
  ],
  [
    { becomes: "restore" },
    { previous: "admin" },
    "then keeps the role edit, because the previous role (admin) is higher: add allowRaise: true to the grant, or declare the role that follows instead of restore",
  ],
  [{ becomes: "restore", allowRaise: true }, { previous: "admin" }, "then gets back the previous role (admin)"],
  [{ days: -1 }, {}, "the role edit to b ended with 2027-01-31 (UTC): declare read, which follows it"],
  [inTeam, {}, "owner of team t to b ends with 2027-01-31 (UTC), in 3 days: b then becomes member"],
  [{ ...inTeam, becomes: "remove", days: -1 }, {}, "ended with 2027-01-31 (UTC): b now is removed from the team"],
  [
    { becomes: "remove", days: -1 },
    { isRecorded: false },
    "ended with 2027-01-31 (UTC), and has no effect: remove the line, or declare the role that applies now",
  ],
  [
    { becomes: "remove", days: -1 },
    { isRecorded: false, stillIn: ["t"] },
    "(UTC): remove the line, or declare the role that applies now; the file still has b in t: remove that line as well",
  ],
];
test.each(sentences)("an ending grant as a sentence: %j, %j", (special, held, end) => {
  const text = describeEndingGrant({ ...ending, ...special }, { isRecorded: true, previous: "guest", ...held });
  expect([text.slice(0, 13), text.slice(-end.length)]).toEqual(["the grant of ", end]);
});

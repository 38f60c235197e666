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
    now: new Date(now),
  });
  return describeEndingGrants(change);
};

test("grants with at most 14 days left, and ended ones, are announced with what follows", () => {
  const named = (now: string) => warningsAt(now).map((text) => text.slice(0, 1));
  expect(named("2027-01-15T23:59:59Z")).toEqual([]);
  expect(named("2027-01-16T00:00:00Z")).toEqual(["d"]);
  expect(named("2027-01-17T00:00:00Z")).toEqual(["d", "b", "b"]);
  expect(named("2027-03-01T00:00:00Z")).toEqual(["d", "b", "b", "c"]);
});

test("a grant is announced at any time if the previous role is not lower, because its end has no effect", () => {
  const texts = (previous: string) => warningsAt("2026-01-01", previous);
  expect(texts("admin")).toEqual([
    "c has the role admin to the end of 2027-02-28 (UTC), in 423 days, and then keeps the role admin, which is the previous role: declare the role that follows instead of restore",
  ]);
  expect(texts("read")).toEqual([]);
});

test("a higher previous role is not restored, which is announced while the grant lasts", () => {
  const lowered: OrganizationFile = {
    organization: "o",
    members: { c: { role: "read", expires: { on: "2027-02-28", then: "restore" } } },
  };
  expect(warningsAt("2026-01-01", "admin", lowered)).toEqual([
    expect.stringMatching(
      /then keeps the role read, because the previous role \(admin\) is higher: add allowRaise: true/,
    ),
  ]);
});

test("a higher previous role is restored if the member has allowRaise", () => {
  const raising: OrganizationFile = {
    organization: "o",
    members: { c: { role: "edit", allowRaise: true, expires: { on: "2027-02-28", then: "restore" } } },
  };
  const texts = (previous: string, now: string) => warningsAt(now, previous, raising);
  expect(texts("admin", "2026-01-01")).toEqual([]);
  expect(texts("admin", "2027-02-28")).toEqual([
    "c has the role edit to the end of 2027-02-28 (UTC), today, and then gets back the previous role (admin)",
  ]);
  expect(texts("edit", "2026-01-01")).toHaveLength(1);
});

test("a removed person who is still in teams of the file is announced with these teams", () => {
  const text = "d had the role review to the end of 2027-01-30 (UTC), and now is removed from the organization";
  expect(warningsAt(last)[0]).toBe(`${text}; the file still has d in t: remove that line as well`);
});

test.each<[special: Partial<EndingGrant>, held: Partial<Held>, text: string]>([
  [{}, {}, "b has the role edit to the end of 2027-01-31 (UTC), in 3 days, and then gets the role read"],
  [{ days: 1 }, {}, "b has the role edit to the end of 2027-01-31 (UTC), tomorrow, and then gets the role read"],
  [{ days: 0 }, {}, "b has the role edit to the end of 2027-01-31 (UTC), today, and then gets the role read"],
  [{ days: -1 }, {}, "b had the role edit to the end of 2027-01-31 (UTC), and now gets the role read"],
  [{ becomes: "guest" }, {}, "b has the role edit to the end of 2027-01-31 (UTC), in 3 days, and then becomes a guest"],
  [
    { becomes: "restore" },
    {},
    "b has the role edit to the end of 2027-01-31 (UTC), in 3 days, and then gets back the previous role (guest)",
  ],
  [
    { becomes: "restore" },
    { previous: undefined },
    "b has the role edit to the end of 2027-01-31 (UTC), in 3 days, and then gets back the previous role",
  ],
  [
    { becomes: "remove" },
    {},
    "b has the role edit to the end of 2027-01-31 (UTC), in 3 days, and then is removed from the organization",
  ],
  [
    { becomes: "remove", days: 0 },
    { stillIn: ["t1", "t2"] },
    "b has the role edit to the end of 2027-01-31 (UTC), today, and then is removed from the organization; the file still has b in t1, t2: remove that line as well",
  ],
  [
    { becomes: "remove", days: -1 },
    { isApplied: undefined, role: "edit" },
    "b: the grant of the role edit had ended with 2027-01-31 (UTC), so it has no effect; b keeps the role edit, which this stack does not manage: remove the line, or declare the right role",
  ],
  [
    { becomes: "remove", days: -1 },
    { isApplied: undefined },
    "b: the grant of the role edit had ended with 2027-01-31 (UTC), so it has no effect; b is no longer a member: remove the line",
  ],
  [
    { days: -1 },
    { isApplied: false, role: "edit" },
    "b: the grant of the role edit had ended with 2027-01-31 (UTC) before it was ever applied, so it has no effect; b now gets the role read",
  ],
  [
    { team: "t", role: "owner", becomes: "member", days: -1 },
    { isApplied: false },
    "b: the grant of owner of team t had ended with 2027-01-31 (UTC) before it was ever applied, so it has no effect; b now becomes member",
  ],
  [
    { team: "t", role: "owner", becomes: "member" },
    {},
    "b is owner of team t to the end of 2027-01-31 (UTC), in 3 days, and then becomes member",
  ],
  [
    { team: "t", role: "owner", becomes: "remove", days: -2 },
    { isApplied: false },
    "b: the grant of owner of team t had ended with 2027-01-31 (UTC) before it was ever applied, so it has no effect; b does not get into the team: remove the line",
  ],
  [
    { team: "t", role: "owner", becomes: "remove", days: -1 },
    { role: "owner" },
    "b was owner of team t to the end of 2027-01-31 (UTC), and now is removed from the team",
  ],
  [
    { team: "t", role: "owner", becomes: "remove", days: -1 },
    { isApplied: undefined },
    "b: the grant of owner of team t had ended with 2027-01-31 (UTC), so it has no effect; b is no longer in the team: remove the line",
  ],
  [
    { team: "t", role: "owner", becomes: "member", days: -1 },
    { role: "member" },
    "b was owner of team t to the end of 2027-01-31 (UTC), and is member now: declare that role",
  ],
  [
    { becomes: "guest", days: -1 },
    { role: "guest" },
    "b had the role edit to the end of 2027-01-31 (UTC), and is a guest now: declare the role guest",
  ],
  [
    { becomes: "read", days: -1 },
    { role: "read" },
    "b had the role edit to the end of 2027-01-31 (UTC), and has the role read now: declare that role",
  ],
])("an ending grant as a sentence: %j", (special, held, text) => {
  const ending: EndingGrant = { user: "b", role: "edit", on: last, becomes: "read", days: 3 };
  expect(describeEndingGrant({ ...ending, ...special }, { isApplied: true, previous: "guest", ...held })).toBe(text);
});

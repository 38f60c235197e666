import { expect, test } from "vitest";
import {
  describeEndingGrant,
  describeEndingGrants,
  type EndingGrant,
  type Known,
  listEndingGrants,
} from "../../provider/organization/ending-grants";
import type { OrganizationFile } from "../../provider/organization/file/types";

const last = "2027-01-31";
const organization: OrganizationFile = {
  organization: "o",
  members: {
    a: "admin",
    b: { role: "edit", expires: { on: last, then: "read" } },
    c: { role: "admin", expires: { on: "2027-02-28", then: "previous" } },
    d: { role: "review", expires: { on: "2027-01-30", then: "remove" } },
  },
  teams: { t: { members: { b: { role: "owner", expires: { on: last } }, d: "member" } }, empty: {} },
};

/** A stack that manages everybody, and found nobody with a role. */
const known = (more: Partial<Known> = {}): Known => ({
  isManaged: () => true,
  previousRole: () => "guest",
  role: () => undefined,
  teamRole: () => undefined,
  ...more,
});

test("grants with at most 14 days left, and ended ones, are announced with what follows", () => {
  const named = (now: string) =>
    describeEndingGrants(known(), organization, new Date(now)).map((text) => text.slice(0, 1));
  expect(named("2027-01-15T23:59:59Z")).toEqual([]);
  expect(named("2027-01-16T00:00:00Z")).toEqual(["d"]);
  expect(named("2027-01-17T00:00:00Z")).toEqual(["d", "b", "b"]);
  expect(named("2027-03-01T00:00:00Z")).toEqual(["d", "b", "b", "c"]);
});

test("a grant is announced at any time if the previous role is not lower, because its end has no effect", () => {
  const texts = (previousRole: string) =>
    describeEndingGrants(known({ previousRole: () => previousRole }), organization, new Date("2026-01-01"));
  expect(texts("admin")).toEqual([
    "c has the role admin to the end of 2027-02-28 (UTC), in 423 days, and then keeps the role admin, which is the previous role: declare the role that follows instead of previous",
  ]);
  expect(texts("read")).toEqual([]);
});

test("a higher previous role is not restored, which is announced while the grant lasts", () => {
  const lowered: OrganizationFile = {
    organization: "o",
    members: { c: { role: "read", expires: { on: "2027-02-28", then: "previous" } } },
  };
  const texts = describeEndingGrants(known({ previousRole: () => "admin" }), lowered, new Date("2026-01-01"));
  expect(texts).toEqual([
    expect.stringMatching(
      /then keeps the role read, because the previous role \(admin\) is higher: add allowRaise: true/,
    ),
  ]);
});

test("a higher previous role is restored if the member has allowRaise", () => {
  const raising: OrganizationFile = {
    organization: "o",
    members: { c: { role: "edit", allowRaise: true, expires: { on: "2027-02-28", then: "previous" } } },
  };
  const texts = (previousRole: string, now: string) =>
    describeEndingGrants(known({ previousRole: () => previousRole }), raising, new Date(now));
  expect(texts("admin", "2026-01-01")).toEqual([]);
  expect(texts("admin", "2027-02-28")).toEqual([
    "c has the role edit to the end of 2027-02-28 (UTC), today, and then gets back the previous role (admin)",
  ]);
  expect(texts("edit", "2026-01-01")).toHaveLength(1);
});

test("a removed person who is still in teams of the file is announced with these teams", () => {
  expect(listEndingGrants(organization, new Date(last)).find(({ user }) => user === "d")).toEqual({
    user: "d",
    role: "review",
    on: "2027-01-30",
    becomes: "remove",
    stillIn: ["t"],
    days: -1,
  });
});

test.each<[special: Partial<EndingGrant>, known: Partial<Known>, text: string]>([
  [{}, {}, "b has the role edit to the end of 2027-01-31 (UTC), in 3 days, and then gets the role read"],
  [{ days: 1 }, {}, "b has the role edit to the end of 2027-01-31 (UTC), tomorrow, and then gets the role read"],
  [{ days: 0 }, {}, "b has the role edit to the end of 2027-01-31 (UTC), today, and then gets the role read"],
  [{ days: -1 }, {}, "b had the role edit to the end of 2027-01-31 (UTC), and now gets the role read"],
  [{ becomes: "guest" }, {}, "b has the role edit to the end of 2027-01-31 (UTC), in 3 days, and then becomes a guest"],
  [
    { becomes: "previous" },
    {},
    "b has the role edit to the end of 2027-01-31 (UTC), in 3 days, and then gets back the previous role (guest)",
  ],
  [
    { becomes: "previous" },
    { previousRole: () => undefined },
    "b has the role edit to the end of 2027-01-31 (UTC), in 3 days, and then gets back the previous role",
  ],
  [
    { becomes: "remove" },
    {},
    "b has the role edit to the end of 2027-01-31 (UTC), in 3 days, and then is removed from the organization",
  ],
  [
    { becomes: "remove", stillIn: ["t1", "t2"], days: 0 },
    {},
    "b has the role edit to the end of 2027-01-31 (UTC), today, and then is removed from the organization; the file still has b in t1, t2: remove that line as well",
  ],
  [
    { becomes: "remove", days: -1 },
    { isManaged: () => false, role: () => "edit" },
    "b: the grant of the role edit had ended with 2027-01-31 (UTC), so it has no effect; b keeps the role edit, which this stack does not manage: remove the line, or declare the right role",
  ],
  [
    { becomes: "remove", days: -1 },
    { isManaged: () => false },
    "b: the grant of the role edit had ended with 2027-01-31 (UTC), so it has no effect; b is no longer a member: remove the line",
  ],
  [
    { days: -1 },
    { isManaged: () => false, role: () => "edit" },
    "b: the grant of the role edit had ended with 2027-01-31 (UTC) before it was ever applied, so it has no effect; b now gets the role read",
  ],
  [
    { team: "t", role: "owner", becomes: "member", days: -1 },
    { teamRole: () => null },
    "b: the grant of owner of team t had ended with 2027-01-31 (UTC) before it was ever applied, so it has no effect; b now becomes member",
  ],
  [
    { team: "t", role: "owner", becomes: "member" },
    {},
    "b is owner of team t to the end of 2027-01-31 (UTC), in 3 days, and then becomes member",
  ],
  [
    { team: "t", role: "owner", becomes: "remove", days: -2 },
    { isManaged: () => false },
    "b: the grant of owner of team t had ended with 2027-01-31 (UTC) before it was ever applied, so it has no effect; b does not get into the team: remove the line",
  ],
  [
    { team: "t", role: "owner", becomes: "remove", days: -1 },
    { teamRole: () => "owner" },
    "b was owner of team t to the end of 2027-01-31 (UTC), and now is removed from the team",
  ],
  [
    { team: "t", role: "owner", becomes: "remove", days: -1 },
    { teamRole: () => null },
    "b: the grant of owner of team t had ended with 2027-01-31 (UTC), so it has no effect; b is no longer in the team: remove the line",
  ],
  [
    { team: "t", role: "owner", becomes: "member", days: -1 },
    { teamRole: () => "member" },
    "b was owner of team t to the end of 2027-01-31 (UTC), and is member now: declare that role",
  ],
  [
    { becomes: "guest", days: -1 },
    { role: () => "guest" },
    "b had the role edit to the end of 2027-01-31 (UTC), and is a guest now: declare the role guest",
  ],
  [
    { becomes: "read", days: -1 },
    { role: () => "read" },
    "b had the role edit to the end of 2027-01-31 (UTC), and has the role read now: declare that role",
  ],
])("an ending grant as a sentence: %j", (special, more, text) => {
  const ending: EndingGrant = { user: "b", role: "edit", on: last, becomes: "read", days: 3 };
  expect(describeEndingGrant({ ...ending, ...special }, known(more))).toBe(text);
});

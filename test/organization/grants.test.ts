import { expect, test } from "vitest";
import { endingsIn, endingText, memberRoleAt, teamRoleAt } from "../../provider/organization/grants";
import type { OrganizationFile } from "../../provider/organization/schema";

const last = "2027-01-31";
const during = new Date("2027-01-31T23:59:59.999Z");
const after = new Date("2027-02-01T00:00:00.000Z");

test.each(["read", "admin", "guest", "previous", "remove"] as const)(
  "a role is valid to the end of its day, then %s",
  (then) => {
    const grant = { role: "edit" as const, expires: { on: last, then } };
    expect(memberRoleAt(grant, during)).toBe("edit");
    expect(memberRoleAt(grant, after)).toBe(then);
  },
);

test("a membership is valid to the end of its day, then it is another one, or none", () => {
  expect(teamRoleAt({ role: "owner", expires: { on: last, then: "member" } }, after)).toBe("member");
  expect(teamRoleAt({ role: "owner", expires: { on: last, then: "remove" } }, after)).toBe("remove");
  expect(teamRoleAt({ role: "owner", expires: { on: last } }, during)).toBe("owner");
  expect(teamRoleAt({ role: "owner", expires: { on: last } }, after)).toBe("remove");
});

test("without an end, a grant goes on", () => {
  expect(memberRoleAt("admin", new Date("9999-12-31"))).toBe("admin");
  expect(memberRoleAt({ role: "admin", reason: "founder" }, new Date("9999-12-31"))).toBe("admin");
  expect(teamRoleAt("owner", new Date("9999-12-31"))).toBe("owner");
});

const organization: OrganizationFile = {
  organization: "o",
  members: {
    a: "admin",
    b: { role: "edit", expires: { on: last, then: "read" } },
    c: { role: "admin", expires: { on: "2027-02-28", then: "previous" } },
    d: { role: "review", expires: { on: "2027-01-30", then: "remove" } },
  },
  teams: { t: { members: { b: { role: "owner", expires: { on: last } }, e: "member" } }, empty: {} },
};

test("who has at most 14 days left is named, with what follows, and so is who has none left", () => {
  expect(endingsIn(organization, new Date("2027-01-15T23:59:59Z"))).toEqual([]);
  const [first] = endingsIn({ ...organization, teams: {} }, new Date("2027-01-17T00:00:00Z"));
  expect(first).toMatchObject({ user: "d", days: 13 });
  const now = new Date("2027-01-31T12:00:00Z");
  expect(endingsIn(organization, now)).toEqual([
    { path: ["members", "d"], user: "d", role: "review", on: "2027-01-30", becomes: "remove", days: -1 },
    { path: ["members", "b"], user: "b", role: "edit", on: last, becomes: "read", days: 0 },
    { path: ["teams", "t", "members", "b"], user: "b", team: "t", role: "owner", on: last, becomes: "remove", days: 0 },
  ]);
});

test("the first day of the warning is 14 days before the last one", () => {
  const days = (now: string) =>
    endingsIn({ organization: "o", members: { b: organization.members?.b ?? "read" } }, new Date(now));
  expect(days("2027-01-16T23:59:59Z")).toEqual([]);
  expect(days("2027-01-17T00:00:00Z")).toHaveLength(1);
});

test.each([
  [{}, "b has the role edit to the end of 2027-01-31 (UTC), in 3 days, and then gets the role read"],
  [{ days: 1 }, "b has the role edit to the end of 2027-01-31 (UTC), tomorrow, and then gets the role read"],
  [{ days: 0 }, "b has the role edit to the end of 2027-01-31 (UTC), today, and then gets the role read"],
  [{ days: -1 }, "b had the role edit to the end of 2027-01-31 (UTC), and now gets the role read"],
  [{ becomes: "guest" }, "b has the role edit to the end of 2027-01-31 (UTC), in 3 days, and then becomes a guest"],
  [
    { becomes: "previous" },
    "b has the role edit to the end of 2027-01-31 (UTC), in 3 days, and then gets back the role from before",
  ],
  [
    { becomes: "remove" },
    "b has the role edit to the end of 2027-01-31 (UTC), in 3 days, and then is removed from the organization",
  ],
  [
    { team: "t", role: "owner", becomes: "member" },
    "b is owner of team t to the end of 2027-01-31 (UTC), in 3 days, and then becomes member",
  ],
  [
    { team: "t", role: "owner", becomes: "remove", days: -2 },
    "b was owner of team t to the end of 2027-01-31 (UTC), and now is removed from the team",
  ],
])("an ending in words: %o", (special, text) => {
  const ending = { path: ["members", "b"], user: "b", role: "edit", on: last, becomes: "read", days: 3 };
  expect(endingText({ ...ending, ...special })).toBe(text);
});

import { expect, test } from "vitest";
import { memberRoleAt, teamRoleAt } from "../../../provider/organization/sections/grants";

const last = "2027-01-31";
const during = new Date("2027-01-31T23:59:59.999Z");
const after = new Date("2027-02-01T00:00:00.000Z");

test.each(["read", "admin", "guest", "restore", "remove"] as const)(
  "a role is valid until the end of its day, then it is %s",
  (then) => {
    const grant = { role: "edit" as const, expires: { on: last, then } };
    expect(memberRoleAt(grant, during)).toBe("edit");
    expect(memberRoleAt(grant, after)).toBe(then);
  },
);

test("a membership is valid until the end of its day, then it changes or ends", () => {
  expect(teamRoleAt({ role: "owner", expires: { on: last, then: "member" } }, after)).toBe("member");
  expect(teamRoleAt({ role: "owner", expires: { on: last, then: "remove" } }, after)).toBe("remove");
  expect(teamRoleAt({ role: "owner", expires: { on: last } }, during)).toBe("owner");
  expect(teamRoleAt({ role: "owner", expires: { on: last } }, after)).toBe("remove");
});

test("a grant without an end stays", () => {
  expect(memberRoleAt("admin", new Date("9999-12-31"))).toBe("admin");
  expect(memberRoleAt({ role: "admin", reason: "founder" }, new Date("9999-12-31"))).toBe("admin");
  expect(teamRoleAt("owner", new Date("9999-12-31"))).toBe("owner");
});

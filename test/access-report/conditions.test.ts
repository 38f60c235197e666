import { expect, test } from "vitest";
import { findMatches } from "../../provider/access-report/conditions";
import type { DeclaredPlace, PersonAccess } from "../../provider/access-report/report";

test.each<[what: string, declared: Partial<DeclaredPlace> | undefined, isFound: boolean]>([
  ["no line", undefined, true],
  ["another role", { level: "read", phase: "running" }, true],
  ["a grant that has ended", { level: "admin", phase: "ended", then: "read" }, true],
  ["a grant that is yet to begin", { level: "admin", phase: "to begin" }, true],
  ["the role", { level: "admin", phase: "running" }, false],
  ["a grant that has left the role at its end", { level: "edit", phase: "ended", then: "admin" }, false],
])("says whether an administrator with %s is undeclared", (_, given, isFound) => {
  const declared = given && ({ at: "organization.yaml:2", ...given } as DeclaredPlace);
  const role = { level: "admin", ...(declared && { declared }) };
  const now = new Date("2026-11-26");
  const seen = { joinedAt: "2026-11-01T00:00:00Z", lastSeenAt: "2026-11-25T00:00:00Z" };
  const person: PersonAccess = { userId: "user_bea", name: "bea@acme.test", state: "active", role, teams: [], ...seen };
  const noneAsked = [] as const;
  expect(findMatches(noneAsked, [person], now).some(({ condition }) => condition === "undeclared-admin")).toBe(isFound);
});

test.each([
  ["given until the last day", "edit", { expires: "2026-12-20", phase: "running" }, ["expiring=30d"]],
  ["still given after the end", "edit", { expires: "2026-11-20", phase: "ended" }, ["ended"]],
  ["ended", "read", { expires: "2026-11-20", phase: "ended" }, []],
  ["of the role that follows", "read", { expires: "2026-11-20", phase: "ended", level: "read" }, []],
] as const)("finds a grant that ends or has ended: %s", (_, level, given, conditions) => {
  const declared = { at: "organization.yaml:2", level: "edit", then: "read", ...given };
  const seen = { lastSeenAt: "2026-11-25T00:00:00Z", sso: true, state: "active" as const };
  const person: PersonAccess = {
    userId: "user_bea",
    name: "bea@acme.test",
    role: { level, declared },
    teams: [],
    ...seen,
  };
  const found = findMatches([], [person], new Date("2026-11-26"));
  expect(found.map(({ condition }) => condition)).toEqual(conditions);
});

test("finds a grant that ends in a team, and does not count somebody who cannot sign in as inactive", () => {
  const declared = { level: "member", at: "organization.yaml:3", phase: "running", expires: "2026-12-01" } as const;
  const teams = [{ level: "member", declared }];
  const named = { userId: "user_bea", name: "bea@acme.test", role: { level: "edit" }, teams };
  const person: PersonAccess = { ...named, state: "disabled", joinedAt: "2026-01-01T00:00:00Z" };
  const found = findMatches([], [person], new Date("2026-11-26"));
  expect(found).toEqual([{ condition: "expiring=30d", people: ["user_bea"] }]);
});

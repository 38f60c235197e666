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
])("finds an administrator with %s as undeclared: %s", (_, given, isFound) => {
  const declared = given && ({ at: "organization.yaml:2", ...given } as DeclaredPlace);
  const role = { level: "admin", ...(declared && { declared }) };
  const now = new Date("2026-11-26");
  const seen = { joinedAt: "2026-11-01T00:00:00Z", lastSeenAt: "2026-11-25T00:00:00Z" };
  const person: PersonAccess = { userId: "user_bea", name: "bea@acme.test", state: "active", role, teams: [], ...seen };
  expect(findMatches([], [person], now).map(({ condition }) => condition)).toEqual(isFound ? ["undeclared-admin"] : []);
});

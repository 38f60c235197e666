import { expect, it } from "vitest";
import type { PlannedAccess } from "../../provider/access/plan-file";
import { PlannedChanges } from "../../provider/access/planned-changes";

const role = { kind: "role", organization: "acme" } as const;
const team = (team: string, organization = "acme") => ({ place: { kind: "team", team, organization } }) as const;
const ada = { userId: "user_ada", keys: ["user_ada"] };
const gain: PlannedAccess = { place: role, user: ada, before: "read", after: "edit", change: "gains" };
const accepted = { change: "accepted", before: "edit" } as const;
/** After the up that gave the grant was interrupted, only the end is new. */
const ended = { change: "end", before: "edit" } as const;

it.each<[string, planned: Partial<PlannedAccess>, one: Partial<PlannedAccess>, has: boolean]>([
  ["the same change", {}, {}, true],
  ["one in another place", {}, team("t"), false],
  ["one with other options", {}, { options: "{}" }, false],
  ["one that the other plan hides", {}, { hidden: true }, false],
  ["one with another end", {}, { end: "2027-01-31" }, false],
  ["one that was made since", {}, accepted, true],
  ["one that was made since, with its end", { end: "2027-01-31" }, { ...accepted, end: "2027-01-31" }, true],
  ["one that was made since, with a new end", {}, { ...accepted, end: "2027-01-31" }, true],
  ["one that was made since, with another end", { end: "2027-01-31" }, { ...accepted, end: "2027-02-28" }, false],
  ["one to another level, made since", {}, { ...accepted, after: "admin" }, false],
  ["the end of what was made since", { end: "2027-01-31" }, { ...ended, end: "2027-01-31" }, true],
  ["another end of what was made since", { end: "2027-01-31" }, { ...ended, end: "2027-02-28" }, false],
  ["an end of what was planned without one", {}, { ...ended, end: "2027-01-31" }, false],
  ["the end of another level", { end: "2027-01-31" }, { ...ended, after: "admin", end: "2027-01-31" }, false],
  ["the end of what was left", { change: "left", end: "2027-01-31" }, { ...ended, end: "2027-01-31" }, false],
  ["an acceptance with a new end", accepted, { ...accepted, end: "2027-01-31" }, true],
  ["an acceptance of what was left", { change: "left", before: "edit" }, accepted, false],
])("a plan has, of another one: %s, %o %o: %s", (_, planned, one, has) => {
  expect(new PlannedChanges([{ ...gain, ...planned }]).has({ ...gain, ...one })).toBe(has);
});

const hidden = { user: { keys: ["?secret user of MemberRole a"] } };
it.each<[string, planned: Partial<PlannedAccess>, write: Partial<PlannedAccess>, allows: boolean]>([
  ["a person that it hides", hidden, {}, true],
  ["a person beside a hidden name", { user: { keys: ["?secret user of MemberRole a", "user_bea"] } }, {}, false],
  ["a hidden person elsewhere", hidden, team("t"), false],
  ["everybody else in a team", { ...team("t"), user: { keys: [], except: ["user_bea"] } }, team("t"), true],
  ["somebody who stays", { ...team("t"), user: { keys: [], except: ["user_ada"] } }, team("t"), false],
  ["a secret team", team("secret"), team("t"), true],
  ["a team that is to be created", team("unknown"), team("t"), true],
  ["another team", team("t"), team("u"), false],
  ["a team of an organization that is not known", team("t", ""), team("t"), true],
  ["a team of another organization", team("t", "other"), team("t"), false],
  ["single sign-on instead of the role", {}, { place: { ...role, kind: "sso" } }, false],
  ["what it only accepts", { change: "accepted" }, {}, false],
])("a plan allows a write: %s", (_, planned, { place = role }, allows) => {
  const write = { person: ada, place, before: "read", after: "edit" };
  expect(new PlannedChanges([{ ...gain, ...planned }]).allows(write)).toBe(allows);
});

it.each<[string, planned: Partial<PlannedAccess>, before: string | undefined]>([
  ["planned", {}, "read"],
  ["for another level", { after: "admin" }, undefined],
  ["that was only accepted", { change: "accepted" }, undefined],
  ["of a team", team("t"), undefined],
  ["of a person who was no member", { before: "none" }, undefined],
  ["that the plan hides", { before: "secret" }, undefined],
  ["that nobody had read", { before: "unknown" }, undefined],
])("knows the level before the plan, %s", (_, planned, before) => {
  expect(new PlannedChanges([{ ...gain, ...planned }]).levelBefore("user_ada", role, "edit")).toBe(before);
});

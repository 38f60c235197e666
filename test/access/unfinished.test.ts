import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { keepUnfinished, levelBeforePlans, settleUnfinished } from "../../provider/access/unfinished";
import { Run } from "../../provider/run/run";
import { unfinishedVariable } from "../../provider/run/settings";
import { freshFolder } from "../support/docs-org";

const kept = "2026-11-26T08:00:00.000Z";
const entry = (...all: object[]) => JSON.stringify(all.map((access) => ({ kept, access: [access] })));
const given = {
  place: { kind: "role", organization: "acme" },
  user: { userId: "user_ada", keys: ["user_ada"] },
  before: "edit",
  after: "admin",
  change: "gains",
};

it.each([
  ["no JSON", "[", /restore it, or remove it/],
  ["a change without a person", entry({ ...given, user: undefined }), /restore it, or remove it/],
  ["a list of lists", "[[]]", /restore it, or remove it/],
  ["a folder", undefined, /^could not read .*: it is a folder/],
  ["what was kept", entry(given), undefined],
])("with %s in the file, adds the next plan to it, or refuses and leaves the file as it is", (_, text, refusal) => {
  const file = join(freshFolder(), "unfinished.json");
  if (text === undefined) mkdirSync(file);
  else writeFileSync(file, text);
  // `isOther` marks a change that `others` causes. It gives nobody a previous role, so it is not kept.
  const keep = () => keepUnfinished(file, { access: [given, { ...given, isOther: true }] } as never, new Set());
  if (refusal === undefined) {
    keep();
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject([{ access: [given] }, { access: [given] }]);
  } else {
    expect(keep).toThrow(refusal);
    expect(text && readFileSync(file, "utf8")).toBe(text);
  }
});

it("knows the role from before all plans that no state has recorded", () => {
  const file = join(freshFolder(), "unfinished.json");
  writeFileSync(file, entry({ ...given, before: "read", after: "edit" }, given));
  vi.stubEnv(unfinishedVariable, file);
  const before = (now: string) => levelBeforePlans(new Run(), "user_ada", { kind: "role", organization: "acme" }, now);
  expect(["admin", "edit", "create"].map(before)).toEqual(["read", "read", undefined]);
});

const person = (name: string, before: string, after: string) => {
  return { ...given, user: { userId: `user_${name}`, keys: [`user_${name}`] }, before, after };
};

it("keeps the roles of people that no state has recorded, and nothing without any", () => {
  const file = join(freshFolder(), "unfinished.json");
  const member = { ...person("bea", "none", "member"), place: { kind: "team", team: "t", organization: "acme" } };
  const keep = (...recorded: string[]) =>
    keepUnfinished(file, { access: [person("ada", "read", "edit"), member] } as never, new Set(recorded));
  keep("user_ada");
  expect(existsSync(file)).toBe(false);
  keep("user_bea");
  expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject([{ access: [person("ada", "read", "edit")] }]);
  keep("user_ada");
  expect(existsSync(file)).toBe(false);
});

it("settles for the people who still have a role that no state has recorded", async () => {
  const file = join(freshFolder(), "unfinished.json");
  const first = [person("ada", "read", "edit"), person("cem", "read", "edit")];
  const second = [person("ada", "edit", "admin"), person("bea", "read", "edit"), person("dan", "read", "edit")];
  writeFileSync(file, JSON.stringify([first, second].map((access) => ({ kept, access }))));
  // Nobody has changed user_eli. user_bea was changed again since.
  const roles = { user_ada: "admin", user_bea: "create", user_cem: "edit", user_dan: "edit", user_eli: "edit" };
  const members = Object.entries(roles).map(([id, role]) => ({ user: { id }, role }));
  const client = { listMembers: () => ({ all: async () => members }) };
  const settle = (...recorded: string[]) =>
    settleUnfinished(file, { client, organizationId: "acme" } as never, new Set(recorded));
  expect(await settle("user_cem")).toEqual(["user_ada: admin (before: read)", "user_dan: edit (before: read)"]);
  expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject([
    { access: [first[0]] },
    { access: [second[0], second[2]] },
  ]);
  await settle("user_dan");
  expect(JSON.parse(readFileSync(file, "utf8"))).toHaveLength(2);
  expect(await settle("user_ada")).toEqual([]);
  expect(existsSync(file)).toBe(false);
});

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { keepUnfinished, levelBeforePlans } from "../../provider/access/unfinished";
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

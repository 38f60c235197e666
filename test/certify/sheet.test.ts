import fc from "fast-check";
import { expect, it, test } from "vitest";
import { compareSheet } from "../../provider/certify/comparison";
import { certificationFormats, certificationOf } from "../../provider/certify/formats";
import { type HeldAccess, readSheet, type Scope, writeSheet } from "../../provider/certify/sheet";

const everybody: Scope = { organization: "acme", roles: [], teams: [] };
const evidence = { createdAt: "2026-11-26T09:00:00.000Z", version: "0.1.0" };
const held: HeldAccess[] = [
  { userId: "user_ada", name: "ada@acme.test", level: "admin", seen: "2026-11-20" },
  { userId: "user_cem", name: "Cem | `x`", level: "edit" },
  { userId: "user_lena", name: "lena@acme.test", level: "guest" },
  { userId: "user_ada", name: "ada@acme.test", team: "team_a", teamTitle: "Docs (EU)", level: "owner" },
  { userId: "user_lena", name: "lena@acme.test", team: "team_a", level: "member" },
];
const written = (scope = everybody) => writeSheet(scope, held, evidence);
const read = (text: string) => readSheet(text, "sheet.md", new Date("2026-11-26T09:59:00Z"));

/** The sheet with texts for the last four columns of some rows, counted from the row of Ada's role. */
const decided = (decisions: Readonly<Record<number, string>>, text = written()) => {
  const lines = text.split("\n");
  const first = lines.findIndex((line) => line.startsWith("| ---")) + 1;
  for (const [index, cells] of Object.entries(decisions)) {
    const place = first + Number(index);
    lines[place] = lines[place]?.replace(/( {2}\|){4}$/, ` ${cells} |`) ?? "";
  }
  return lines.join("\n");
};
const keep = "keep | Zoe | 2026-11-25 | ";

test("is written with one row for each role and team, without guests, and read again", () => {
  expect(written()).toHaveWording("sheet");
  const rows = held.filter(({ team, level }) => team !== undefined || level !== "guest");
  expect(read(written()).rows).toMatchObject(rows.map(({ seen = "not known", ...one }) => ({ ...one, seen })));
});

test.each<[what: string, scope: Partial<Scope>, levels: string[]]>([
  ["roles", { roles: ["admin"] }, ["admin"]],
  ["teams", { teams: ["team_a"] }, ["owner", "member"]],
  ["roles and teams", { roles: ["edit"], teams: ["team_a"] }, ["edit", "owner", "member"]],
])("covers the chosen %s", (_, scope, levels) => {
  const sheet = read(written({ ...everybody, ...scope }));
  expect(sheet.rows.map(({ level }) => level)).toEqual(levels);
  expect(compareSheet(sheet, held).map(({ kind }) => kind)).toEqual(levels.map(() => "undecided"));
});

it("reads back every name, id and team, also after a formatter has changed the table", () => {
  const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }).filter((one) => one.trim() === one);
  const id = fc.stringMatching(/^[\w`*|~-]{1,20}$/);
  const one = fc.record({
    userId: id,
    name: text,
    level: fc.constantFrom("admin", "member"),
    team: fc.option(id, { nil: undefined }),
    teamTitle: fc.option(text, { nil: undefined }),
  });
  fc.assert(
    fc.property(fc.array(one, { maxLength: 5 }), (all) => {
      const sheet = writeSheet(everybody, all as HeldAccess[], evidence);
      const formatted = sheet.replaceAll(" | ", "   |  ").replace(/^- /gm, "* ").replaceAll("\n", "\r\n");
      for (const given of [sheet, formatted])
        expect(read(given).rows.map(({ userId, team, level }) => ({ userId, team, level }))).toEqual(
          all.map(({ userId, team, level }) => ({ userId, team, level })),
        );
    }),
  );
});

test.each([
  ["a changed level", (text: string) => text.replace("`edit`", "`read`")],
  ["a changed name", (text: string) => text.replace("`ada@", "`eda@")],
  ["a removed row", (text: string) => text.replace(/.*Cem.*\n/, "")],
  ["a row twice", (text: string) => text.replace(/.*Cem.*\n/, "$&$&")],
  ["another organization", (text: string) => text.replace("- Organization: `acme`", "- Organization: `acme2`")],
  ["an earlier day", (text: string) => text.replace("on: 2026-11-26", "on: 2026-10-26")],
  ["a smaller scope", (text: string) => text.replace("- Teams: all", "- Teams: team\\_b")],
])("refuses %s", (_, change) => {
  expect(change(written())).not.toBe(written());
  expect(() => read(change(written()))).toThrow(expect.toHaveWording("changed list"));
});

it("accepts sorted rows, and decisions with the usual name and day", () => {
  const lines = decided({ 0: "KEEP |  |  | " }).split("\n");
  const sorted = [
    ...lines.filter((one) => !one.startsWith("| `")),
    ...lines.filter((one) => one.startsWith("| `")).reverse(),
  ];
  const text = sorted
    .join("\n")
    .replace("Reviewed by:", "Reviewed by: Zoe")
    .replace("Reviewed on:", "Reviewed on: 2026-11-25");
  const { rows } = read(text);
  expect(rows.flatMap(({ decision }) => decision ?? [])).toEqual([
    { to: "admin", by: "Zoe", on: "2026-11-25", why: "" },
  ]);
});

it("names every mistake in decisions with its line", () => {
  const text = decided({
    0: "lower to owner | Zoe | 2026-02-30 | x",
    1: "lower to read |  | 2026-11-24 | ",
    2: "keep | Zoe | 2026-11-27 | a | b",
    3: " | Zoe |  | ",
  });
  expect(() => read(text)).toThrow(expect.toHaveWording("mistakes in decisions"));
  expect(() => read(decided({ 0: "keep | Zoe | 2026-02-30 | " }))).toThrow(expect.toHaveWording("no such day"));
  expect(() => read("# Notes\n")).toThrow(expect.toHaveWording("no sheet"));
});

/** The decision about Cem, who can edit; the live role; and what the comparison says. */
test.each([
  ["", "edit", "undecided"],
  ["", "read", "undecided"],
  ["", "guest", "left"],
  ["", undefined, "left"],
  ["", "create", "raised"],
  ["keep", "edit", "done"],
  ["keep", "read", "left"],
  ["keep", undefined, "left"],
  ["keep", "admin", "raised"],
  ["lower to read", "edit", "open"],
  ["lower to read", "comment", "open"],
  ["lower to read", "read", "done"],
  ["lower to read", "guest", "left"],
  ["lower to read", undefined, "left"],
  ["remove", "edit", "open"],
  ["remove", "guest", "open"],
  ["remove", undefined, "done"],
  ["remove", "admin", "raised"],
])("of the decision %j and the live role %s, it says %s", (decision, level, kind) => {
  const sheet = read(decided(decision === "" ? {} : { 1: `${decision} | Zoe | 2026-11-25 | left` }));
  const liveOfEditor = (one: HeldAccess) => (level === undefined ? [] : [{ ...one, level }]);
  const live = held.flatMap((one) => (one.level === "edit" ? liveOfEditor(one) : [one]));
  expect(compareSheet(sheet, live).find(({ person }) => person.level === "edit")).toMatchObject({ kind, now: level });
});

it("shows what is open, who came after the sheet, and what is as decided", () => {
  const sheet = read(decided({ 0: keep, 1: "remove | Zoe | 2026-11-25 | left the project", 2: keep, 3: keep }));
  const live = [...held, { userId: "user_eve", name: "eve@acme.test", level: "admin" }];
  const all = certificationOf(sheet, compareSheet(sheet, live));
  expect(all.finished).toBe(false);
  expect(certificationFormats.text(all)).toHaveWording("comparison");
  const done = held.filter(({ level }) => level !== "edit");
  expect(certificationOf(sheet, compareSheet(sheet, done)).finished).toBe(true);
});

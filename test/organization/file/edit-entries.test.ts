import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { editEntries } from "../../../provider/organization/file/edit-entries";
import { loadOrganization, readPositions } from "../../../provider/organization/file/loader";
import { type Path, positionAt, sourceOf } from "../../../provider/organization/file/places";
import { findIdleLines } from "../../../provider/organization/idle-lines";

const file = `organization: acme
members:
  # Administrators
  ada@acme.test: admin
  Cem@acme.test: edit # left
  # Guests of a project
  "dana@acme.test":
    role: edit
    expires: { on: 2026-11-20, then: remove }

  eli@acme.test: { role: edit, expires: { on: 2026-11-20, then: restore } } # still recorded
  femi@acme.test: { role: edit, sso: true, expires: { on: 2026-11-20, then: read } } # ended
  gita@acme.test: { role: edit, expires: { on: 2026-11-20, then: read } } # not ended by an up
teams: !include teams/*.yaml
`;
const included = `team_a: { members: { ada@acme.test: owner, cem@acme.test: member, dana@acme.test: member } } # flow
team_b:
  title: B
  memberships:
    user_cem: member # gone
team_c: { members: { cem@acme.test: owner, ada@acme.test: owner } }
`;

it("removes the lines of people who have left and of ended grants, and keeps everything else as it is", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "docs-org-tidy-"));
  try {
    mkdirSync(path.join(folder, "teams"));
    const main = path.join(folder, "organization.yaml");
    writeFileSync(main, file);
    writeFileSync(path.join(folder, "teams", "all.yaml"), included);
    const now = new Date("2026-11-26");
    const { organization } = loadOrganization(main, { now });
    const idle = findIdleLines(organization, now, {
      isAbsent: (_, key) => ["cem@acme.test", "user_cem"].includes(key),
      levelOf: (_, key) => {
        if (key === "dana@acme.test") return undefined;
        return key === "femi@acme.test" ? "read" : "edit";
      },
    });
    expect(idle.map(({ path, reason }) => `${path.join(" ")}: ${reason}`)).toEqual([
      "teams team_a members cem@acme.test: left the organization",
      "teams team_a members dana@acme.test: the grant in members has ended",
      "teams team_b memberships user_cem: left the organization",
      "teams team_c members cem@acme.test: left the organization",
      "members Cem@acme.test: left the organization",
      "members dana@acme.test: the grant ended with 2026-11-20 (UTC)",
      "members femi@acme.test: the grant ended with 2026-11-20 (UTC)",
    ]);
    // Without the line, `others` would lower the person who got the previous role back.
    const unrecorded = {
      isAbsent: () => false,
      levelOf: (_: unknown, key: string) => (key === "eli@acme.test" ? undefined : "edit"),
    };
    expect(findIdleLines(organization, now, unrecorded)).toMatchObject([{ path: ["members", "eli@acme.test"] }]);
    expect(findIdleLines({ ...organization, others: { members: "guest" } }, now, unrecorded)).toEqual([]);
    const root = readPositions(main);
    const pointOf = (path: Path) => {
      const { source, key } = positionAt(root, path) ?? expect.unreachable();
      return { source, offset: key };
    };
    // A tidy that is killed between two files leaves the lines that say why those of teams go.
    const texts = [...editEntries(idle.map(({ path, value }) => ({ ...pointOf(path), value }))).values()];
    expect(texts).toEqual([
      included
        .replace(", cem@acme.test: member, dana@acme.test: member", "")
        .replace("user_cem: member", "{}")
        .replace("cem@acme.test: owner, ", ""),
      file
        .replace("  Cem@acme.test: edit # left\n", "")
        .replace(/ {2}"dana@acme.test":\n.*\n.*then: remove }\n/, "")
        .replace(/femi@.* # ended/, "femi@acme.test: { role: read, sso: true } # ended"),
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it.each([
  ["a: 1\n", "a", { value: "2" }, "a: 2\n"],
  ["a: 1 # one\nb: 2", "a", { value: "{ x: 3 }" }, "a: { x: 3 } # one\nb: 2"],
  ["a:\nb: 2\n", "a", { value: "3" }, "a: 3\nb: 2\n"],
  ["a:\n  x: 1\n  y: 2\nb: 2\n", "a", { value: "3" }, "a:\n  3\nb: 2\n"],
  ["a: >-\n  x\n  y\nb: 2\n", "a", { value: "3" }, "a: 3\nb: 2\n"],
  ["{ a: 1, b: 2 }\n", "a", { value: "3" }, "{ a: 3, b: 2 }\n"],
  ["a: 1 # one\nb: 2\n", "a", { next: ["x: 3", "y: 4"] }, "a: 1 # one\nx: 3\ny: 4\nb: 2\n"],
  ["a: 1\nb: 2", "b", { next: ["x: 3"] }, "a: 1\nb: 2\nx: 3\n"],
  ["{ a: 1, b: 2 } # both\n", "b", { next: ["x: 3", "y: 4"] }, "{ a: 1, b: 2, x: 3, y: 4 } # both\n"],
])("in %j, the entry %s becomes %j", (text, key, change, expected) => {
  const source = sourceOf("a.yaml", "a.yaml", Buffer.from(text));
  const [result] = editEntries([{ source, offset: text.indexOf(`${key}:`), ...change }]).values();
  expect(result).toBe(expected);
});

it("orders files by their last change", () => {
  const [a, b] = ["a.yaml", "b.yaml"].map((name) => sourceOf(name, name, Buffer.from("a: 1\nb: 2\n")));
  if (!a || !b) expect.unreachable();
  const changes = [a, b].map((source) => ({ source, offset: 0 }));
  expect([...editEntries([...changes, { source: a, offset: 5 }]).keys()]).toEqual([b, a]);
});

import { chmodSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { readText } from "../../provider/cli/input";
import { docsOrg, freshFolder } from "../support/docs-org";

it("reports a missing file, or a folder, in one sentence", async () => {
  const folder = freshFolder();
  const missing = path.join(folder, "missing.json");
  const below = path.join(folder, "note.txt", "preview.json");
  writeFileSync(path.dirname(below), "");
  const refused = async (title: string, file: string, ...args: string[]) => {
    const { status, stdout, stderr } = await docsOrg(...args, file);
    expect([status, stdout]).toEqual([title === "a missing plan" ? 2 : 1, ""]);
    expect(stderr.replace(file, "FILE")).toHaveWording(title);
  };
  await refused("a missing preview", missing, "review");
  await refused("a missing preview", below, "review");
  await refused("a missing plan", missing, "verify", "--plan");
  await refused("a folder instead of a preview", folder, "review");
});

it("reports an unreadable file in one sentence", () => {
  const closed = path.join(freshFolder(), "closed.json");
  writeFileSync(closed, "{}");
  chmodSync(closed, 0o000);
  expect(() => withoutRights(() => readText(closed, "preview"))).toThrow(
    `could not read the preview ${closed}: this user may not read it; check its permissions`,
  );
});

/** Runs the action as the user with the least rights if this process is root's: root may read everything. */
function withoutRights<Result>(action: () => Result): Result {
  if (process.geteuid?.() !== 0) return action();
  process.seteuid?.(65_534);
  try {
    return action();
  } finally {
    process.seteuid?.(0);
  }
}

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
  const refused = async (what: string, file: string, reason: string, ...args: string[]) => {
    const stderr = `docs-org: could not read the ${what} ${file}: ${reason}\n`;
    expect(await docsOrg(...args, file)).toEqual({ status: what === "plan" ? 2 : 1, stdout: "", stderr });
  };
  const none = "there is no such file; check the name and the current folder";
  await refused("preview", missing, none, "review");
  await refused("preview", below, none, "review");
  await refused("plan", missing, none, "verify", "--plan");
  await refused("preview", folder, "it is a folder, not a file", "review");
});

it("reports an unreadable file in one sentence", () => {
  const closed = path.join(freshFolder(), "closed.json");
  writeFileSync(closed, "{}");
  chmodSync(closed, 0o000);
  expect(() => withoutRights(() => readText(closed, "preview"))).toThrow(
    `could not read the preview ${closed}: this user may not read it; check its permissions`,
  );
});

/** Root may read everything: as the user that has the least rights. */
function withoutRights<Result>(action: () => Result): Result {
  if (process.geteuid?.() !== 0) return action();
  process.seteuid?.(65_534);
  try {
    return action();
  } finally {
    process.seteuid?.(0);
  }
}

import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { readText } from "../../provider/cli/input";
import { run } from "../../provider/cli/program";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "docs-org-input-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The exit status, and what stands on the standard error. */
async function said(...args: string[]): Promise<[status: number, text: string]> {
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  try {
    return [await run(args), write.mock.calls.map(([text]) => text).join("")];
  } finally {
    write.mockRestore();
  }
}

it("reports a missing file, or a folder, in one sentence", async () => {
  const missing = path.join(folder, "missing.json");
  const below = path.join(folder, "note.txt", "preview.json");
  await writeFile(path.dirname(below), "");
  const end = "there is no such file; check the name and the current folder\n";
  expect(await said("review", missing)).toEqual([1, `docs-org: could not read the preview ${missing}: ${end}`]);
  expect(await said("review", below)).toEqual([1, `docs-org: could not read the preview ${below}: ${end}`]);
  expect(await said("verify", "--plan", missing)).toEqual([2, `docs-org: could not read the plan ${missing}: ${end}`]);
  expect(await said("review", folder)).toEqual([
    1,
    `docs-org: could not read the preview ${folder}: it is a folder, not a file\n`,
  ]);
});

it("reports an unreadable file in one sentence", async () => {
  const closed = path.join(folder, "closed.json");
  await writeFile(closed, "{}");
  await chmod(closed, 0o000);
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

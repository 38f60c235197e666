import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";

it("can be installed from its unpacked folder, where npm runs prepare and no compiler is", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "docs-org-packed-"));
  try {
    copyFileSync(path.join(__dirname, "..", "package.json"), path.join(folder, "package.json"));
    const { status, stderr } = spawnSync("npm", ["run", "prepare"], { cwd: folder, encoding: "utf8", shell: true });
    expect(status, stderr).toBe(0);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { versionsInFolder } from "../../provider/deployment/versions";
import { freshFolder } from "../support/docs-org";

it("reads no history with versions that it cannot read, instead of one with a gap", () => {
  const folder = freshFolder();
  // A backend in a folder keeps attributes beside each file.
  for (const name of ["main-1.history.json.attrs", "main-2.history.json.gz.attrs"])
    writeFileSync(path.join(folder, name), "");
  expect(versionsInFolder(folder)).toEqual([]);
  const record = JSON.stringify({ kind: "update", startTime: 1, endTime: 2, result: "succeeded" });
  writeFileSync(path.join(folder, "main-1.history.json"), record);
  expect(versionsInFolder(folder)).toHaveLength(1);
  expect(versionsInFolder(path.join(folder, "missing"))).toEqual([]);
  expect(versionsInFolder(folder)[0]?.read()).toBeUndefined();
  const state = path.join(folder, "main-1.checkpoint.json");
  writeFileSync(state, '{"version":3,"checkpoint":{"latest":');
  expect(() => versionsInFolder(folder)[0]?.read()).toThrow(/could not read .*main-1\.checkpoint\.json/);
  rmSync(state);
  // A folder cannot be read as a file, like a file without permission, which root may read.
  mkdirSync(state);
  expect(() => versionsInFolder(folder)[0]?.read()).toThrow(/could not read .*main-1\.checkpoint\.json/);
  writeFileSync(path.join(folder, "main-2.history.json"), record.slice(0, 30));
  expect(() => versionsInFolder(folder)).toThrow(/could not read .*main-2\.history\.json/);
  rmSync(path.join(folder, "main-2.history.json"));
  writeFileSync(path.join(folder, "test-1.history.json"), record);
  expect(() => versionsInFolder(folder)).toThrow(/several stacks \(.*main.*test/);
  writeFileSync(path.join(folder, "main-1.history.json.zst"), "");
  expect(() => versionsInFolder(folder)).toThrow(/main-1\.history\.json\.zst .* decompress/);
});

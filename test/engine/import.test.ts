import { expect, it } from "vitest";
import * as definitions from "../../provider/definitions";
import * as resources from "../../provider/hosts/dynamic/classes";
import { componentEntry, latest, programOfEverything, rows, seedOfVersion } from "../states/everything";
import { takeOverStack, writeImportFile } from "../states/script";
import { engineBench } from "./bench";

const bench = engineBench(async () => ({ seed: await seedOfVersion(latest) }));
const { stackOf, done, takeWrites } = bench;

it("has a test for every resource that a program can declare", () => {
  const covered = [...new Set(rows.map(({ resource }) => resource))].sort();
  expect(covered).toEqual(Object.keys(resources).sort());
  expect(covered).toEqual(Object.keys(definitions).sort());
});

it("imports every resource with the file of docs.importFile(), and the next preview shows no change", async () => {
  const stack = await stackOf(programOfEverything);
  const file = await writeImportFile(stack);
  expect(JSON.stringify(file)).not.toContain(bench.emulator.token);
  const [above, ...entries] = file.resources;
  expect(above).toMatchObject({ type: componentEntry.component, component: true });
  const declared = entries.map((entry) => {
    const { __provider, ...others } = "id" in entry ? entry.inputs : {};
    return others;
  });
  expect(declared).toEqual(rows.map(({ declares }) => declares));

  done(await takeOverStack(stack));
  const taken = (await stack.resources()).filter(({ id }) => id !== undefined);
  expect(taken).toHaveLength(rows.length);
  expect(taken.filter(({ protect }) => protect)).toEqual([]);
  done(await stack.up("--refresh", "--expect-no-changes"));
  expect(takeWrites()).toEqual([]);
});

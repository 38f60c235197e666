import { existsSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { plantedFaults } from "./planted";

it("has only faults that can still be planted, each with a test", () => {
  const faults = plantedFaults();
  const textsOf = new Map(faults.map(({ file }) => [file, readFileSync(file, "utf8")]));
  const isOutdated = ({ file, thought, test, before, after }: (typeof faults)[number]) =>
    thought === "" || before === after || textsOf.get(file)?.split(before).length !== 2 || !existsSync(test);
  expect(faults.filter(isOutdated)).toEqual([]);
  expect(faults.length).toBeGreaterThan(60);
});

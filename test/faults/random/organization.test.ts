import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Emulator, startEmulator } from "../../../provider/emulator";
import type { OrganizationFile } from "../../../provider/organization/file/types";
import { shortenPauses } from "../../support/fast-timers";
import { holds } from "../cases";
import { Attempt } from "./attempt";
import { differing, expectedAfter, linesOfAccess, type Managed, nothingManaged } from "./expected";
import { arbitraryChanges, declarationFor, make, seeds } from "./organizations";

shortenPauses(20);

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator();
});
afterAll(() => emulator.close());

const cases = seeds.chain((one) =>
  fc.record({
    seed: fc.constant(one),
    first: declarationFor(one, "acme"),
    outside: arbitraryChanges,
    second: declarationFor(one, "acme"),
  }),
);

let [ups, drifted, refused] = [0, 0, 0];

async function isRefused(attempt: Attempt, file: OrganizationFile): Promise<boolean> {
  const refusal = await attempt.refusal(attempt.textOf(file));
  if (refusal !== undefined) refused++;
  return refusal !== undefined;
}

/** Runs the up of a file; what is live afterwards is what an independent model expects. */
async function bringAbout(attempt: Attempt, file: OrganizationFile, managed: Managed): Promise<Managed | undefined> {
  const expected = expectedAfter(file, attempt.organization, attempt.access(), managed);
  if (await isRefused(attempt, file)) return undefined;
  await attempt.stack.up();
  ups++;
  expect(linesOfAccess(attempt.access())).toEqual(linesOfAccess(expected.access));
  expect(differing(file, attempt.organization, attempt.stack)).toEqual([]);
  expect(await attempt.stack.preview()).toEqual([]);
  return expected.managed;
}

it("equals its declaration after up, and again after changes outside Pulumi, which a preview shows", async () => {
  const counts = () => `, ${ups} ups, ${drifted} changed outside Pulumi, ${refused} refused`;
  await holds(
    { title: "random organizations", cases: { dynamic: 80, plugin: 16 }, lanes: 4, counts },
    fc.asyncProperty(cases, async ({ seed, first, outside, second }) => {
      const attempt = await Attempt.start(emulator, seed);
      try {
        const managed = await bringAbout(attempt, first, nothingManaged);
        if (!managed) return;
        for (const one of outside) make(one, attempt.organization);
        const others = attempt.others();
        const changed = differing(first, attempt.organization, attempt.stack);
        if (changed.length > 0) drifted++;
        if (await isRefused(attempt, first)) return;
        expect((await attempt.stack.preview()).sort()).toEqual(changed);
        const again = await bringAbout(attempt, first, managed);
        expect(attempt.others()).toEqual(others);
        if (again) await bringAbout(attempt, second, again);
      } finally {
        await attempt.stop();
      }
    }),
  );
});

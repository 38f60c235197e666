import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import * as definitions from "../../../provider/definitions";
import { type Emulator, startEmulator } from "../../../provider/emulator";
import type { ResourceName } from "../../../provider/resources/names";
import type { Properties } from "../../../provider/run/properties";
import { shortenPauses } from "../../support/fast-timers";
import { holds } from "../cases";
import { faultProgram } from "../programs";
import { Service } from "../service";
import { CommandFailed, FaultStack } from "../stack";

/** States that were edited by hand, or that belong to something else: a clear error, or a correct continuation. */

shortenPauses(20);

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator();
});
afterAll(() => emulator.close());

const names = Object.keys(definitions) as ResourceName[];

/** Values of any type, and ids of somebody else. */
const value = fc.oneof(
  fc.constantFrom<unknown>(null, true, 0, -1, "", "x", [], {}, [[]], { __proto__: null, a: { b: [] } }, "__proto__"),
  fc.constantFrom("user_ada", "site_handbook", "team_support", "../../x", "x?y=#z", "a\nb", "[secret]"),
  fc.string({ unit: "binary", maxLength: 6 }),
);

/** States that say themselves that this run must not touch them. */
const foreign: Readonly<Record<string, Properties>> = {
  "another organization": { organizationId: "other" },
  "a newer version": { __version: 99 },
  "a version that never was": { __version: "one" },
  "a version below all": { __version: 0 },
  "another service": { __origin: "https://docs.example.test" },
};

const cases = fc.record({
  resource: fc.constantFrom(...names),
  command: fc.constantFrom("refresh", "up", "destroy"),
  edit: fc.oneof(
    fc.record({ foreign: fc.constantFrom(...Object.keys(foreign)) }),
    fc.record({ which: fc.nat(), value, remove: fc.boolean(), inside: fc.boolean() }),
  ),
});
type Case = typeof cases extends fc.Arbitrary<infer One> ? One : never;

function edited(properties: Properties, edit: Case["edit"]): Properties {
  if ("foreign" in edit) return { ...properties, ...foreign[edit.foreign] };
  const keys = Object.keys(properties).sort();
  const name = keys[edit.which % keys.length] as string;
  const { [name]: before, ...others } = properties;
  if (edit.remove) return others;
  const isObject = typeof before === "object" && before !== null && !Array.isArray(before);
  if (!edit.inside || !isObject) return { ...others, [name]: edit.value };
  const [inner = "x"] = Object.keys(before);
  return { ...others, [name]: { ...before, [inner]: edit.value } };
}

const faulty = /TypeError|RangeError|Cannot read|is not a function|is not iterable|\[object Object\]|undefined/;

it("are refused clearly, or continued without a guess", async () => {
  let [refused, went] = [0, 0];
  const counts = () => `, ${refused} refused, ${went} went on`;
  await holds(
    { title: "states edited by hand", cases: { dynamic: 200, plugin: 40 }, lanes: 8, counts },
    fc.asyncProperty(cases, async ({ resource, command, edit }) => {
      const [service, other] = [await Service.start(emulator), await Service.start(emulator)];
      try {
        const { existing, declared } = faultProgram(resource, "update");
        const stack = new FaultStack(() => service.options(20), declared);
        await stack.record(existing);
        for (const [name, recorded] of stack.recorded)
          stack.recorded.set(name, { ...recorded, properties: edited(recorded.properties, edit) });
        service.lying.forget();
        const before = [service.access(), service.live(), other.live()];
        const work = { refresh: () => stack.refresh(), up: () => stack.up(), destroy: () => stack.destroy() }[command];
        const failure: unknown = await work?.().catch((error: unknown) => error);
        expect(other.live()).toEqual(before[2]);
        if ("foreign" in edit) {
          expect(failure).toBeInstanceOf(CommandFailed);
          expect(service.lying.writes()).toEqual([]);
        }
        if (failure === undefined) {
          went++;
          // What this run calls done stays done: the next preview has nothing more.
          if (command === "up") expect(await stack.preview()).toEqual([]);
          return;
        }
        refused++;
        expect(failure).toBeInstanceOf(CommandFailed);
        expect((failure as CommandFailed).message).not.toMatch(faulty);
        expect((failure as CommandFailed).message).not.toMatch(/[^\P{Cc}\n]/u);
      } finally {
        await service.stop();
        await other.stop();
      }
    }),
  );
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as definitions from "../../provider/definitions";
import { type Emulator, startEmulator } from "../../provider/emulator";
import * as resources from "../../provider/hosts/dynamic/classes";
import { type Outcome, Stack } from "../../scripts/stack";
import { component, latest, program, rows, seedOf } from "../states/everything";
import { takeOver, writeImportFile } from "../states/script";

describe("pulumi import --file", () => {
  let emulator: Emulator;
  let stack: Stack;
  beforeAll(async () => {
    emulator = await startEmulator({ seed: await seedOf(latest) });
    stack = await Stack.create(program, {
      DOCS_BASE_URL: emulator.url,
      DOCS_TOKEN: emulator.token,
      DOCS_ORGANIZATION_ID: emulator.organizationId,
      // What a program of a table says is checked by the resources themselves.
      PULUMI_NODEJS_TRANSPILE_ONLY: "true",
    });
  });
  afterAll(async () => {
    await stack.remove();
    await emulator.close();
  });

  const written = () => emulator.log.filter(({ method }) => method !== "GET");
  const done = ({ status, output }: Outcome) => {
    if (status !== 0) throw new Error(output);
    expect(output).not.toContain(emulator.token);
    return output;
  };

  it("has a test for every resource that a program can declare", () => {
    const covered = [...new Set(rows.map(({ resource }) => resource))].sort();
    expect(covered).toEqual(Object.keys(resources).sort());
    expect(covered).toEqual(Object.keys(definitions).sort());
  });

  it("imports every resource with the file of docs.importFile(), and the next preview shows no change", async () => {
    const file = await writeImportFile(stack);
    expect(JSON.stringify(file)).not.toContain(emulator.token);
    const [above, ...entries] = file.resources;
    expect(above).toMatchObject({ type: component.component, component: true });
    const declared = entries.map((entry) => {
      const { __provider, ...others } = "id" in entry ? entry.inputs : {};
      return others;
    });
    expect(declared).toEqual(rows.map(({ declares }) => declares));

    done(await takeOver(stack));
    const taken = (await stack.resources()).filter(({ id }) => id !== undefined);
    expect(taken).toHaveLength(rows.length);
    expect(taken.filter(({ protect }) => protect)).toEqual([]);
    done(await stack.preview("--refresh", "--expect-no-changes"));
    done(await stack.up("--refresh"));
    expect(written()).toEqual([]);
  });
});

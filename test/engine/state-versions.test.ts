import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import * as definitions from "../../provider/definitions";
import { type Emulator, startEmulator } from "../../provider/emulator";
import { type Outcome, type ResourceState, Stack } from "../../scripts/stack";
import { latest, seedOf, versions } from "../states/everything";
import { stateOf } from "../states/exported";
import { kindOf, resourcesIn, writtenBy } from "../states/written-by";

let running: { readonly emulator: Emulator; readonly stack: Stack } | undefined;

async function start(version: string) {
  const emulator = await startEmulator({ seed: await seedOf(version) });
  const state = await stateOf(version, emulator);
  emulator.resetRequests();
  const stack = await Stack.create(writtenBy(state), {
    DOCS_BASE_URL: emulator.url,
    DOCS_TOKEN: emulator.token,
    DOCS_ORGANIZATION_ID: emulator.organizationId,
    // What a program of a table says is checked by the resources themselves.
    PULUMI_NODEJS_TRANSPILE_ONLY: "true",
  });
  running = { emulator, stack };
  return { emulator, stack, state };
}

async function stop(): Promise<void> {
  await running?.stack.remove();
  await running?.emulator.close();
  running = undefined;
}

function done({ status, output }: Outcome): string {
  if (status !== 0) throw new Error(output);
  return output;
}

afterEach(stop);

describe("the state of every version", () => {
  it.each(versions)("is previewed and refreshed without a change, and destroyed: %s", async (version) => {
    const { stack, emulator, state } = await start(version);
    if (version === latest) {
      const kinds = new Set(resourcesIn(state).flatMap((one) => kindOf(one) ?? []));
      expect([...kinds].sort()).toEqual(Object.keys(definitions).sort());
    }
    const file = path.join(stack.folder, "state.json");
    await writeFile(file, state);
    done(await stack.run("stack", "import", "--file", file));

    done(await stack.preview("--refresh", "--expect-no-changes"));
    done(await stack.refresh("--expect-no-changes"));
    const ids = (resources: readonly ResourceState[]) =>
      resources.flatMap(({ urn, id }) => (id ? [`${urn} ${id}`] : []));
    expect(ids(await stack.resources()).sort()).toEqual(ids(resourcesIn(state).filter(kindOf)).sort());
    expect(emulator.log.filter(({ method }) => method !== "GET")).toEqual([]);

    done(await stack.destroy());
    expect(await stack.resources()).toEqual([]);
    const [{ sites, translations, saml } = { sites: [], translations: [], saml: [] }] =
      emulator.state.organizations.values();
    expect([...sites, ...translations, ...saml]).toEqual([]);
  });
});

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Emulator } from "../../provider/emulator";
import { importFile } from "../../provider/hosts/dynamic/import-file";
import type { ResourceState } from "../../scripts/stack";
import { settingsOf } from "../support/settings";
import { componentEntry, existing, folder, latest } from "./everything";

/** What stands in the file of a released state for the address of the emulator, which is another one each time. */
const address = "http://emulator.test";

export interface SavedResource extends ResourceState {
  readonly parent?: string;
}

const urnPrefix = "urn:pulumi:test::docs-org-test::";
const stack = {
  urn: `${urnPrefix}pulumi:pulumi:Stack::docs-org-test-test`,
  custom: false,
  type: "pulumi:pulumi:Stack",
};
const componentType = componentEntry.component;
const above = {
  urn: `${urnPrefix}${componentType}::${componentEntry.name}`,
  custom: false,
  type: componentType,
  parent: stack.urn,
};
const provider = {
  urn: `${urnPrefix}pulumi:providers:pulumi-nodejs::default`,
  custom: true,
  id: "00000000-0000-4000-8000-000000000000",
  type: "pulumi:providers:pulumi-nodejs",
};

/** What `pulumi stack export` prints after an import of everything that the emulator holds. */
async function importedState(emulator: Emulator): Promise<string> {
  const environment = { ...process.env };
  Object.assign(process.env, settingsOf(emulator));
  const { resources: imported } = await importFile(existing).finally(() => {
    process.env = environment;
  });
  const resources = imported.flatMap((one): SavedResource[] => {
    if (!("id" in one)) return [];
    const { type, name, id, inputs, outputs, parent } = one;
    const isInComponent = parent !== undefined;
    const urn = `${urnPrefix}${isInComponent ? `${componentType}$` : ""}${type}::${name}`;
    const parentUrn = isInComponent ? above.urn : stack.urn;
    const managed = { parent: parentUrn, provider: `${provider.urn}::${provider.id}` };
    return [{ urn, custom: true, id, type, inputs, outputs, ...managed } as SavedResource];
  });
  const manifest = { time: "2026-01-01T00:00:00Z", magic: "", version: "" };
  return JSON.stringify({ version: 3, deployment: { manifest, resources: [stack, above, provider, ...resources] } });
}

/** The state of a version for an emulator that holds what it is about: as it was released, or as this version writes it. */
export async function stateOf(version: string, emulator: Emulator): Promise<string> {
  const file = path.join(folder, `${version}.json`);
  return existsSync(file) ? (await readFile(file, "utf8")).replaceAll(address, emulator.url) : importedState(emulator);
}

/** The text of the file for the state of this version, which a release adds. */
export async function fileOfState(emulator: Emulator): Promise<string> {
  const state = JSON.parse(await stateOf(latest, emulator));
  return `${JSON.stringify(state, null, 2)}\n`.replaceAll(emulator.url, address);
}

import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { parse } from "yaml";

export const passphrase = "a passphrase for tests";
/** The engine made it for this passphrase, and accepts no other salt. Making one takes as long as starting the engine. */
const salt = "v1:Qp4NYLWlANw=:v1:Ve/9wZ61bWrjckuS:UJZZ7VBBTaJR23h1X28+J/EEO4xcRQ==";

/** How the engine gets the key of a stack's secrets: what is written into the settings of the stack, and into its state. */
interface SecretsProvider {
  readonly settings: string;
  readonly state: { readonly type: string; readonly state: unknown };
}

const byPassphrase: SecretsProvider = {
  settings: `encryptionsalt: ${salt}\n`,
  state: { type: "passphrase", state: { salt } },
};

/** Engine tests name a key of a key service, which is faster than a passphrase (test/support/engine-node). */
function secretsProvider({ ENGINE_NODE_KEY }: NodeJS.ProcessEnv): SecretsProvider {
  if (!ENGINE_NODE_KEY) return byPassphrase;
  const key = JSON.parse(ENGINE_NODE_KEY) as { url: string; encryptedkey: string };
  return {
    settings: `secretsprovider: ${key.url}\nencryptedkey: ${key.encryptedkey}\n`,
    state: { type: "cloud", state: key },
  };
}

/** As `pulumi stack init` of CLI 3.259 writes it; the engine compares `magic` with `version`. */
const latestOf = ({ state }: SecretsProvider) => ({
  manifest: {
    time: "2026-11-23T02:47:22.069413588Z",
    magic: "ab35920a3077459b09dd1a3f7ddc28df4e3efc81b3240013bb6906688abc684d",
    version: "v3.259.0",
  },
  secrets_providers: state,
  metadata: {},
});

/** Folders of a stack's program, state, and what belongs to the user. */
export interface Places {
  readonly program: string;
  readonly state: string;
  readonly home: string;
}

async function projectOf(program: string): Promise<string> {
  const { name } = parse(await readFile(path.join(program, "Pulumi.yaml"), "utf8")) as { name: string };
  return name;
}

/** File of the stack `test` in a state folder. */
export async function stateFileOf({ program, state }: Places): Promise<string> {
  return path.join(state, ".pulumi", "stacks", await projectOf(program), "test.json");
}

/** Writes what `pulumi stack init test` writes, in no time: nearly every test begins with a stack. */
export async function writeEmptyStack(places: Places): Promise<void> {
  const { program, state } = places;
  const stack = `organization/${await projectOf(program)}/test`;
  const secrets = secretsProvider(process.env);
  const latest = latestOf(secrets);
  await writeInto(path.join(program, "Pulumi.test.yaml"), secrets.settings);
  await writeInto(path.join(state, ".pulumi", "meta.yaml"), "version: 1\n");
  await writeInto(await stateFileOf(places), JSON.stringify({ version: 3, checkpoint: { stack, latest } }));
  await writeInto(await selectionOf(places), JSON.stringify({ stacks: { [`file://${state}`]: stack } }));
}

/** The file in which the engine notes the selected stack of a project. */
async function selectionOf({ program, home }: Places): Promise<string> {
  const hash = createHash("sha1").update(path.join(program, "Pulumi.yaml")).digest("hex");
  return path.join(home, "workspaces", `${await projectOf(program)}-${hash}-workspace.json`);
}

async function writeInto(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
}

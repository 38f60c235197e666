import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { stringify } from "yaml";
import { DocsError } from "../api/http/errors";
import { editEntries } from "../organization/file/edit-entries";
import { organizationYaml, readBackend, readPositions } from "../organization/file/loader";
import { parseYaml } from "../organization/file/yaml-text";
import { attempt, replaceFile } from "../run/files";
import { withoutPassword } from "../text/masking";

/** Where the engine keeps the state of stacks. */

/** The folder of the project, beside the file of the organization. */
export const projectFolder = ".docs-org";

/** The folder of a local state, relative to that of the organization's file. */
export const stateFolder = `${projectFolder}/state`;

/** The file in a local state that says where the state was moved to. */
const movedFile = "MOVED";

/** The backend of a project without a login, as seen from its folder. */
const localState = "file://./state";

/** Whether the backend is the local one, also if the folder was moved or copied since. */
export const isLocalState = (url: unknown): boolean =>
  url === localState || (typeof url === "string" && /^file:\/\/\/.*\/\.docs-org\/state$/.test(url));

/** The engine resolves a relative address without escaping the path of the current folder, so a `#` would end it (seen in 3.259). */
export const urlOfState = (folder: string): string => (needsEscape(folder) ? pathToFileURL(folder).href : localState);

const needsEscape = (path: string): boolean => /[#%?\p{Cc}]/u.test(path);

/** The address of a backend, the same for all ways to write it. A relative path begins in the folder. */
export function backendAt(url: string, folder: string): string {
  const bare = withoutPassword(url).replace(/(?<!\/)\/+$/, "");
  const path = /^file:\/\/([^~?]+)$/.exec(bare)?.[1];
  if (path === undefined) return bare;
  const whole = resolve(folder, decodePath(path));
  return needsEscape(whole) ? pathToFileURL(whole).href : `file://${whole}`;
}

export const backendOf = ({
  backend,
  root,
}: {
  readonly backend?: string | undefined;
  readonly root: string;
}): string => backend ?? join(root, stateFolder);

/** The folder in which a backend keeps its state; none for a service, a bucket or a database. */
export function folderOf(backend: string): string | undefined {
  if (backend.startsWith("file:///")) return fileURLToPath(backend);
  return /^[a-z0-9]+:/.test(backend) ? undefined : backend;
}

/** A path with a `#` is not escaped: an escaped one would have `%23`. */
function decodePath(path: string): string {
  try {
    return path.includes("#") ? path : decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Whether the user has chosen where stacks are kept: by a variable, or by `pulumi login`. */
export const isBackendChosen = (environment: NodeJS.ProcessEnv): boolean => chosenBackend(environment) !== undefined;

/** The backend that the environment chooses, as seen from the folder of the project. */
export function chosenBackend(environment: NodeJS.ProcessEnv): string | undefined {
  const { PULUMI_BACKEND_URL, PULUMI_ACCESS_TOKEN } = environment;
  const ofToken = PULUMI_ACCESS_TOKEN ? "https://api.pulumi.com" : undefined;
  return PULUMI_BACKEND_URL || currentLogin(environment) || ofToken;
}

/** The backend of the last `pulumi login`, which the CLI notes in its folder (seen in 3.259). */
function currentLogin(environment: NodeJS.ProcessEnv): string | undefined {
  const folder =
    environment.PULUMI_CREDENTIALS_PATH || environment.PULUMI_HOME || join(environment.HOME ?? homedir(), ".pulumi");
  try {
    return (JSON.parse(readFileSync(join(folder, "credentials.json"), "utf8")) as { current?: string }).current;
  } catch {
    // Without a readable file, nobody has logged in; the CLI itself reports a damaged one.
    return undefined;
  }
}

export function declaredBackend(root: string): string | undefined {
  const file = join(root, organizationYaml);
  const url = existsSync(file) ? readBackend(file) : undefined;
  return url === undefined ? undefined : backendAt(url, root);
}

/** Where the local state was moved to. */
export function movedTo(root: string): string | undefined {
  const file = join(root, stateFolder, movedFile);
  return existsSync(file) ? readFileSync(file, "utf8").trim() : undefined;
}

export function markMoved(root: string, backend: string): void {
  const file = join(root, stateFolder, movedFile);
  attempt(file, () => writeFileSync(file, `${backend}\n`));
}

/** Names the backend in the file of the organization, and leaves everything else as it is. */
export function writeBackend(root: string, url: string): void {
  replaceFile(join(root, organizationYaml), textWithBackend(root, url));
}

/** The text of the file with the backend. Throws if the file cannot get the line. */
export function textWithBackend(root: string, url: string): string {
  const { source, inside } = readPositions(join(root, organizationYaml));
  const written = stringify(url).trim();
  const backend = inside?.get("backend");
  const change = backend ? { value: written } : { next: [`backend: ${written}`] };
  const offset = (backend ?? inside?.get("organization"))?.key ?? 0;
  const [text = ""] = editEntries([{ source, offset, ...change }]).values();
  const { document, mistakes } = parseYaml({ text });
  if (mistakes.length === 0 && document.get("backend") === url && document.has("organization")) return text;
  throw new DocsError(`could not change ${organizationYaml}; write "backend: ${written}" into it`);
}

/** The stacks of the local state as PROJECT/STACK. A file for several organizations has a project of each. */
export const localStacks = (root: string): string[] => stacksIn(join(root, stateFolder));

export function stacksIn(folder: string): string[] {
  const stacks = join(folder, ".pulumi", "stacks");
  if (!existsSync(stacks)) return [];
  const files = readdirSync(stacks, { recursive: true, encoding: "utf8" });
  return files.flatMap((file) => /^(.+)\.json(?:\.gz)?$/.exec(file)?.[1] ?? []).sort();
}

/** Refuses a run with another state than the one that the file or the folder has. `namesLocal`: the project names the local one. */
export function refuseOtherBackend(root: string, environment: NodeJS.ProcessEnv, namesLocal: boolean): void {
  const declared = declaredBackend(root);
  const { PULUMI_BACKEND_URL: url } = environment;
  const variable = url ? backendAt(url, join(root, projectFolder)) : undefined;
  if (declared !== undefined && variable !== undefined && declared !== variable)
    throw new DocsError(
      `${organizationYaml} says that the state is kept in ${declared} (backend), and PULUMI_BACKEND_URL names ${variable}; unset the variable, or move the state with docs-org state move ${variable}`,
    );
  const named = variable ?? declared;
  const moved = movedTo(root);
  if (moved !== undefined && named === undefined && namesLocal)
    throw new DocsError(
      `the state in ${stateFolder} is old: it was moved to ${moved}; add backend: ${moved} to ${organizationYaml}, as docs-org state move ${moved} does`,
    );
  const local = backendAt(`file://${join(root, stateFolder)}`, root);
  if (moved === undefined && named !== undefined && named !== local && localStacks(root).length > 0) {
    const source = variable === undefined ? `${organizationYaml} (backend)` : "PULUMI_BACKEND_URL";
    throw new DocsError(
      `this folder has the state of stacks in ${stateFolder}, and ${source} names ${named}; move it with docs-org state move ${named}, or remove ${stateFolder} if its stacks are not needed`,
    );
  }
}

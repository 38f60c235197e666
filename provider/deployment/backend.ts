import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { stringify } from "yaml";
import { DocsError } from "../api/http/errors";
import { editEntries } from "../organization/file/edit-entries";
import { organizationYaml, readBackend, readPositions } from "../organization/file/loader";
import { parseYaml } from "../organization/file/yaml-text";
import { attemptToWrite, replaceFile } from "../run/files";
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
  const address = withoutPassword(url).replace(/(?<!\/)\/+$/, "");
  const path = /^file:\/\/([^~?]+)$/.exec(address)?.[1];
  if (path === undefined) return address;
  const absolutePath = resolve(folder, decodePath(path));
  return needsEscape(absolutePath) ? pathToFileURL(absolutePath).href : `file://${absolutePath}`;
}

/** A path with a `#` is not escaped: an escaped one would have `%23`. */
function decodePath(path: string): string {
  try {
    return path.includes("#") ? path : decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** The backend that the user has chosen by a variable or by `pulumi login`, as seen from the folder of the project. */
export function chosenBackend(environment: NodeJS.ProcessEnv): string | undefined {
  const { PULUMI_BACKEND_URL, PULUMI_ACCESS_TOKEN } = environment;
  const backendOfToken = PULUMI_ACCESS_TOKEN ? "https://api.pulumi.com" : undefined;
  return PULUMI_BACKEND_URL || currentLogin(environment) || backendOfToken;
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
  attemptToWrite(file, () => writeFileSync(file, `${backend}\n`));
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
  const changedEntry = backend ?? inside?.get("organization");
  const [text = ""] = editEntries([{ source, offset: changedEntry?.key ?? 0, ...change }]).values();
  const { document, mistakes } = parseYaml({ text });
  const isWhole = mistakes.length === 0 && document.has("organization");
  if (isWhole && document.get("backend") === url) return text;
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

/** Refuses a run with another state than that of the file or the folder. `namesLocal`: the project names the local backend. */
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

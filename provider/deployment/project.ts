import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { parse, stringify } from "yaml";
import { DocsError } from "../api/http/errors";
import { organizationYaml, readOrganizationId } from "../organization/file/loader";
import { organizationVariable } from "../organization/file/reader";
import { attemptToWrite, replaceFile, whyNotRead } from "../run/files";
import { packagePart } from "../run/package";
import { shownWithLength } from "../text/mistakes";
import { commandFor } from "../text/stack-commands";
import {
  backendAt,
  chosenBackend,
  declaredBackend,
  isLocalState,
  projectFolder,
  refuseOtherBackend,
  stateFolder,
  urlOfState,
} from "./backend";

/** The project that the commands keep for an organization's file. `pulumi` commands work in its folder. */
export interface Project {
  /** The folder with the file of the organization. */
  readonly root: string;
  readonly folder: string;
  /** The name of the project, and of the organization in its program. */
  readonly name: string;
  readonly organizationId: string;
  /** The backend that the user has chosen; none for the local one. */
  readonly backend: string | undefined;
}

export const backendOf = ({ backend, root }: Project): string => backend ?? join(root, stateFolder);

/** The folder in which the backend of a project keeps its state; none for a service, a bucket or a database. */
export function folderOfState(project: Project): string | undefined {
  const backend = backendOf(project);
  if (backend.startsWith("file:///")) return fileURLToPath(backend);
  return /^[a-z0-9]+:/.test(backend) ? undefined : backend;
}

interface ProjectOptions {
  /** The organization; by default that of the file. */
  readonly organizationId?: string | undefined;
  /** Opens the project with the local state, which is to be moved. */
  readonly isMoving?: boolean;
  /** Opens another project of the local state. */
  readonly name?: string;
  /** A stack that must exist, so that nothing is made without it. */
  readonly wanted?: string | undefined;
}

export const missingStack = (name: string): DocsError =>
  new DocsError(
    `there is no stack ${name} in this backend; check its name, or make it with ${commandFor("take-over", name)}, which imports what exists`,
  );

/** Opens the project of a folder, or makes it: a project like any other, so that `pulumi` commands work on its stacks. */
export function openProject(
  root: string,
  environment: NodeJS.ProcessEnv,
  { organizationId, isMoving = false, name: chosenName, wanted }: ProjectOptions = {},
): Project {
  refuseProgram(root);
  const declared = organizationId === undefined ? declaredOrganization(root, environment) : { id: organizationId };
  const { id, isForSeveral = false } = declared;
  refuseName(id);
  const folder = join(root, projectFolder);
  const before = settingsIn(folder);
  const { isLocal, url } = chooseBackend(root, environment, before, isMoving);
  const nameBefore = isForSeveral ? undefined : before?.name;
  const name = chosenName ?? nameBefore ?? id;
  const state = join(root, stateFolder);
  if (wanted !== undefined && isLocal && !existsSync(state)) throw missingStack(wanted);
  attemptToWrite(folder, () => mkdirSync(state, { recursive: true }));
  attemptToWrite(state, () => removeBrokenDescriptions(state));
  const backend = url === undefined ? {} : { backend: { ...before?.backend, url } };
  const settings = { ...before, name, runtime: "nodejs", main: "index.js", ...backend };
  writeIfChanged(join(folder, "Pulumi.yaml"), stringify({ ...settings, plugins: pluginsOf(before, folder) }));
  writeIfChanged(join(folder, "index.js"), programOf(name, folder));
  if (!existsSync(join(folder, ".gitignore"))) writeIfChanged(join(folder, ".gitignore"), "*\n");
  // The variable wins over the backend of the project.
  const chosenUrl = environment.PULUMI_BACKEND_URL || (isLocal ? undefined : (url ?? chosenBackend(environment)));
  const place = chosenUrl === undefined ? undefined : backendAt(String(chosenUrl), folder);
  return { root, folder, name, organizationId: id, backend: place };
}

/** The backend for the settings of the project. Without a `url`, the variable or the login chooses it in each run. */
function chooseBackend(root: string, environment: NodeJS.ProcessEnv, before: Settings | undefined, isMoving: boolean) {
  const declared = isMoving ? undefined : declaredBackend(root);
  const urlBefore = before?.backend?.url;
  const isChosen = chosenBackend(environment) !== undefined;
  // A project that is made without a login names its backend itself.
  const namesBackend = before ? before.backend !== undefined : !isChosen;
  const namesLocal = namesBackend && (urlBefore === undefined || isLocalState(urlBefore));
  if (!isMoving) refuseOtherBackend(root, environment, namesLocal);
  if (!namesBackend && !isChosen && declared === undefined)
    throw new DocsError(
      `the stacks of this folder are kept in the backend that pulumi login or PULUMI_BACKEND_URL chose, and none is chosen now; choose it again, name it in ${organizationYaml} (backend), or remove ${projectFolder} to begin with a local one`,
    );
  const isLocal = namesLocal && declared === undefined;
  // The address follows the folder, which may have been moved.
  const url = declared ?? (isLocal ? urlOfState(join(root, stateFolder)) : urlBefore);
  return { isLocal, url };
}

/** What the user must know when a stack was made in the project: where its state is, and how other clones find it. */
export function noticeOfBackend({ root, backend }: Project): string | undefined {
  if (backend === undefined)
    return `no backend was chosen (pulumi login, PULUMI_BACKEND_URL), so the state is kept in ${stateFolder} on this machine only; docs-org state move URL moves it to a bucket, a database or a service`;
  // A folder of this machine is no place for other clones.
  if (declaredBackend(root) !== undefined || backend.startsWith("file:")) return undefined;
  return `the state is kept in ${backend}; add backend: ${backend} to ${organizationYaml}, so that every clone uses it`;
}

/** Whether the state is kept in the project, and otherwise the folder in which `pulumi` finds the backend, if one was chosen. */
export function placeOfState(root: string, environment: NodeJS.ProcessEnv): "local" | { chosenIn: string } | undefined {
  const settings = settingsIn(join(root, projectFolder));
  const isFileReadable = findOrganization(root) !== undefined;
  const url = (isFileReadable ? declaredBackend(root) : undefined) ?? settings?.backend?.url;
  if (!environment.PULUMI_BACKEND_URL && isLocalState(url)) return "local";
  if (url === undefined && chosenBackend(environment) === undefined) return undefined;
  return { chosenIn: settings ? join(root, projectFolder) : root };
}

interface Settings {
  readonly name?: string;
  readonly backend?: { readonly url?: unknown };
  readonly plugins?: { readonly providers?: readonly { readonly name?: string }[] };
}

const settingsName = `${projectFolder}/Pulumi.yaml`;

function settingsIn(folder: string): Settings | undefined {
  const file = join(folder, "Pulumi.yaml");
  const settings = existsSync(file) ? readSettings(file) : null;
  // A file without content has no settings yet.
  if (settings === null) return undefined;
  if (typeof settings === "object" && !Array.isArray(settings)) return settings as Settings;
  throw new DocsError(`could not read ${settingsName}: found no properties; correct it, or restore it from a backup`);
}

function readSettings(file: string): unknown {
  try {
    return parse(readFileSync(file, "utf8"));
  } catch (error) {
    const [reason = ""] = whyNotRead(error).split("\n", 1);
    throw new DocsError(`could not read ${settingsName}: ${reason}`, { cause: error });
  }
}

/** The settings of plugins, with the plugin of this package for our resources. */
function pluginsOf(before: Settings | undefined, folder: string) {
  const otherProviders = (before?.plugins?.providers ?? []).filter(({ name }) => name !== "docs");
  return { ...before?.plugins, providers: [...otherProviders, { name: "docs", path: pathFrom(folder, "plugin") }] };
}

/** The program for `pulumi` commands. It declares what the commands of this package declare. */
const programOf = (name: string, folder: string): string =>
  `// Made by docs-org, for pulumi commands in this folder.
const docs = require(${JSON.stringify(pathFrom(folder, "dist/plugin-program.js"))});

new docs.Organization(${JSON.stringify(name)}, { file: "../${organizationYaml}" });
`;

/** A part of this package, relative to the project, so that a moved or copied folder still finds it. */
function pathFrom(folder: string, part: string): string {
  return relative(folder, packagePart(part)).split(sep).join("/");
}

function refuseProgram(root: string): void {
  if (!existsSync(join(root, "Pulumi.yaml"))) return;
  throw new DocsError(
    "this folder has a program (Pulumi.yaml), which would manage the same organization; there, pulumi up makes all changes, beginnings and ends of grants included, and pulumi preview --json | docs-org review shows them; or remove the program",
  );
}

/** Whether the commands manage the folder: it has the file, and no program of its own. */
export const isManagedFolder = (root: string): boolean =>
  existsSync(join(root, organizationYaml)) && !existsSync(join(root, "Pulumi.yaml"));

interface Declared {
  readonly id: string;
  /** Whether the environment chooses the organization. */
  readonly isForSeveral?: boolean;
}

/** The organization of the file. The plugin reports the mistakes in the rest of the file. */
export function declaredOrganization(root: string, environment: NodeJS.ProcessEnv): Declared {
  const declared = readDeclared(root);
  const { DOCS_ORGANIZATION_ID: chosen } = environment;
  if (!chosen || chosen === declared.id) return declared;
  throw new DocsError(
    `${organizationYaml} names organization ${declared.id}, and DOCS_ORGANIZATION_ID names ${chosen}; correct one of them, or let the variable choose: organization: ${organizationVariable}`,
  );
}

function readDeclared(root: string): Declared {
  if (existsSync(join(root, organizationYaml))) return readOrganizationId(fileIn(root));
  const isShort = existsSync(join(root, "organization.yml"));
  const remedy = isShort
    ? "; rename organization.yml to it"
    : "; change to its folder, or write it for a live organization with docs-org take-over";
  throw new DocsError(`there is no ${organizationYaml} in ${root}${remedy}`);
}

/** The id of the organization in a folder's file; `undefined` without one, or if the file cannot be read. */
export function findOrganization(root: string): string | undefined {
  try {
    return readOrganizationId(fileIn(root)).id;
  } catch (error) {
    // The commands that need the file report its mistakes.
    if (error instanceof DocsError) return undefined;
    throw error;
  }
}

/** The file as messages name it: the commands run in its folder. */
const fileIn = (root: string): string => relative(process.cwd(), join(root, organizationYaml));

/** The project is called like the organization, and Pulumi accepts names of projects up to this length. */
const longestName = 100;

function refuseName(organization: string): void {
  if (/^[\w-][\w.-]*$/.test(organization) && organization.length <= longestName) return;
  throw new DocsError(
    `${organizationYaml}: organization: found ${shownWithLength(organization)}; use the id of the organization, at most ${longestName} characters`,
  );
}

/** Two commands may run at the same time, so an equal file stays untouched. */
function writeIfChanged(file: string, text: string): void {
  const isEqual = attemptToWrite(file, () => existsSync(file) && readFileSync(file, "utf8") === text);
  if (!isEqual) replaceFile(file, text);
}

/**
 * Removes half-written descriptions from a folder with the state of stacks. The engine keeps a description beside each file,
 * `main.json.attrs`, and writes it in place: killed at that moment, it leaves an empty one, and no command opens the stack
 * ("failed to load checkpoint: EOF", seen in 3.259). The state itself is whole, and the engine needs no description. Whole ones
 * stay, because another run may hold the stack.
 */
function removeBrokenDescriptions(folder: string): void {
  const places = ["stacks", "locks"].map((name) => join(folder, ".pulumi", name)).filter(existsSync);
  for (const place of places) {
    for (const name of readdirSync(place, { recursive: true, encoding: "utf8" })) {
      const file = join(place, name);
      if (name.endsWith(".attrs") && isBrokenJson(file)) rmSync(file, { force: true });
    }
  }
}

function isBrokenJson(file: string): boolean {
  try {
    JSON.parse(readFileSync(file, "utf8"));
    return false;
  } catch (error) {
    return error instanceof SyntaxError;
  }
}

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { parse, stringify } from "yaml";
import { DocsError } from "../api/http/errors";
import { organizationYaml, readOrganizationId } from "../organization/file/loader";
import { organizationVariable } from "../organization/file/reader";
import { attempt, replaceFile, whyNotRead } from "../run/files";
import { packagePart } from "../run/package";
import { shownWithLength } from "../text/mistakes";
import { commandFor } from "../text/stack-commands";
import {
  backendAt,
  chosenBackend,
  declaredBackend,
  isBackendChosen,
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
  const named = organizationId === undefined ? declaredOrganization(root, environment) : { id: organizationId };
  const { id: organization, isForSeveral = false } = named;
  refuseName(organization);
  const folder = join(root, projectFolder);
  const before = settingsIn(folder);
  const declared = isMoving ? undefined : declaredBackend(root);
  const isChosen = isBackendChosen(environment);
  // A project that is made without a login names its backend itself.
  const namesBackend = before ? before.backend !== undefined : !isChosen;
  const namesLocal = namesBackend && (before?.backend?.url === undefined || isLocalState(before.backend.url));
  if (!isMoving) refuseOtherBackend(root, environment, namesLocal);
  const isNowhere = !namesBackend && !isChosen && declared === undefined;
  if (before && isNowhere)
    throw new DocsError(
      `the stacks of this folder are kept in the backend that pulumi login or PULUMI_BACKEND_URL chose, and none is chosen now; choose it again, name it in ${organizationYaml} (backend), or remove ${projectFolder} to begin with a local one`,
    );
  const name = chosenName ?? (isForSeveral ? undefined : before?.name) ?? organization;
  const state = join(root, stateFolder);
  const isLocal = namesLocal && declared === undefined;
  // The address follows the folder, which may have been moved.
  const url = declared ?? (isLocal ? urlOfState(state) : before?.backend?.url);
  const backend = url === undefined ? {} : { backend: { ...before?.backend, url } };
  const settings = { ...before, name, runtime: "nodejs", main: "index.js", ...backend };
  if (wanted !== undefined && isLocal && !existsSync(state)) throw missingStack(wanted);
  attempt(folder, () => mkdirSync(state, { recursive: true }));
  attempt(state, () => removeBrokenDescriptions(state));
  write(join(folder, "Pulumi.yaml"), stringify({ ...settings, plugins: pluginsOf(before, folder) }));
  write(join(folder, "index.js"), programOf(name, folder));
  if (!existsSync(join(folder, ".gitignore"))) write(join(folder, ".gitignore"), "*\n");
  // The variable wins over the backend of the project.
  const chosenUrl = environment.PULUMI_BACKEND_URL || (isLocal ? undefined : (url ?? chosenBackend(environment)));
  const place = chosenUrl === undefined ? undefined : backendAt(String(chosenUrl), folder);
  return { root, folder, name, organizationId: organization, backend: place };
}

/** What the user must know of a stack that was made in the project. */
export function noticeOfBackend({ root, backend }: Project): string | undefined {
  if (backend === undefined)
    return `no backend was chosen (pulumi login, PULUMI_BACKEND_URL), so the state is kept in ${stateFolder} on this machine only; docs-org state move URL moves it to a bucket, a database or a service`;
  // A folder of this machine is no place for other clones.
  if (declaredBackend(root) !== undefined || backend.startsWith("file:")) return undefined;
  return `the state is kept in ${backend}; add backend: ${backend} to ${organizationYaml}, so that every clone uses it`;
}

/** Whether the state is kept in the project, and otherwise the folder in which `pulumi` finds the backend, if one was chosen. */
export function placeOfState(root: string, environment: NodeJS.ProcessEnv): "local" | { chosenIn: string } | undefined {
  const before = settingsIn(join(root, projectFolder));
  const isReadable = findOrganization(root) !== undefined;
  const url = (isReadable ? declaredBackend(root) : undefined) ?? before?.backend?.url;
  if (!environment.PULUMI_BACKEND_URL && isLocalState(url)) return "local";
  if (!isBackendChosen(environment) && url === undefined) return undefined;
  return { chosenIn: before ? join(root, projectFolder) : root };
}

interface Settings {
  readonly name?: string;
  readonly backend?: { readonly url?: unknown };
  readonly plugins?: { readonly providers?: readonly { readonly name?: string }[] };
}

function settingsIn(folder: string): Settings | undefined {
  const file = join(folder, "Pulumi.yaml");
  if (!existsSync(file)) return undefined;
  const name = `${projectFolder}/Pulumi.yaml`;
  const settings = readSettings(file, name);
  // A file without content has no settings yet.
  if (settings === null) return undefined;
  if (typeof settings === "object" && !Array.isArray(settings)) return settings as Settings;
  throw new DocsError(`could not read ${name}: found no properties; correct it, or restore it from a backup`);
}

function readSettings(file: string, name: string): unknown {
  try {
    return parse(readFileSync(file, "utf8"));
  } catch (error) {
    const [reason = ""] = whyNotRead(error).split("\n", 1);
    throw new DocsError(`could not read ${name}: ${reason}`, { cause: error });
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
  readonly isForSeveral?: boolean;
}

/** The organization of the file. The plugin reports the mistakes in the rest of the file. */
export function declaredOrganization(root: string, environment: NodeJS.ProcessEnv): Declared {
  const declared = organizationIn(root);
  const { DOCS_ORGANIZATION_ID: chosen } = environment;
  if (!chosen || chosen === declared.id) return declared;
  throw new DocsError(
    `${organizationYaml} names organization ${declared.id}, and DOCS_ORGANIZATION_ID names ${chosen}; correct one of them, or let the variable choose: organization: ${organizationVariable}`,
  );
}

function organizationIn(root: string): Declared {
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

/** Leaves an equal file untouched: two commands may run at the same time. */
function write(file: string, text: string): void {
  const isEqual = attempt(file, () => existsSync(file) && readFileSync(file, "utf8") === text);
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
    const files = readdirSync(place, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".attrs"));
    for (const file of files.map((name) => join(place, name))) if (isBroken(file)) rmSync(file, { force: true });
  }
}

function isBroken(file: string): boolean {
  try {
    JSON.parse(readFileSync(file, "utf8"));
    return false;
  } catch (error) {
    return error instanceof SyntaxError;
  }
}

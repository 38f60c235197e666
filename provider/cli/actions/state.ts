import { basename, dirname } from "node:path";
import { listNames } from "../../access/carry-out";
import { DocsError } from "../../api/http/errors";
import {
  backendAt,
  declaredBackend,
  localStacks,
  markMoved,
  movedTo,
  projectFolder,
  stateFolder,
  textWithBackend,
  writeBackend,
} from "../../deployment/backend";
import { declaredOrganization, openProject } from "../../deployment/project";
import { organizationYaml } from "../../organization/file/loader";
import { backendUrl } from "../../organization/sections/schema";
import { StatusError, tell } from "../output";
import { confirm, refuseWithoutTerminal } from "./ask";
import { engineOrInstall } from "./deployment";

/** Moves the state to another backend. Each step may run twice: the copy, the mark in the old place, and the line in the file. */
export async function moveState(url: string, options: { readonly yes?: true }): Promise<void> {
  refuseWithoutTerminal("state move", options);
  const { yes = false } = options;
  const { error } = backendUrl.safeParse(url);
  if (error) throw new StatusError(`URL: ${error.issues[0]?.message}`);
  const root = process.cwd();
  const backend = backendAt(url, root);
  const declared = declaredBackend(root);
  const moved = movedTo(root);
  // The mark names the place of the first move only: if the file names a third place, the state is there.
  const isCopied = moved === backend && [undefined, backend].includes(declared);
  const isLocal = localStacks(root).length > 0 && moved === undefined;
  const { PULUMI_BACKEND_URL: variable = "" } = process.env;
  const namesPlace = (place: string | undefined) => variable !== "" && backendAt(variable, projectFolder) === place;
  // Beside a file that names another place, the variable does not count. One that names the same place may have its password, which no file has.
  const oldVariable = isLocal || (declared !== undefined && !namesPlace(declared)) ? "" : variable;
  const newVariable = namesPlace(backend) ? variable : backend;
  const environment = { ...process.env, PULUMI_BACKEND_URL: oldVariable };
  const open = (name?: string) => openProject(root, environment, { isMoving: isLocal, ...(name && { name }) });
  const project = isCopied ? undefined : open();
  const from = project?.backend ?? stateFolder;
  if (project && from === backend) throw new DocsError(`the state is kept in ${backend} already`);
  if (project?.backend && !isLocal && declaredOrganization(root, environment).isForSeveral)
    throw new DocsError(
      `${organizationYaml} is for several organizations, and ${from} does not say which of its projects are theirs; copy the stacks of each with pulumi stack export and pulumi stack import, and write backend: ${url} into the file`,
    );
  // Nothing is copied if the file cannot name the new place.
  textWithBackend(root, url);
  if (!yes && !(await confirm(`Move the state from ${from} to ${backend}?`, "Nothing was moved."))) return;
  if (project) {
    const engine = await engineOrInstall(yes);
    const { copyStacks } = await import("../../deployment/move.js");
    const local = isLocal ? localStacks(root) : [];
    const projects = isLocal ? [...new Set(local.map((one) => dirname(one)))] : [project.name];
    const copied: string[] = [];
    try {
      for (const name of projects) {
        const stacks = await copyStacks(engine, open(name), { oldVariable, newVariable });
        copied.push(...stacks.map((stack) => `${name}/${stack}`));
      }
    } finally {
      // Each `open` writes its name into the settings: the last one must be that of this project.
      open(project.name);
    }
    const missing = local.filter((one) => !copied.includes(one));
    if (missing.length > 0) throw new DocsError(`could not move ${listNames(missing)}: the engine does not list them`);
    const names = projects.length > 1 ? copied : copied.map((one) => basename(one));
    tell(names.length > 0 ? `copied ${listNames(names)} to ${backend}, which is equal` : "there was no stack to copy");
  }
  if (isLocal) markMoved(root, backend);
  writeBackend(root, url);
  // Opened again, the settings of the project follow the file, also for pulumi commands.
  openProject(root, { ...process.env, PULUMI_BACKEND_URL: "" });
  console.log(
    `The state is kept in ${backend} now, as ${organizationYaml} says (backend): commit the file. The old one stays in ${from}, and is not used.`,
  );
}

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

type Move = ReturnType<typeof planMove>;

/** Moves the state to another backend. Each step may run twice: the copy, the mark in the old place, and the line in the file. */
export async function moveState(url: string, options: { readonly yes?: true }): Promise<void> {
  refuseWithoutTerminal("state move", options);
  const { yes = false } = options;
  const { error } = backendUrl.safeParse(url);
  if (error) throw new StatusError(`URL: ${error.issues[0]?.message}`);
  const root = process.cwd();
  const move = planMove(root, url);
  const { backend } = move;
  const project = move.isCopied ? undefined : openOld(move);
  const from = project?.backend ?? stateFolder;
  if (project) refuseMove(move, project.backend);
  // Nothing is copied if the file cannot name the new place.
  textWithBackend(root, url);
  if (!yes && !(await confirm(`Move the state from ${from} to ${backend}?`, "Nothing was moved."))) return;
  if (project) await copyState(move, project.name, yes);
  if (move.isLocal) markMoved(root, backend);
  writeBackend(root, url);
  // Opened again, the settings of the project follow the file, also for pulumi commands.
  openProject(root, { ...process.env, PULUMI_BACKEND_URL: "" });
  console.log(
    `The state is kept in ${backend} now, as ${organizationYaml} says (backend): commit the file. The old one stays in ${from}, and is not used.`,
  );
}

/** What is to be moved; the variables are the values of PULUMI_BACKEND_URL for the old and the new backend. */
function planMove(root: string, url: string) {
  const backend = backendAt(url, root);
  const declared = declaredBackend(root);
  const moved = movedTo(root);
  // The mark names the place of the first move only: if the file names a third place, the state is there.
  const isCopied = moved === backend && [undefined, backend].includes(declared);
  const isLocal = localStacks(root).length > 0 && moved === undefined;
  const { PULUMI_BACKEND_URL: variable = "" } = process.env;
  const namesPlace = (place: string | undefined) => variable !== "" && backendAt(variable, projectFolder) === place;
  // Beside a file that names another place, the variable does not count. One that names the same place may have its password, which no file has.
  const isOverruled = declared !== undefined && !namesPlace(declared);
  const oldVariable = isLocal || isOverruled ? "" : variable;
  const newVariable = namesPlace(backend) ? variable : backend;
  return { root, url, backend, isCopied, isLocal, oldVariable, newVariable };
}

const oldEnvironment = ({ oldVariable }: Move) => ({ ...process.env, PULUMI_BACKEND_URL: oldVariable });

const openOld = (move: Move, name?: string) =>
  openProject(move.root, oldEnvironment(move), { isMoving: move.isLocal, ...(name && { name }) });

function refuseMove(move: Move, oldBackend: string | undefined): void {
  const { root, url, backend, isLocal } = move;
  const from = oldBackend ?? stateFolder;
  if (from === backend) throw new DocsError(`the state is kept in ${backend} already`);
  if (oldBackend && !isLocal && declaredOrganization(root, oldEnvironment(move)).isForSeveral)
    throw new DocsError(
      `${organizationYaml} is for several organizations, and ${from} does not say which of its projects are theirs; copy the stacks of each with pulumi stack export and pulumi stack import, and write backend: ${url} into the file`,
    );
}

/** Copies all stacks, of a local state those of all projects in it. */
async function copyState(move: Move, ownProject: string, yes: boolean): Promise<void> {
  const { root, backend, isLocal, oldVariable, newVariable } = move;
  const engine = await engineOrInstall(yes);
  const { copyStacks } = await import("../../deployment/move.js");
  const local = isLocal ? localStacks(root) : [];
  const projects = isLocal ? [...new Set(local.map((one) => dirname(one)))] : [ownProject];
  const copied: string[] = [];
  try {
    for (const name of projects) {
      const stacks = await copyStacks(engine, openOld(move, name), { oldVariable, newVariable });
      copied.push(...stacks.map((stack) => `${name}/${stack}`));
    }
  } finally {
    // Each opening writes its name into the settings: the last one must be that of this project.
    openOld(move, ownProject);
  }
  const missing = local.filter((one) => !copied.includes(one));
  if (missing.length > 0) throw new DocsError(`could not move ${listNames(missing)}: the engine does not list them`);
  const names = projects.length > 1 ? copied : copied.map((one) => basename(one));
  tell(names.length > 0 ? `copied ${listNames(names)} to ${backend}, which is equal` : "there was no stack to copy");
}

import { setTimeout as sleep } from "node:timers/promises";
import { DocsError } from "../api/http/errors";
import { type Run, runScoped } from "../run/run";
import { explainedElsewhere } from "../text/shared-sentences";
import type { DuplicateFound } from "./create-once";

const duplicatesIn = runScoped((): DuplicateFound[] => []);

/**
 * Says what to do with an object that an interrupted run may have created. The engine creates several resources at once, so the
 * first refusal waits for the others and names all objects with one command, and the others refer to it.
 */
export async function duplicateRefusal(run: Run, duplicate: DuplicateFound): Promise<DocsError> {
  const duplicates = duplicatesIn(run);
  const isFirst = duplicates.push(duplicate) === 1;
  await sleep(run.patience);
  if (isFirst) return new DocsError([describe(duplicates), ...waysOut(duplicates)].join("\n"));
  return new DocsError(`${duplicate.what} already exists: ${duplicate.id} ${explainedElsewhere}`);
}

const unmanaged = "created within the last hour and managed by no resource of this run";

function describe(duplicates: readonly DuplicateFound[]): string {
  const [only, second] = duplicates;
  if (only && !second) return `${only.what} already exists: ${only.id}, ${unmanaged}`;
  const lines = duplicates.map(({ what, id }) => `  ${what}: ${id}`);
  return [`${duplicates.length} objects already exist, ${unmanaged}:`, ...lines].join("\n");
}

function waysOut(duplicates: readonly DuplicateFound[]): string[] {
  const ids = duplicates.map(({ id }) => id).join(",");
  return [
    `- created by an interrupted run: repeat the command with DOCS_TAKE_OVER=${ids} in its environment, which takes over what it names`,
    "- managed by this stack under another name, as a run with --refresh shows: add the option aliases to the resource",
    "- managed by another stack, or a second one is wanted: declare allowDuplicate: true",
    "- not wanted, and managed by no stack: delete it in the service",
  ];
}

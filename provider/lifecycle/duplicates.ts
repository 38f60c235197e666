import { setTimeout as sleep } from "node:timers/promises";
import { DocsError } from "../api/http/errors";
import { perRun, type Run } from "../run/run";
import { saidElsewhere } from "../text/elsewhere";
import type { DuplicateFound } from "./create-once";

/** The duplicates that this run has met. */
const duplicatesIn = perRun((): DuplicateFound[] => []);

/**
 * Says what to do with an object that an interrupted run may have created. The engine creates several resources at once, so the
 * first refusal waits for the others and names all objects with one command, and the others refer to it.
 */
export async function duplicateRefusal(run: Run, duplicate: DuplicateFound, howToImport: string): Promise<DocsError> {
  const duplicates = duplicatesIn(run);
  const isFirst = duplicates.push(duplicate) === 1;
  await sleep(run.patience);
  if (duplicates.length === 1) return oneFound(duplicate, howToImport);
  return isFirst ? severalFound(duplicates) : anotherFound(duplicate);
}

const anInterruptedRun = "created within the last hour and managed by no resource of this run";

const underAnotherName = (it: string): string =>
  `If this run does not refresh, run it again with --refresh, which shows whether this stack has ${it} under another name. If so, ` +
  "add the option aliases to the resource, because an import would record it twice.";

const takeOver = (ids: readonly string[]): string =>
  `run the command again with DOCS_TAKE_OVER=${ids.join(",")} in its environment`;

const unwanted = (it: string, one: string): string =>
  `If no stack manages ${it} and ${one} not wanted, delete ${it} in the service.`;

const oneFound = ({ what, id }: DuplicateFound, howToImport: string): DocsError =>
  new DocsError(
    `${what} already exists: ${id}, ${anInterruptedRun}; an interrupted run may have created it. ${underAnotherName("it")} ` +
      `Otherwise, ${takeOver([id])}, which takes it over. Or, ${howToImport}\n` +
      `${unwanted("it", "it is")} If a second one is wanted, declare allowTwin: true.`,
  );

function severalFound(duplicates: readonly DuplicateFound[]): DocsError {
  const lines = duplicates.map(({ what, id }) => `  ${what}: ${id}`);
  return new DocsError(
    `${duplicates.length} objects already exist, ${anInterruptedRun}; an interrupted run may have created them:\n` +
      `${lines.join("\n")}\n${underAnotherName("one of them")} ` +
      `Otherwise, ${takeOver(duplicates.map(({ id }) => id))}, which takes them over.\n` +
      `${unwanted("them", "they are")} If second ones are wanted, declare allowTwin: true.`,
  );
}

const anotherFound = ({ what, id }: DuplicateFound): DocsError =>
  new DocsError(`${what} already exists: ${id} ${saidElsewhere}`);

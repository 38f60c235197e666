import { setTimeout as sleep } from "node:timers/promises";
import { managementOf } from "../access/management";
import { freshEnough } from "../access/members";
import { DocsError } from "../api/http/errors";
import { type Context, organizationScoped } from "../run/context";
import type { Properties } from "../run/properties";
import { type Run, runScoped } from "../run/run";
import { explainedElsewhere } from "../text/shared-sentences";
import { commandFor } from "../text/stack-commands";
import type { AnyDefinition, Created, Recognition } from "./definition";
import { renamesIn } from "./renames";

/** Live objects that a declaration would create a second time, and that no resource of the stack manages. */
export interface ExistingObjects<Thing extends Created = Created> {
  readonly what: string;
  readonly things: readonly Thing[];
  /** The property that they have in common with the declaration. */
  readonly sameBy: string;
}

/**
 * The objects that share the surest property with the declaration; `undefined` if there are none. Lists may lag, so each candidate is
 * read alone as well.
 */
export async function findExisting<Thing extends Created, Inputs>(
  context: Context,
  recognition: Recognition<Thing, Inputs>,
  declared: Inputs,
  listed?: readonly Thing[],
): Promise<ExistingObjects<Thing> | undefined> {
  const { what, collection } = recognition;
  const sameBy = Object.entries(recognition.sameBy);
  const isCandidate = (thing: Thing) => sameBy.some(([, isSame]) => isSame(thing, declared));
  const candidates = (listed ?? (await listUnmanaged(context, recognition))).filter(isCandidate);
  const live = await Promise.all(candidates.map(({ id }) => collection(context).reread(id)));
  return sameBy
    .map(([property, isSame]) => ({
      what: what(declared),
      things: live.filter((thing) => thing !== undefined && isSame(thing, declared)) as Thing[],
      sameBy: property,
    }))
    .find(({ things }) => things.length > 0);
}

export async function listUnmanaged<Thing extends Created, Inputs>(
  context: Context,
  { collection }: Recognition<Thing, Inputs>,
): Promise<Thing[]> {
  const management = managementOf(context.run);
  return (await collection(context).all(freshEnough)).filter(({ id }) => !management.hasObject(id));
}

/** The existing object that the user has named (`DOCS_TAKE_OVER`). */
export const findTakenOver = <Thing extends Created>({ settings }: Run, existing: ExistingObjects<Thing> | undefined) =>
  existing?.things.find(({ id }) => settings.takesOver(id));

/** What a creation must not make a second time: the user has neither allowed a duplicate nor named the object. */
export async function findDuplicate(context: Context, { recognition }: AnyDefinition, declared: Properties) {
  if (!recognition || declared.allowDuplicate === true) return undefined;
  const existing = await findExisting(context, recognition, declared);
  return findTakenOver(context.run, existing) ? undefined : existing;
}

interface NewObject {
  readonly definition: AnyDefinition;
  readonly declared: Properties;
}

/** What the resources of the run declare that its state does not have, as far as the engine has asked. */
const newObjectsIn = runScoped((): NewObject[] => []);

export function noteNew(run: Run, definition: AnyDefinition, declared: Properties): void {
  if (definition.recognition) newObjectsIn(run).push({ definition, declared });
}

/**
 * Refuses to create what exists. The object may belong to a resource that the engine has not asked about yet, and further
 * declared objects may exist as well: the first refusal waits for both and names all objects, and later ones refer to it.
 */
export async function refuseDuplicate(context: Context, definition: AnyDefinition, declared: Properties) {
  const { run } = context;
  for (let waited = 0; ; waited += 100) {
    const duplicate = await findDuplicate(context, definition, declared);
    // After a cancellation, no call of the engine comes, and nothing is sent either.
    if (!duplicate || run.connections.limiter.isStopped) return;
    const refusal = waited >= run.patience ? await refusalOf(context, duplicate) : undefined;
    if (refusal) throw refusal;
    // `check` has not noted the new object of a replacement.
    if (waited === 0) noteNew(run, definition, declared);
    await sleep(100);
  }
}

const explanations = organizationScoped(() => ({ isGiven: false }));

async function refusalOf(context: Context, duplicate: ExistingObjects): Promise<DocsError | undefined> {
  const { run, organizationId } = context;
  const explanation = explanations(context);
  if (explanation.isGiven) {
    return new DocsError(`${duplicate.what} already exists: ${idsOf(duplicate)} ${explainedElsewhere}`);
  }
  explanation.isGiven = true;
  const newObjects = newObjectsIn(run).filter(
    ({ declared }) => (declared.organizationId ?? run.settings.organizationId()) === organizationId,
  );
  const found = await Promise.all(newObjects.map((one) => findDuplicate(context, one.definition, one.declared)));
  const duplicates = new Map<string, ExistingObjects>();
  for (const one of found) if (one) duplicates.set(`${one.what} ${idsOf(one)}`, one);
  const all = [...duplicates.values()];
  if (all.length === 0) {
    // A resource of the run has turned out to manage it.
    explanation.isGiven = false;
    return undefined;
  }
  const unmanaged = "managed by no resource that this run knows";
  const start =
    all.length === 1
      ? `${duplicate.what} already exists: ${idsOf(duplicate)} (same ${duplicate.sameBy}), ${unmanaged}`
      : listExisting(`${all.length} declared objects already exist, ${unmanaged}`, all);
  const renamed =
    "- managed by this stack under another name, as a refresh shows: give it its former name, or add the option aliases to it in a program";
  const otherWays = waysOut({ isRunByDocsOrg: run.settings.isRunByDocsOrg() }, all);
  // A run that has refreshed would have found most renamed objects itself.
  const ways = renamesIn(run).hasRefreshed() ? [...otherWays, renamed] : [renamed, ...otherWays];
  return new DocsError([start, ...ways].join("\n"));
}

const mostListed = 20;

/** The objects below a first line, each with its place in the file, if there is one. */
export function listExisting(start: string, all: readonly (ExistingObjects & { readonly place?: string })[]): string {
  const lines = all.map(
    (one) => `  ${one.place === undefined ? "" : `${one.place}: `}${one.what}: ${idsOf(one)} (same ${one.sameBy})`,
  );
  const more = lines.length - mostListed;
  return [`${start}:`, ...lines.slice(0, mostListed), ...(more > 0 ? [`  and ${more} more`] : [])].join("\n");
}

const idsOf = ({ things }: ExistingObjects): string => things.map(({ id }) => id).join(", ");

/** How the user can let a stack manage what exists. */
export interface Adopting {
  readonly isRunByDocsOrg: boolean;
  /** The name of the stack, if it is known. */
  readonly name?: string;
}

export function waysOut({ isRunByDocsOrg, name }: Adopting, all: readonly ExistingObjects[]): string[] {
  const ids = all.flatMap(({ things }) => things.map(({ id }) => id)).join(",");
  const withoutId = all.some(({ sameBy }) => sameBy === "id") ? ", and remove the id" : "";
  const adoption = isRunByDocsOrg
    ? `run ${commandFor("take-over", name)}, which imports what the file declares, and changes nothing at the service`
    : `repeat the command with DOCS_TAKE_OVER=${ids} in its environment, which takes over what it names and changes it to what is declared; to see the differences before, import it`;
  return [
    `- the state was lost, or a run was killed: ${adoption}`,
    `- managed by another stack, or a second one is wanted: declare allowDuplicate: true${withoutId}`,
    "- not wanted, and managed by no stack: delete it in the service",
  ];
}

import { DocsError } from "../api/http/errors";
import * as definitions from "../definitions";
import { type ExistingResource, type ImportedComponent, importEntries } from "../hosts/import-list";
import type { AnyDefinition, Created } from "../lifecycle/definition";
import { findExisting } from "../lifecycle/existing";
import { IncompleteId, liveState, NotLive } from "../lifecycle/live-state";
import type { Loaded } from "../organization/file/loader";
import { inProgram, type Places } from "../organization/file/places";
import { type Child, childrenOf, type ListedSection, notesType, sectionList, sections } from "../organization/sections";
import type { Section } from "../organization/sections/section";
import { repeatedIn } from "../people/user";
import { resourceAt } from "../resources/urns";
import { type Context, explained } from "../run/context";
import { nameIn, organizationType, typeAt, typeIn, typesIn } from "../run/urn";
import { plain } from "../text/safe-text";

export interface RecordedResource {
  readonly urn: string;
  readonly id?: string;
}

export interface PluginEntry {
  readonly type: string;
  readonly name: string;
  readonly id: string;
}

/** How a stack comes to manage the live objects that a file declares. */
export interface Adoption {
  /** What the engine imports: the component, and the resources that the stack does not have. */
  readonly entries: readonly (ImportedComponent | PluginEntry)[];
  readonly imported: number;
  readonly recorded: number;
  /** What the stack is to get, by type and name as in URNs. Some of it cannot be imported, such as the list of roles. */
  readonly taken: readonly string[];
  /** Whether an earlier up or take-over has recorded the stack. Then only `taken` is left to be recorded. */
  readonly wasRecorded: boolean;
  /** The entries whose object was found by another property than its id, each with the object. */
  readonly found: readonly string[];
  /** The entries without a live object, each with the reason. */
  readonly missing: readonly string[];
}

/** Finds the live objects of the entries that the stack does not have. Changes nothing. */
export async function planAdoption(
  context: Context,
  name: string,
  file: Loaded & { readonly now: Date },
  state: readonly RecordedResource[],
): Promise<Adoption> {
  const children = childrenOf(name, file.organization, file.now);
  const recordedIds = new Map<string, string>();
  for (const { urn, id } of state) if (id && isOfComponent(urn)) recordedIds.set(keyAt(urn), id);
  const unrecorded = children.filter((child) => !recordedIds.has(keyOf(child)));
  const choices = await explained(context, () => readChoices(context, { children, unrecorded, state }));
  refuseUnclear(choices, file.places);
  const { chosenIds, found, missing } = resolveChoices(choices);
  const ids = new Map([...recordedIds, ...chosenIds]);
  const existing = unrecorded.flatMap((child): ExistingResource[] => {
    const id = importId(child, ids);
    return id === undefined ? [] : [{ resource: child.resource, name: child.name, id, parent: name }];
  });
  const entries = await importEntries([{ component: organizationType, name }, ...existing], (one) =>
    pluginEntry(context, one, () => missing.set(keyOf(one), "it is not live")),
  );
  const taken = existing.filter((one) => !missing.has(keyOf(one)));
  return {
    entries,
    imported: entries.length - 1,
    recorded: children.length - unrecorded.length,
    taken: taken.map((one) => `${organizationType}$${typeIn("plugin", one.resource)}::${one.name}`),
    wasRecorded: state.some(({ urn }) => typeAt(urn) === notesType),
    found,
    missing: children.flatMap((child) => {
      const reason = missing.get(keyOf(child));
      return reason === undefined ? [] : [inProgram.report([child.section, child.key], reason)];
    }),
  };
}

/** What each entry is about; `refuseUnclear` has refused those with several candidates, and those whose id is wrong. */
function resolveChoices(choices: readonly Choice[]) {
  const chosenIds = new Map<string, string>();
  const missing = new Map<string, string>();
  const found: string[] = [];
  for (const { child, candidates: [chosen] = [], sameBy, why } of choices) {
    if (chosen !== undefined) chosenIds.set(keyOf(child), chosen.id);
    else missing.set(keyOf(child), why ?? `no live ${sections[child.section].audit.one} is like it`);
    if (chosen !== undefined && sameBy !== undefined)
      found.push(inProgram.report([child.section, child.key], `${chosen.words}, same ${sameBy}`));
  }
  return { chosenIds, missing, found };
}

/**
 * An entry for the plugin, which reads everything else. The object is read as the plugin will. A resource whose id does not say
 * what it manages, such as `MemberRoles`, is left out: the program declares it, which sends nothing.
 */
export async function pluginEntry(
  context: Context,
  { resource, name, id }: ExistingResource,
  onMissing?: () => void,
): Promise<PluginEntry | undefined> {
  try {
    // The reading of the whole organization has already said which live values nobody can declare.
    await explained(context, () => liveState(context, definitions[resource], { id, leaveOut: () => undefined }));
    return { type: typeIn("plugin", resource), name, id };
  } catch (error) {
    if (error instanceof IncompleteId) return undefined;
    if (!onMissing || !(error instanceof NotLive)) throw error;
    onMissing();
    return undefined;
  }
}

const keyOf = ({ resource, name }: Pick<ExistingResource, "resource" | "name">): string => `${resource} ${name}`;
const keyAt = (urn: string): string => `${resourceAt(urn)} ${nameIn(urn)}`;
const isOfComponent = (urn: string): boolean => typesIn(urn).at(-2) === organizationType;

function importId(child: Child, ids: ReadonlyMap<string, string>): string | undefined {
  const { makeImportId }: Section["writing"] = sections[child.section].writing;
  if (makeImportId) return makeImportId(child.inputs);
  // A part of a site has the id and the name of the site.
  return ids.get(keyOf(child.site === undefined ? child : { ...child, resource: "Site" }));
}

/** An entry whose inputs do not have the id of its object, and the objects that it may be about. */
interface Choice {
  readonly child: Child;
  readonly candidates?: readonly { readonly id: string; readonly words: string }[];
  /** The property by which they were found, if not by the id. */
  readonly sameBy?: string;
  /** Why its id chooses no object, or why no object is chosen at all. */
  readonly why?: string;
}

interface Wanted {
  readonly children: readonly Child[];
  readonly unrecorded: readonly Child[];
  readonly state: readonly RecordedResource[];
}

async function readChoices(context: Context, wanted: Wanted): Promise<Choice[]> {
  const choices = sectionList.map(async (section) => {
    const entries = wanted.unrecorded.filter((one) => one.section === section.name && one.site === undefined);
    const recognition = entries[0] && (definitions[entries[0].resource] as AnyDefinition).recognition;
    if (!recognition) return [];
    const search = searchIn(section, recognition, await section.live.list?.(context), wanted);
    return Promise.all(entries.map((child) => choose(context, child, search)));
  });
  return (await Promise.all(choices)).flat();
}

/** The live objects among which the entries of a section find theirs. */
interface Search {
  readonly recognition: NonNullable<AnyDefinition["recognition"]>;
  /** How messages name the objects, by id. */
  readonly words: ReadonlyMap<string, string>;
  readonly recordedIds: ReadonlySet<string>;
  /** The objects that neither the stack manages nor an entry names. */
  readonly unnamed: readonly Created[];
}

function searchIn(
  { audit, name }: ListedSection,
  recognition: Search["recognition"],
  live: unknown,
  { children, state }: Wanted,
): Search {
  const words = new Map<string, string>();
  for (const { subject, shown } of audit.listObjects(live)) words.set(subject.id, plain(audit.describe(shown)));
  const own = children.filter(({ section, site }) => section === name && site === undefined);
  const recorded = state.filter(({ urn }) => resourceAt(urn) === own[0]?.resource);
  const recordedIds = new Set(recorded.flatMap(({ id }) => id ?? []));
  const namedIds = new Set(own.flatMap(({ id }) => id ?? []));
  const unnamed = (live as readonly Created[]).filter(({ id }) => !recordedIds.has(id) && !namedIds.has(id));
  return { recognition, words, recordedIds, unnamed };
}

async function choose(context: Context, child: Child, search: Search): Promise<Choice> {
  const { recognition, words, recordedIds, unnamed } = search;
  const { id, inputs } = child;
  const withWords = (ids: readonly string[]) => ids.map((one) => ({ id: one, words: words.get(one) ?? one }));
  if (id !== undefined && recordedIds.has(id)) return { child, why: `the stack manages ${id} under another name` };
  const isLive = id !== undefined && words.has(id) && (await recognition.collection(context).reread(id));
  if (isLive) return { child, candidates: withWords([id]) };
  const { things = [], sameBy = "" } = (await findExisting(context, recognition, inputs, unnamed)) ?? {};
  const candidates = withWords(things.map((one) => one.id));
  if (inputs.allowDuplicate === true && candidates.length > 0) {
    const beside = candidates.map((one) => one.words).join(" and ");
    return { child, why: `allowDuplicate: true makes a second one beside ${beside}` };
  }
  return { child, candidates, sameBy, ...(id !== undefined && { why: `its id ${id} is not live` }) };
}

/** An entry must be about one object, and an object about one entry. An entry whose id is wrong is asked about, too. */
function refuseUnclear(choices: readonly Choice[], places: Places): void {
  const sharedIds = repeatedIn(choices.flatMap(({ candidates = [] }) => candidates.map(({ id }) => id)));
  const unclear = choices.filter(({ candidates = [], why }) => {
    const hasWrongId = why !== undefined && candidates.length > 0;
    return candidates.length > 1 || hasWrongId || candidates.some(({ id }) => sharedIds.has(id));
  });
  if (unclear.length === 0) return;
  const lines = unclear.map(({ child: { section, key }, candidates = [], why }) => {
    const mayBe = `may be ${candidates.map(({ words }) => words).join(", or ")}; write the id of its object, such as id: ${candidates[0]?.id}`;
    return places.report([section, key], why === undefined ? mayBe : `${why}; it ${mayBe}`);
  });
  throw new DocsError(
    ["nothing was imported, because it is not clear which live objects these entries are about:", ...lines].join("\n"),
  );
}

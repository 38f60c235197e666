import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { DocsError } from "../api/http/errors";
import type { Context } from "../run/context";
import { type Properties, pick, sameValue } from "../run/properties";
import { inOneLine, mistakesIn, shownValue, shownWithLength } from "../text/mistakes";
import { type AnyDefinition, metaOf } from "./definition";
import { stateOf } from "./state";

export interface ImportedObject {
  readonly id: string;
  /** The inputs that the program declares; by default, every property that is set. */
  readonly inputs?: Properties;
  /** Is told which live values are left out, because no program can declare them. This happens only without `inputs`. */
  readonly leaveOut: (what: string) => void;
}

/** The id does not say what the resource manages, such as the people of a resource that manages the roles of many. */
export class IncompleteId extends DocsError {
  constructor(missing: readonly string[]) {
    const inputs = missing.map((name) => `${name}: ...`).join(", ");
    super(`the id does not say what to import; name it in inputs: { ${inputs} }`);
  }
}

export class NotLive extends DocsError {}

/**
 * Reads the live state. If the inputs are not complete, it reads twice: the first read finds the declaration, and how a resource
 * is read depends on its declaration.
 */
export async function liveState(context: Context, definition: AnyDefinition, one: ImportedObject): Promise<Properties> {
  const { id, inputs: given = {} } = one;
  refuseInvalidId(id);
  refuseMistakes(mistakesIn(definition.inputs, given).filter(({ path: [name = ""] }) => name in given));
  const fromId = inputsFromId(definition, id);
  const assumed = { ...emptyCollections(definition), ...given, ...fromId };
  const foundById = await readLive(context, definition, one, assumed);
  const declared = { ...fromId, ...inputsFromLive(definition, foundById, one, assumed), ...given };
  refuseMistakes(mistakesIn(definition.inputs, declared));
  const live = isDeepStrictEqual(declared, assumed)
    ? foundById
    : await readLive(context, definition, { ...one, inputs: declared }, declared);
  refuseMismatch(definition, { id, fromId, declared }, foundById, live);
  return stateOf(definition, context, live, declared);
}

function refuseMistakes(mistakes: ReturnType<typeof mistakesIn>): void {
  if (mistakes.length > 0) throw new DocsError(inOneLine(mistakes));
}

function requiredIn({ inputs }: AnyDefinition): [name: string, schema: z.core.$ZodType][] {
  return Object.entries(inputs.shape).filter(([, schema]) => !(schema instanceof z.ZodOptional));
}

/**
 * The inputs that are part of the id. If the service has no id for such an object, the id consists of the required inputs that
 * are identifiers, in their order. Live values replace these inputs.
 */
function inputsFromId(definition: AnyDefinition, id: string): Properties {
  const names = requiredIn(definition).flatMap(([name, schema]) => (schema instanceof z.ZodString ? [name] : []));
  const parts = names.length > 1 ? id.split("/") : [id];
  if (names.length === 0 || (parts.length === names.length && parts.every(Boolean))) {
    return Object.fromEntries(names.map((name, index) => [name, parts[index]]));
  }
  throw new DocsError(`the id is ${shownValue(id)}; use ${names.join("/")}`);
}

/** Ids of the service have about 20 characters; the API document does not show a limit. The id of a membership contains an e-mail. */
const longestId = 512;

/** Refuses an id that cannot be one, before it is sent to the service. */
function refuseInvalidId(id: string): void {
  if (id.length <= longestId && !/[\s\p{C}\p{DI}]/u.test(id)) return;
  throw new DocsError(
    `the id is ${shownWithLength(id)}; use an id of the service, at most ${longestId} characters without spaces and invisible characters`,
  );
}

/** Empty values for required lists and maps, for the first read. */
function emptyCollections(definition: AnyDefinition): Properties {
  return Object.fromEntries(
    requiredIn(definition).flatMap(([name, schema]): [string, unknown][] => {
      if (schema instanceof z.ZodRecord) return [[name, {}]];
      return schema instanceof z.ZodArray ? [[name, []]] : [];
    }),
  );
}

async function readLive(context: Context, definition: AnyDefinition, one: ImportedObject, declared: Properties) {
  const { id, inputs, leaveOut } = one;
  const { lifecycle, readImportable } = definition;
  const isWhole = inputs === undefined && readImportable !== undefined;
  const live = await (isWhole
    ? readImportable(context, id, leaveOut)
    : lifecycle.observe(context, id, declared, declared));
  const values = live === undefined ? [undefined] : Object.values(lifecycle.values(live, declared));
  // An object without any live value does not exist, for example an e-mail that is in no team. Some resources have no values to read.
  if (values.length === 0 || values.some((value) => value !== undefined)) return live;
  throw new NotLive(`${shownValue(id)} does not exist in organization ${context.organizationId}`);
}

/** Whether a live value says that a property is not set, so that neither an import nor an export declares it. */
export const isNothing = (value: unknown): boolean => value === undefined || value === null || value === "";

/**
 * The live inputs to declare: if the user has named inputs, only the required ones; otherwise all that are set. The service may
 * have an old value of an optional input that its schema refuses today. Such an input is left out, because no program can declare it.
 */
function inputsFromLive(
  definition: AnyDefinition,
  live: unknown,
  { inputs: given, leaveOut }: ImportedObject,
  assumed: Properties,
): Properties {
  const { importable, lifecycle } = definition;
  const required = requiredIn(definition).map(([name]) => name);
  const all: Properties = { ...lifecycle.values(live, assumed), ...importable?.(live) };
  const missing = required.filter((name) => !given?.[name] && isEmpty(all[name]));
  if (missing.length > 0) throw new IncompleteId(missing);
  const optional = given ? [] : Object.keys(all).filter((name) => !isNothing(all[name]) && !required.includes(name));
  const mistakes = mistakesIn(definition.inputs, pick(all, [...required, ...optional]));
  const undeclarable = mistakes.filter(({ path: [name] }) => optional.includes(String(name)));
  for (const { path, text } of undeclarable)
    leaveOut(`${String(path[0])} is left out, because a program cannot declare it: ${text}`);
  const names = new Set(undeclarable.map(({ path }) => String(path[0])));
  return pick(all, [...required, ...optional.filter((name) => !names.has(name))]);
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

interface Identity {
  readonly id: string;
  readonly fromId: Properties;
  readonly declared: Properties;
}

/** Refuses inputs that mean another object than the id does. If they only name a user differently, both reads have the same outputs. */
function refuseMismatch(
  definition: AnyDefinition,
  { id, fromId, declared }: Identity,
  foundById: unknown,
  foundByInputs: unknown,
): void {
  const { equal, lifecycle } = definition;
  const values = lifecycle.values(foundByInputs, declared);
  const other = Object.keys(fromId).filter((name) => {
    return !(name in values) && !sameValue(equal, name, fromId[name], declared[name]);
  });
  if (other.length === 0) return;
  const replaced = other.filter((name) => metaOf(definition, name)?.replacesUnlessLive);
  if (replaced.length === 0 && isDeepStrictEqual(lifecycle.outputs(foundById), lifecycle.outputs(foundByInputs)))
    return;
  const words = other.map((name) => `${name} is ${JSON.stringify(declared[name])} in the inputs`);
  throw new DocsError(
    `the id is ${shownValue(id)}, but ${words.join(" and ")}, which is another object; correct one of them`,
  );
}

import { z } from "zod";
import { DocsError } from "../api/http/errors";
import { resourceOf, type StackState, stateIn } from "../audit/state";
import { jsonIn } from "../run/files";
import type { Properties } from "../run/properties";

/** What the backend records of one run of the engine on the stack. */
export interface Update {
  /** The number that a service gives it; other backends have none, so it is called by its end. */
  readonly version: string;
  /** The engine records whole seconds, in UTC. */
  readonly start: string;
  readonly end: string;
  /** The end, with a number if an earlier update ended in the same second: it sorts as the updates happened. */
  readonly order: string;
  /** `update`, `refresh`, `destroy`, `resource-import`; `none` if the state was changed without a record. */
  readonly kind: string;
  readonly result: string;
  /** The first line. */
  readonly message?: string | undefined;
  /** The lines of the grants, if an `up --only grants` began or ended several. */
  readonly grants?: readonly string[];
  readonly commit?: string | undefined;
  /** The files differed from the commit. */
  readonly isDirty?: true;
  readonly author?: string | undefined;
  readonly pullRequest?: string | undefined;
  /**
   * URNs of resources that a killed run has perhaps changed before the update; absent if only the engine could tell, which does not.
   * In a history also absent after such a run, until an update has looked at the whole stack: an earlier kill may have left no trace.
   */
  readonly interruptedBefore?: readonly string[] | undefined;
  /** The update has looked at a part of the stack only. */
  readonly isLimited?: true;
  /** Number of resources that it created, updated, replaced, deleted or imported; in a history, without the notes of the component. */
  readonly changed: number;
  /** Number of resources that it deleted. */
  readonly deleted: number;
}

/** An update, and the state after it. */
export interface StackVersion {
  readonly update: Update;
  /** Absent if the backend no longer has it. */
  readonly state?: StackState | undefined;
  /** The state is not the first one of the stack: it has resources that are older than the update. */
  readonly isContinued: boolean;
  /** When the oldest resource of the state was created, in whole seconds; absent if the engine has not recorded it. */
  readonly oldest?: string;
  /** When the engine changed each resource of the state last, in whole seconds, as far as it has recorded it. */
  readonly modified: readonly string[];
  /** Names of resources whose change was interrupted: nobody knows whether it was made. */
  readonly interrupted: readonly string[];
}

/** The last second that the records, which are sorted as text, can have. */
const lastSecond = Date.parse("9999-12-31T23:59:59Z") / 1_000;
const time = z
  .union([
    z
      .number()
      .min(0)
      .max(lastSecond)
      .transform((seconds) => seconds * 1_000),
    z.iso.datetime(),
  ])
  .transform(iso);
const record = z.looseObject({
  version: z.number().optional(),
  kind: z.string(),
  startTime: time,
  endTime: time,
  message: z.string().optional(),
  result: z.string(),
  environment: z.record(z.string(), z.string()).nullish(),
  resourceChanges: z.record(z.string(), z.number()).nullish(),
});

function iso(at: number | string): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/, "Z");
}

/** The end of the first line of the message, before a line for each grant. */
export const severalGrants = " grants begin or end";

const agent = "docs-org ";
const partsOfAgent = z.object({ interrupted: z.array(z.string()), isLimited: z.boolean() });

/** The agent that the engine records of an update: docs-org, what the runs before it have left, and whether it looks at a part only. */
export const agentAfter = (interrupted: readonly string[], isLimited = false): string =>
  `${agent}${JSON.stringify({ interrupted, isLimited })}`;

/** Nothing if the update was not made by docs-org, so nobody looked for what a killed run had left. */
function readAgent(text = ""): Pick<Update, "interruptedBefore" | "isLimited"> {
  const parts = text.startsWith(agent) ? partsOfAgent.safeParse(jsonIn(text.slice(agent.length))).data : undefined;
  return { interruptedBefore: parts?.interrupted, ...(parts?.isLimited && { isLimited: true as const }) };
}

/** The record of an update, as a folder or bucket keeps it, or as `pulumi stack history --json` prints it. */
export function readUpdate(content: unknown, source: string): Update {
  const result = record.safeParse(content);
  if (!result.success)
    throw new DocsError(`${source} is not the record of an update; copy the history of the stack again`);
  const { version = 0, kind, startTime, endTime, message, environment, resourceChanges } = result.data;
  const known = environment ?? {};
  const text = (name: string) => known[name] || undefined;
  const [first, ...grants] = message?.split("\n") ?? [];
  return {
    version: version > 0 ? String(version) : endTime,
    start: startTime,
    end: endTime,
    order: endTime,
    kind,
    result: result.data.result,
    message: first || undefined,
    ...(first?.endsWith(severalGrants) && { grants }),
    commit: text("git.head"),
    ...(known["git.dirty"] === "true" && { isDirty: true as const }),
    author: text("git.author"),
    pullRequest: text("ci.pr.number"),
    ...readAgent(text("exec.agent")),
    changed: Object.entries(resourceChanges ?? {}).reduce((sum, [op, count]) => sum + (op === "same" ? 0 : count), 0),
    deleted: resourceChanges?.delete ?? 0,
  };
}

// A time that cannot be read is not known, and must not hide what is pending.
const timeOfResource = z.iso.datetime({ offset: true }).transform(iso).optional().catch(undefined);
const times = z.looseObject({
  deployment: z.looseObject({
    resources: z.array(z.looseObject({ created: timeOfResource, modified: timeOfResource })).nullish(),
  }),
});

/** A version from the record and what `pulumi stack export` prints of its state; a checkpoint has the same under other names. */
export function versionOf(update: Update, exported: unknown, read = resourceOf): StackVersion {
  if (exported === undefined) return { update, isContinued: false, modified: [], interrupted: [] };
  const content = exportedOf(exported);
  const { data } = times.safeParse(content);
  const { resources } = data?.deployment ?? {};
  const [oldest] = (resources ?? []).flatMap(({ created }) => created ?? []).sort();
  return {
    update,
    state: stateIn(content, `the state of version ${update.version}`, read),
    isContinued: oldest !== undefined && oldest < update.start,
    ...(oldest !== undefined && { oldest }),
    modified: (resources ?? []).flatMap(({ modified }) => modified ?? []),
    interrupted: interruptedIn(content),
  };
}

/** What `pulumi stack export` prints. */
export interface ExportedState {
  readonly deployment?: unknown;
}

/** The state of a checkpoint, as a folder or bucket keeps it, in the form of an export. */
export function exportedOf(content: unknown): ExportedState {
  const { checkpoint } = (content ?? {}) as { readonly checkpoint?: { readonly latest?: unknown } };
  return checkpoint ? { deployment: checkpoint.latest ?? {} } : (content as ExportedState);
}

const pendingOperations = z.looseObject({
  deployment: z.looseObject({
    pending_operations: z.array(z.looseObject({ resource: z.looseObject({ urn: z.string() }) })).nullish(),
  }),
});

/** URNs of the resources whose change was interrupted. */
export function interruptedIn(exported: unknown): readonly string[] {
  const pending = pendingOperations.safeParse(exported).data?.deployment.pending_operations ?? [];
  return [...new Set(pending.map(({ resource }) => resource.urn))];
}

/** Reads resources of many versions: what most of them repeat is read once, and is the same object. */
export function readerOfMany(): typeof resourceOf {
  const last = new Map<string, { readonly resource: object; readonly read: ReturnType<typeof resourceOf> }>();
  return (resource) => {
    const key = `${resource.urn} ${resource.delete}`;
    const undated = { ...resource, modified: undefined };
    const known = last.get(key);
    if (known && isSameJson(known.resource, undated)) return known.read;
    const read = resourceOf(resource);
    last.set(key, { resource: undated, read });
    return read;
  };
}

/** The same as `isDeepStrictEqual` for parsed JSON, in a third of its time. */
function isSameJson(a: unknown, b: unknown): boolean {
  if (a === b || typeof a !== "object" || typeof b !== "object" || !a || !b) return a === b;
  const [one, other] = [a as Properties, b as Properties];
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => isSameJson(one[name], other[name]));
}

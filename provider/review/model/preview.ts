import { z } from "zod";
import { DocsError } from "../../api/http/errors";
import type { Operation, ResourceSnapshot } from "../../lifecycle/review";
import { ownTypeOf } from "../../resources/urns";
import type { Properties } from "../../run/properties";
import { nameIn, typeAt, typesIn } from "../../run/urn";
import { alphabetical, type Diagnostic, diagnosticsOf } from "./diagnostics";
import { maskedProperties } from "./masks";

const state = z.looseObject({
  urn: z.string().optional(),
  inputs: z.unknown().optional(),
  outputs: z.unknown().optional(),
  id: z.string().optional(),
  protect: z.boolean().optional(),
  retainOnDelete: z.boolean().optional(),
  deletedWith: z.string().optional(),
  delete: z.boolean().optional(),
  propertyDependencies: z.record(z.string(), z.array(z.string()).nullish()).nullish(),
});
const step = z.looseObject({
  op: z.string(),
  urn: z.string(),
  oldState: state.nullish(),
  newState: state.nullish(),
});
const document = z.looseObject({
  steps: z.array(step).nullish(),
  diagnostics: z
    .array(z.looseObject({ urn: z.string().optional(), message: z.string(), severity: z.string() }))
    .nullish(),
  changeSummary: z.record(z.string(), z.number()).nullish(),
  config: z.record(z.string(), z.unknown()).nullish(),
});
type Document = z.output<typeof document>;
type Step = z.output<typeof step>;

export interface Resource {
  readonly urn: string;
  /** The part of the type after the last colon: `Site`, `MemberRole`, `Organization`. */
  readonly type: string;
  readonly name: string;
  /** Whether a class of this package declares it. */
  readonly isOwn: boolean;
  /** Whether the resource is a component, which only groups others. */
  readonly component: boolean;
  readonly operation: Operation;
  readonly id: string | undefined;
  /** The state before the refresh; `undefined` if there was no refresh, or if the resource is new. */
  readonly recorded: ResourceSnapshot | undefined;
  /** The live resource: found by the refresh, otherwise as in the state. */
  readonly live: ResourceSnapshot | undefined;
  readonly declared: Properties | undefined;
  /** The options that protected the resource, and that it no longer has. */
  readonly lostProtection: readonly Protection[];
  /** The option in the state because of which a deletion or replacement only removes the resource from the state. */
  readonly retained: string | undefined;
  /** The declared options that protect the resource. */
  readonly protection: readonly Protection[];
  /** Other resources below other parents have the same type and name. */
  readonly shared?: true;
  /** By property, URNs of the resources that the declared value comes from. */
  readonly sources?: Readonly<Record<string, readonly string[]>>;
}

export interface Preview {
  readonly project: string;
  readonly stack: string;
  /** Configuration that the engine shows, secrets masked. */
  readonly config: Properties;
  readonly resources: readonly Resource[];
  readonly diagnostics: readonly Diagnostic[];
  readonly failed: boolean;
  /** Whether the preview checked for drift, or the stack is new and cannot have any. */
  readonly refreshed: boolean;
  /** Whether the preview covers only a part of the stack. */
  readonly partial: boolean;
  /** The engine would change nothing, not even in the state. */
  readonly isEmpty: boolean;
}

/** Reads the output of `pulumi preview --json`; messages call it `source`. */
export function readPreview(text: string, source: string): Preview {
  if (text.trim() !== "") return previewIn(parseOutput(text, source, "pulumi preview --json"), source);
  throw new DocsError(
    `${source} is empty: pulumi preview --json failed before it could print a preview; its standard error says why`,
  );
}

export function previewIn(printed: unknown, source: string): Preview {
  const content = contentOf(printed, source);
  const all = underOneUrn(content.steps ?? []);
  const leftBehind = all.filter(isLeftBehind);
  const steps = all.filter((one) => !isLeftBehind(one));
  const diagnostics = diagnosticsOf(content.diagnostics ?? [], Boolean(content.steps));
  const failed = diagnostics.some(({ severity }) => severity === "error");
  if (!failed) refuseOtherCounts(content, source);
  const refreshed = steps.some(({ op }) => op === "refresh") || wasEmpty(content);
  const [project, stack] = stackOf(content, source, failed);
  return {
    project,
    stack,
    config: maskedProperties(content.config ?? {}),
    resources: resourcesOf(steps, leftBehind, failed),
    diagnostics,
    failed,
    refreshed,
    partial: refreshed && !failed && countUnshown(content, steps) > 0,
    isEmpty: !countsChanges(content) && leftBehind.length === 0,
  };
}

function contentOf(printed: unknown, source: string): Document {
  const { data: content } = document.safeParse(printed);
  if (!content?.steps && !content?.diagnostics)
    throw new DocsError(`${source} is not what pulumi preview --json prints: it has no steps; use its whole output`);
  // The output of `pulumi refresh --preview-only --json` counts changed resources without showing them.
  if (!countsChanges(content) || (content.steps ?? []).some(({ op }) => op !== "refresh")) return content;
  throw new DocsError(
    `${source} is the preview of a refresh, which does not show what has changed; use pulumi preview --refresh --json`,
  );
}

const countsChanges = ({ changeSummary }: Document): boolean =>
  Object.entries(changeSummary ?? {}).some(([op, count]) => op !== "same" && count > 0);

/** Refuses a preview from which steps were cut, or to which some were added. A failed preview may stop before it counts. */
function refuseOtherCounts({ steps, changeSummary }: Document, source: string): void {
  if (Object.keys(changeSummary ?? {}).length === 0) return;
  for (const operation of ["create", "update", "replace", "delete", "import"]) {
    const counted = changeSummary?.[operation] ?? 0;
    const stepCount = (steps ?? []).filter(({ op }) => op === operation).length;
    if (counted === stepCount) continue;
    throw new DocsError(
      `${source} was cut or edited: its changeSummary counts ${counted} steps of the operation ${operation}, and it has ${stepCount}; make the preview again`,
    );
  }
}

export function parseOutput(text: string, source: string, command: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    const reason = (error as Error).message.replace(/\s+/g, " ");
    throw new DocsError(
      `${source} is not JSON (${reason}); use the standard output of ${command} alone, without its standard error`,
    );
  }
}

/** Whether the stack was empty: then a preview without a refresh shows everything as well. */
function wasEmpty({ changeSummary }: Document): boolean {
  const operations = Object.entries(changeSummary ?? {}).filter(([, count]) => count > 0);
  return operations.length > 0 && operations.every(([op]) => op === "create");
}

/** Reads project and stack from a URN, `urn:pulumi:stack::project::types::name`. Nothing else in the preview has them. */
function stackOf({ steps, diagnostics }: Document, source: string, failed: boolean): [project: string, stack: string] {
  const urns = [...(steps ?? []), ...(diagnostics ?? [])].flatMap(({ urn }) => urn ?? []);
  const match = urns.map((urn) => /^urn:pulumi:([^:]+)::([^:]+)::/.exec(urn)).find(Boolean);
  if (match?.[1] && match[2]) return [match[2], match[1]];
  if (failed) return ["", ""];
  throw new DocsError(`${source} does not say which stack it is about: none of its steps has a URN`);
}

/** The number of resources in the summary that have no step: `--target` and `--exclude` refresh only some resources. */
function countUnshown({ changeSummary }: Document, steps: readonly Step[]): number {
  const counted = Object.values(changeSummary ?? {}).reduce((sum, count) => sum + count, 0);
  return counted - new Set(steps.map(({ urn }) => urn)).size;
}

/** Gives all steps of a resource with an alias the new URN. The engine refreshes the resource under the old URN. */
function underOneUrn(steps: readonly Step[]): readonly Step[] {
  const renamed = new Map<string, string>();
  for (const { op, urn, oldState } of steps)
    if (op !== "refresh" && oldState?.urn !== undefined) renamed.set(oldState.urn, urn);
  return steps.map((one) => (one.op === "refresh" ? { ...one, urn: renamed.get(one.urn) ?? one.urn } : one));
}

/**
 * Whether the step shows an object that a replacement was to delete when it was interrupted. The state keeps it beside the new one,
 * and the engine deletes it in the next up, of which a preview shows nothing but this refresh.
 */
const isLeftBehind = ({ op, oldState, newState }: Step): boolean =>
  op === "refresh" && oldState?.delete === true && !!newState;

function deletionOf(refresh: Step, surroundings: Surroundings): Resource[] {
  const deletion = { op: "delete", urn: refresh.urn, oldState: refresh.newState };
  const resource = resourceOf(refresh.urn, [refresh, deletion], surroundings);
  return resource ? [{ ...resource, name: `${resource.name}, which is replaced already` }] : [];
}

function resourcesOf(steps: readonly Step[], leftBehind: readonly Step[], failed: boolean): Resource[] {
  const byUrn = new Map<string, Step[]>();
  for (const one of steps) byUrn.set(one.urn, [...(byUrn.get(one.urn) ?? []), one]);
  // Without --show-sames, an unchanged resource has only the step of the refresh.
  const samesAreShown = !failed && steps.some(isShownSame);
  // The engine works on several resources at once, so the order of its steps differs from run to run.
  const ordered = [...byUrn].sort(([one], [other]) => alphabetical.compare(one, other));
  const isDeleted = (urn: string) => ["delete", "replace"].includes(operationOf(byUrn.get(urn) ?? []));
  const surroundings = { failed, samesAreShown, isDeleted };
  const resources = ordered.flatMap(([urn, own]) => resourceOf(urn, own, surroundings) ?? []);
  return [...distinct(resources), ...leftBehind.flatMap((one) => deletionOf(one, surroundings))];
}

/** Adds the types of the parents to resources with the same type and name, which may exist below different parents. */
function distinct(resources: readonly Resource[]): Resource[] {
  const nameOf = ({ type, name }: Resource) => `${type} ${name}`;
  const counts = new Map<string, number>();
  for (const one of resources) counts.set(nameOf(one), (counts.get(nameOf(one)) ?? 0) + 1);
  return resources.map((one) => {
    if (counts.get(nameOf(one)) === 1) return one;
    const parents = typesIn(one.urn).slice(0, -1);
    const above = parents.map((type) => type.split(":").at(-1)).join("/");
    return { ...one, name: `${one.name} in ${above || "the stack"}`, shared: true as const };
  });
}

/** Whether the step shows an unchanged resource because of --show-sames. The stack and a change of `protect` have such a step anyway. */
function isShownSame({ op, urn, oldState, newState }: Step): boolean {
  if (op !== "same" || urn.includes(`::${stackType}::`)) return false;
  return (oldState?.protect ?? false) === (newState?.protect ?? false);
}

interface Surroundings {
  readonly failed: boolean;
  readonly samesAreShown: boolean;
  readonly isDeleted: (urn: string) => boolean;
}

function resourceOf(
  urn: string,
  steps: readonly Step[],
  { failed, samesAreShown, isDeleted }: Surroundings,
): Resource | undefined {
  const type = typeAt(urn);
  if (type === stackType) return undefined;
  const ownType = ownTypeOf(type);
  const refresh = steps.find(({ op }) => op === "refresh");
  const main = steps.filter(({ op }) => op !== "refresh");
  // The resource is neither live nor declared.
  if (main.length === 0 && samesAreShown) return undefined;
  const recorded = snapshotOf(refresh?.oldState);
  const before = main.find(({ oldState }) => oldState)?.oldState ?? undefined;
  const after = main.find(({ newState }) => newState)?.newState ?? undefined;
  const operation = operationOf(main);
  const has = (name: Protection, side: typeof before) => side?.[name] === true;
  // Without another step, the resource is declared as the refresh found it. A failed preview may have ended before it compared the
  // resource: then what the refresh found need not be declared, so the recorded state counts.
  const stateOfRefresh = failed ? refresh?.oldState : (refresh?.newState ?? refresh?.oldState);
  const declared = operation === "delete" ? undefined : snapshotOf(after ?? stateOfRefresh)?.inputs;
  return {
    urn,
    type: type.startsWith(providers) ? `${type.slice(providers.length)} provider` : (type.split(":").at(-1) ?? type),
    name: nameIn(urn),
    isOwn: ownType !== undefined,
    component: ownType?.isComponent ?? false,
    operation,
    id: before?.id ?? refresh?.oldState?.id,
    recorded,
    live: snapshotOf(main.length === 0 ? stateOfRefresh : before),
    declared,
    retained: retainedBy(before, isDeleted),
    protection: protections.filter((name) => has(name, after)),
    lostProtection: protections.filter((name) => after && has(name, before) && !has(name, after)),
    sources: sourcesOf(after?.propertyDependencies),
  };
}

/** `protect` refuses a deletion. With `retainOnDelete`, a deletion only removes the resource from the state. */
const protections = ["protect", "retainOnDelete"] as const;
type Protection = (typeof protections)[number];

/** The engine calls no provider to delete a resource if the same run deletes the resource that `deletedWith` names. */
function retainedBy(before: z.output<typeof state> | undefined, isDeleted: (urn: string) => boolean) {
  const { retainOnDelete, deletedWith } = before ?? {};
  if (retainOnDelete) return "retainOnDelete";
  return deletedWith && isDeleted(deletedWith) ? "deletedWith, whose resource is deleted" : undefined;
}

const stackType = "pulumi:pulumi:Stack";
/** The prefix for explicit providers, whose settings decide where resources are. The engine hides default providers. */
const providers = "pulumi:providers:";

function sourcesOf(dependencies: z.output<typeof state>["propertyDependencies"]): Record<string, readonly string[]> {
  return Object.fromEntries(Object.entries(dependencies ?? {}).map(([name, urns]) => [name, urns ?? []]));
}

function snapshotOf(from: z.output<typeof state> | null | undefined): ResourceSnapshot | undefined {
  if (!from) return undefined;
  return { inputs: maskedProperties(from.inputs), outputs: maskedProperties(from.outputs) };
}

/** The operation of the steps. `--show-replacement-steps` shows a replacement as several steps. */
function operationOf(steps: readonly Step[]): Operation {
  const operations = new Set(steps.map(({ op }) => op));
  const has = (...names: string[]) => names.some((name) => operations.has(name));
  if (has("replace", "create-replacement", "delete-replaced", "import-replacement")) return "replace";
  if (has("delete") && has("create")) return "replace";
  if (has("delete")) return "delete";
  if (has("create")) return "create";
  // Other operations, such as an import, change the resource in the state.
  return [...operations].every((op) => harmless.includes(op)) ? "same" : "update";
}

const harmless = ["same", "read", "refresh"];

/**
 * Type and name of a resource, such as `Site handbook` or `provider other`, from its URN: a refused resource has no step.
 * `undefined` for the stack itself, and for a provider that no program has declared.
 */
export function resourceIn(urn: string): string | undefined {
  const [type, name] = [typeAt(urn), nameIn(urn)];
  if (type.startsWith(providers)) return name.startsWith("default_") ? undefined : `provider ${name}`;
  return type === stackType || name === "" ? undefined : `${type.split(":").at(-1)} ${name}`;
}

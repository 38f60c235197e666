import { z } from "zod";
import { DocsError } from "../../api/http/errors";
import type { Moment, Operation } from "../../lifecycle/review";
import type { Properties } from "../../run/properties";
import { maskedProperties } from "./masks";

const state = z.looseObject({
  urn: z.string().optional(),
  inputs: z.unknown().optional(),
  outputs: z.unknown().optional(),
  id: z.string().optional(),
  protect: z.boolean().optional(),
  retainOnDelete: z.boolean().optional(),
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

/** A resource in the preview, with what it was, is and is to be. */
export interface Resource {
  readonly urn: string;
  /** The part of the type after the last colon: `Site`, `MemberRole`, `Organization`. */
  readonly type: string;
  readonly name: string;
  /** One of this package's resources or components. */
  readonly ours: boolean;
  /** It only groups others. */
  readonly component: boolean;
  readonly operation: Operation;
  readonly id: string | undefined;
  /** As the state has it; `undefined` where nothing was refreshed, or the resource is new. */
  readonly recorded: Moment | undefined;
  /** As it is: found by the refresh, else as the state has it. */
  readonly live: Moment | undefined;
  /** The inputs that the program declares. */
  readonly declared: Properties | undefined;
  /** It was protected against deletion, and is so no longer. */
  readonly unprotected: boolean;
  /** The engine only forgot it if it was deleted (`retainOnDelete`), and does so no longer. */
  readonly unretained?: true;
  /** The engine only forgets it where it is deleted or replaced (`retainOnDelete`). */
  readonly retained: boolean;
  /** The options by which the program protects it from now on. */
  readonly protection: readonly string[];
  /** Others have its type and name, below other parents. */
  readonly shared?: true;
  /** URNs of the resources that a declared value comes from, by property. */
  readonly sources?: Readonly<Record<string, readonly string[]>>;
}

export interface Diagnostic {
  readonly severity: string;
  readonly urn: string | undefined;
  readonly text: string;
}

/** What `pulumi preview --json` printed. */
export interface Preview {
  readonly project: string;
  readonly stack: string;
  /** Configuration that the engine shows, secrets masked. */
  readonly config: Properties;
  readonly resources: readonly Resource[];
  readonly diagnostics: readonly Diagnostic[];
  readonly failed: boolean;
  /** The preview looked for drift, or there is nothing yet that could have drifted. */
  readonly refreshed: boolean;
  /** It looked at a part of the stack only. */
  readonly partial: boolean;
}

/** Reads what `pulumi preview --json` printed; `source` is how a message names it. */
export function readPreview(text: string, source: string): Preview {
  const content = contentOf(text, source);
  const steps = underOneUrn(content.steps ?? []);
  const diagnostics = diagnosticsOf(content);
  const failed = diagnostics.some(({ severity }) => severity === "error");
  const refreshed = steps.some(({ op }) => op === "refresh") || isNew(content);
  const [project, stack] = stackOf(content, source, failed);
  return {
    project,
    stack,
    config: maskedProperties(content.config ?? {}),
    resources: resourcesOf(steps, failed),
    diagnostics,
    failed,
    refreshed,
    partial: refreshed && !failed && leftOut(content, steps) > 0,
  };
}

function contentOf(text: string, source: string): Document {
  if (text.trim() === "") {
    throw new DocsError(
      `${source} is empty: pulumi preview --json failed before it could print a preview; its standard error says why`,
    );
  }
  const result = document.safeParse(parsed(text, source));
  if (result.success && (result.data.steps || result.data.diagnostics)) return refuseRefresh(result.data, source);
  throw new DocsError(`${source} is not what pulumi preview --json prints: it has no steps; use its whole output`);
}

/** `pulumi refresh --preview-only --json` counts what has drifted, and shows nothing of it. */
function refuseRefresh(content: Document, source: string): Document {
  const { steps, changeSummary } = content;
  const changes = Object.entries(changeSummary ?? {}).some(([op, count]) => op !== "same" && count > 0);
  if (!changes || (steps ?? []).some(({ op }) => op !== "refresh")) return content;
  throw new DocsError(
    `${source} is the preview of a refresh, which does not show what has changed; use pulumi preview --refresh --json`,
  );
}

function parsed(text: string, source: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    throw new DocsError(
      `${source} is not JSON (${(error as Error).message.replace(/\s+/g, " ")}); use the standard output of pulumi preview --json alone, without ` +
        "its standard error",
    );
  }
}

/** A stack that had nothing has nothing to refresh, whatever the options were. */
function isNew({ changeSummary }: Document): boolean {
  const operations = Object.entries(changeSummary ?? {}).filter(([, count]) => count > 0);
  return operations.length > 0 && operations.every(([op]) => op === "create");
}

/** `urn:pulumi:stack::project::types::name`; nothing else in the preview names the stack. */
function stackOf({ steps, diagnostics }: Document, source: string, failed: boolean): [project: string, stack: string] {
  const urns = [...(steps ?? []), ...(diagnostics ?? [])].flatMap(({ urn }) => urn ?? []);
  const match = urns.map((urn) => /^urn:pulumi:([^:]+)::([^:]+)::/.exec(urn)).find(Boolean);
  if (match?.[1] && match[2]) return [match[2], match[1]];
  if (failed) return ["", ""];
  throw new DocsError(`${source} does not say which stack it is about: none of its steps has a URN`);
}

/**
 * Resources that the summary counts and that no step shows: a preview with `--target` or `--exclude` refreshes only some.
 */
function leftOut({ changeSummary }: Document, steps: readonly Step[]): number {
  const counted = Object.values(changeSummary ?? {}).reduce((sum, count) => sum + count, 0);
  return counted - new Set(steps.map(({ urn }) => urn)).size;
}

/** A resource with an alias is refreshed under the URN that it had, and everything else happens under the new one. */
function underOneUrn(steps: readonly Step[]): readonly Step[] {
  const renamed = new Map<string, string>();
  for (const { op, urn, oldState } of steps) {
    if (op !== "refresh" && oldState?.urn !== undefined && oldState.urn !== urn) renamed.set(oldState.urn, urn);
  }
  return steps.map((one) => (one.op === "refresh" ? { ...one, urn: renamed.get(one.urn) ?? one.urn } : one));
}

function resourcesOf(steps: readonly Step[], failed: boolean): Resource[] {
  const byUrn = new Map<string, Step[]>();
  for (const one of steps) byUrn.set(one.urn, [...(byUrn.get(one.urn) ?? []), one]);
  // Without --show-sames, what stays as it is has no step but that of the refresh.
  const shown = !failed && steps.some(isShownSame);
  return distinct([...byUrn].flatMap(([urn, own]) => resourceOf(urn, own, shown) ?? []));
}

/** Below other parents, resources may have the same type and name: then the types of the parents tell them apart. */
function distinct(resources: readonly Resource[]): Resource[] {
  const nameOf = ({ type, name }: Resource) => `${type} ${name}`;
  const counts = new Map<string, number>();
  for (const one of resources) counts.set(nameOf(one), (counts.get(nameOf(one)) ?? 0) + 1);
  return resources.map((one) => {
    if (counts.get(nameOf(one)) === 1) return one;
    const parents = (one.urn.split("::")[2] ?? "").split("$").slice(0, -1);
    const above = parents.map((type) => type.split(":").at(-1)).join("/");
    return { ...one, name: `${one.name} in ${above || "the stack"}`, shared: true as const };
  });
}

/** A step of something that stays is printed with --show-sames, and where only its protection changes. */
function isShownSame({ op, urn, oldState, newState }: Step): boolean {
  if (op !== "same" || urn.includes("::pulumi:pulumi:Stack::")) return false;
  return (oldState?.protect ?? false) === (newState?.protect ?? false);
}

function resourceOf(urn: string, steps: readonly Step[], samesAreShown: boolean): Resource | undefined {
  const [types = "", ...names] = urn.split("::").slice(2);
  const type = types.split("$").at(-1) ?? types;
  if (type === "pulumi:pulumi:Stack") return undefined;
  const refresh = steps.find(({ op }) => op === "refresh");
  const main = steps.filter(({ op }) => op !== "refresh");
  // Gone from the service and from the program.
  if (main.length === 0 && samesAreShown) return undefined;
  const recorded = momentOf(refresh?.oldState ?? undefined);
  const before = main.find(({ oldState }) => oldState)?.oldState ?? undefined;
  const after = main.find(({ newState }) => newState)?.newState ?? undefined;
  const operation = operationOf(main);
  const stays = operation !== "delete" && after !== undefined;
  const declared = operation === "delete" ? undefined : momentOf(after ?? refresh?.oldState ?? undefined)?.inputs;
  return {
    urn,
    type: type.startsWith(providers) ? `${type.slice(providers.length)} provider` : (type.split(":").at(-1) ?? type),
    name: names.join("::"),
    ours: /^(pulumi-nodejs:dynamic\/docs|docs:index):/.test(type),
    component: type.startsWith("docs:index:"),
    operation,
    id: before?.id ?? refresh?.oldState?.id,
    recorded,
    live: main.length === 0 ? recorded : momentOf(before),
    declared,
    retained: before?.retainOnDelete === true,
    protection: protections.filter((name) => operation !== "delete" && after?.[name] === true),
    unprotected: stays && before?.protect === true && after.protect !== true,
    ...(stays && before?.retainOnDelete === true && after.retainOnDelete !== true && { unretained: true as const }),
    sources: sourcesOf(after?.propertyDependencies),
  };
}

const protections = ["protect", "retainOnDelete"] as const;

/** The types of explicit providers, whose settings decide where their resources are; the engine hides the others. */
const providers = "pulumi:providers:";

function sourcesOf(dependencies: z.output<typeof state>["propertyDependencies"]): Record<string, readonly string[]> {
  const known = Object.entries(dependencies ?? {}).map(([name, urns]) => [name, urns ?? []] as const);
  return Object.fromEntries(known.filter(([, urns]) => urns.length > 0));
}

function momentOf(from: z.output<typeof state> | undefined): Moment | undefined {
  if (!from) return undefined;
  return { inputs: maskedProperties(from.inputs), outputs: maskedProperties(from.outputs) };
}

/** `--show-replacement-steps` shows the parts of a replacement instead of the whole. */
function operationOf(steps: readonly Step[]): Operation {
  const operations = new Set(steps.map(({ op }) => op));
  const has = (...names: string[]) => names.some((name) => operations.has(name));
  if (has("replace", "create-replacement", "delete-replaced", "import-replacement")) return "replace";
  if (has("delete") && has("create")) return "replace";
  if (has("delete")) return "delete";
  if (has("create")) return "create";
  // What else there is, an import for example, leaves something as it was not.
  return [...operations].every((op) => harmless.includes(op)) ? "same" : "update";
}

const harmless = ["same", "read", "refresh"];

// biome-ignore lint/suspicious/noControlCharactersInRegex: the engine colours what programs print
const colours = /\u001b\[[0-9;]*m/g;

function diagnosticsOf({ diagnostics, steps }: Document): Diagnostic[] {
  const all = (diagnostics ?? []).map(({ severity, urn, message }) => {
    return { severity, urn, text: inPlainWords(message.replace(colours, "")) };
  });
  const errors = all.filter(({ severity }) => severity === "error");
  // The engine's last word says nothing where another error says why.
  const empty = ({ text }: Diagnostic) => errors.length > 1 && /^(update|preview) failed$/.test(text);
  const repeated = (one: Diagnostic) =>
    one.urn === undefined && all.some((other) => other !== one && other.urn && other.text.includes(one.text));
  const found = all.filter((one) => one.text !== "" && !empty(one) && !repeated(one));
  if (steps || found.length > 0) return found;
  return [{ severity: "error", urn: undefined, text: "the preview has no steps and does not say why" }];
}

/** Without the engine's prefixes, without the lines of a stack, and with names instead of URNs. */
function inPlainWords(message: string): string {
  const lines = message.split(/\r?\n/).filter((line) => !/^\s+at .*[:(]/.test(line));
  return lines
    .join("\n")
    .replace(/^(error|warning|info): /, "")
    .replace(/^Preview failed: /, "")
    .replace(/^pulumi-nodejs:dynamic\/docs:\w+ resource '.*?': /, "")
    .replace(/resource "urn:pulumi:[^"]*[:$/](\w+)::([^"]+)"/g, '$1 "$2"')
    .trim();
}

/** `Site handbook`, as a URN names it; a resource that was refused has no step. Nothing of the stack itself. */
export function resourceIn(urn: string): string | undefined {
  const [types = "", ...names] = urn.split("::").slice(2);
  const type = types.split(/[$:]/).at(-1) ?? "";
  return type === "Stack" || names.length === 0 ? undefined : `${type} ${names.join("::")}`;
}

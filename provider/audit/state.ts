import { z } from "zod";
import { DocsError } from "../api/http/errors";
import { ownTypeOf } from "../resources/urns";
import { notesIn, type ReviewNotes } from "../review/model/component-notes";
import { maskedProperties } from "../review/model/masks";
import { parseOutput, type Resource } from "../review/model/preview";
import { originKey } from "../run/origin";
import { propertiesIn } from "../run/properties";
import { nameIn } from "../run/urn";
import { writtenKey } from "../run/writes";

const resource = z.looseObject({
  urn: z.string(),
  type: z.string(),
  id: z.string().optional(),
  inputs: z.unknown().optional(),
  outputs: z.unknown().optional(),
  external: z.boolean().optional(),
  delete: z.boolean().optional(),
});
const document = z.looseObject({
  deployment: z.looseObject({ resources: z.array(resource).nullish() }),
});

/** What a state says about a resource, in the shape of previews: `live` has the recorded inputs and outputs. */
export type AuditedResource = Pick<
  Resource,
  "urn" | "type" | "name" | "isOwn" | "component" | "operation" | "id" | "live"
> & {
  /** The recent writes that the resource records (`writtenKey`). */
  readonly written?: unknown;
  /** The address of the service that it belongs to (`originKey`). */
  readonly origin?: unknown;
};

export interface StackState {
  /** `project/stack`; for a stack without resources, the source of the state. */
  readonly name: string;
  readonly source: string;
  /** The resources of this package. Those that are marked for deletion have the operation `delete`. */
  readonly resources: readonly AuditedResource[];
  /** What the components know beside their resources. */
  readonly notes: readonly ReviewNotes[];
}

/** Reads the output of `pulumi stack export`; messages call it `source`. */
export function readState(text: string, source: string): StackState {
  return stateIn(contentOf(text, source), source);
}

/** What `pulumi stack export` prints, as a value. `read` can read a resource as `resourceOf` does. */
export function stateIn(content: unknown, source: string, read = resourceOf): StackState {
  const all = resourcesIn(content, source);
  const urn = /^urn:pulumi:([^:]+)::([^:]+)::/.exec(all[0]?.urn ?? "");
  const resources = all.flatMap((one) => read(one) ?? []);
  const notes = all.flatMap(
    ({ type, inputs }) => (ownTypeOf(type)?.isComponent && notesIn(maskedProperties(inputs))) || [],
  );
  return { name: urn ? `${urn[2]}/${urn[1]}` : source, source, resources, notes };
}

/** The state of a stack as the Automation API exports it; a stack that was not made yet has none. */
export const readExported = (exported: unknown, stackName: string): StackState =>
  stateIn(exported, `the state of stack ${stackName}`);

/** The addresses of the services that states belong to, as `refuseOtherServices` takes them. */
export const servicesOf = (states: readonly StackState[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    states.flatMap(({ resources }) =>
      resources.flatMap(({ origin }) => (typeof origin === "string" ? [[origin, ""]] : [])),
    ),
  );

/** Returns `undefined` for resources of other packages, for components, and for resources that the stack only reads. */
export function resourceOf(one: z.output<typeof resource>): AuditedResource | undefined {
  const { urn, type, id, inputs, outputs, external, delete: isLeaving } = one;
  const ownType = ownTypeOf(type);
  if (!ownType || ownType.isComponent || external) return undefined;
  return {
    urn,
    type: ownType.name,
    name: nameIn(urn),
    isOwn: true,
    component: false,
    operation: isLeaving ? "delete" : "same",
    id,
    live: { inputs: maskedProperties(inputs), outputs: maskedProperties(outputs) },
    written: propertiesIn(outputs)[writtenKey],
    origin: propertiesIn(outputs)[originKey],
  };
}

function contentOf(text: string, source: string): unknown {
  if (text.trim() === "") {
    throw new DocsError(
      `${source} is empty; pipe in what pulumi stack export prints, or name a file with --state; if that command failed, its standard error says why`,
    );
  }
  return parseOutput(text, source, "pulumi stack export");
}

function resourcesIn(content: unknown, source: string) {
  const result = document.safeParse(content);
  if (result.success) return result.data.deployment.resources ?? [];
  throw new DocsError(`${source} ${reasonOf(content)}; use what pulumi stack export prints`);
}

function reasonOf(content: unknown): string {
  const has = (name: string) => typeof content === "object" && content !== null && name in content;
  if (has("steps") || has("changeSummary")) return "is a preview, not the state of a stack";
  if (has("deployment")) return "has a deployment that cannot be read: its resources are not those of a state";
  return "is not the state of a stack: it has no deployment";
}

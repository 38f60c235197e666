import * as pulumi from "@pulumi/pulumi";
import type { AnyDefinition } from "../../lifecycle/definition";
import type { Properties } from "../../run/properties";
import { nameIn, recordedResources, type StackResources, typesIn } from "./stack-resources";
import { typeOf } from "./stub";

/** What a run knows: the URNs that the program declares, and what the stack has. */
interface Run {
  readonly urns: Set<string>;
  readonly recorded: Promise<StackResources>;
}
const runs = new WeakMap<object, Run>();

/**
 * Warns at a preview of a resource that looks like one under another name, which the program no longer declares: most
 * programs that do so have renamed it, and would lose it. Only a program knows names; the up refuses (see renames.ts).
 */
export function warnIfRenamed(definition: AnyDefinition, resource: pulumi.CustomResource, args: object): void {
  const stack = pulumi.runtime.getStackResource();
  if (!definition.identities || !stack || !pulumi.runtime.isDryRun()) return;
  const run = runs.get(stack) ?? { urns: new Set(), recorded: recordedOrWarned() };
  runs.set(stack, run);
  const { __aliases: aliases = [] } = resource as { readonly __aliases?: readonly pulumi.Input<string>[] };
  pulumi.all([resource.urn, pulumi.all([...aliases]), pulumi.output(args)]).apply(async ([urn, former, known]) => {
    for (const one of [urn, ...former]) run.urns.add(one);
    const recorded = await run.recorded;
    if ([urn, ...former].some((one) => recorded[one])) return;
    const old = lookalike(definition, known as Properties, run.urns, recorded);
    if (old) await pulumi.log.warn(warning(definition, urn, old), resource);
  });
}

/** A preview goes on without this warning, and says so: the up refuses all the same. */
function recordedOrWarned(): Promise<StackResources> {
  return recordedResources(why).catch(async (error: Error) => {
    await pulumi.log.warn(error.message);
    return {};
  });
}

const why = "whether a resource was only renamed depends on what the stack has managed so far";

function lookalike(
  definition: AnyDefinition,
  known: Properties,
  urns: ReadonlySet<string>,
  recorded: StackResources,
): string | undefined {
  const own = definition.identities?.(known) ?? [];
  if (known.allowTwin === true || known.allowReplace === true) return undefined;
  const found = Object.entries(recorded).find(([urn, { outputs = {} }]) => {
    if (typesIn(urn).at(-1) !== typeOf(definition.name) || urns.has(urn)) return false;
    if (known.organizationId !== undefined && known.organizationId !== outputs.organizationId) return false;
    return definition.identities?.(outputs).some((one) => own.includes(one));
  });
  return found?.[0];
}

function warning({ name, deletionLoses }: AnyDefinition, urn: string, old: string): string {
  const former = `${name} "${nameIn(old)}"`;
  const sameParent = typesIn(old).join("$") === typesIn(urn).join("$");
  const option = sameParent ? `aliases: [{ name: "${nameIn(old)}" }]` : `aliases: ["${old}"]`;
  const wayOut = typesIn(urn).includes("docs:index:Organization")
    ? "keep its key in the file"
    : `add the option ${option}`;
  return (
    `${name} "${nameIn(urn)}" looks like ${former}, which the program does not declare: a rename without an alias deletes ${former}, ` +
    `and ${deletionLoses}. If it was renamed or moved, ${wayOut}; if a new one is wanted, declare allowTwin: true. Otherwise pulumi up refuses it`
  );
}

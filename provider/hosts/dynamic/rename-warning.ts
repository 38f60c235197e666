import { setTimeout as sleep } from "node:timers/promises";
import * as pulumi from "@pulumi/pulumi";
import type { AnyDefinition } from "../../lifecycle/definition";
import { type Former, toDeclareAgain, toKeep } from "../../lifecycle/renames";
import type { Properties } from "../../run/properties";
import { formerAt } from "./former-names";
import { aliasesOf } from "./sdk-internals";
import { recordedResources, type StackResources, typesIn } from "./stack-resources";
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
export function warnIfRenamed(
  definition: AnyDefinition,
  resource: pulumi.CustomResource,
  args: object,
  parent: pulumi.Resource | undefined,
): void {
  const stack = pulumi.runtime.getStackResource();
  if (!definition.identities || !stack || !pulumi.runtime.isDryRun()) return;
  const run = runs.get(stack) ?? { urns: new Set(), recorded: recordedOrWarned() };
  runs.set(stack, run);
  pulumi
    .all([resource.urn, pulumi.all([...aliasesOf(resource)]), pulumi.output(args)])
    .apply(async ([urn, former, known]) => {
      for (const one of [urn, ...former]) run.urns.add(one);
      const recorded = await run.recorded;
      const own = [urn, ...former].map((one) => recorded[one]).find(Boolean);
      const old = await abandoned(() => lookalike(definition, known as Properties, run.urns, recorded, own));
      if (!old) return;
      const names = {
        own: formerAt(definition, urn, old, parent).name,
        former: formerAt(definition, old, urn, parent),
      };
      await pulumi.log.warn((own ? refusedDeletion : warning)(definition, names), resource);
    });
}

/** How long the program may take to declare the other one. */
const patience = 3_000;

/** The engine waits as well, which would take the program for complete otherwise. */
async function abandoned(find: () => string | undefined): Promise<string | undefined> {
  const done = pulumi.runtime.rpcKeepAlive();
  try {
    for (let waited = 0; waited < patience && find() !== undefined; waited += 100) await sleep(100);
    return find();
  } finally {
    done();
  }
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
  /** What the stack has of the resource itself: then only the deletion of an older one is refused (see renames.ts). */
  self: Recorded | undefined,
): string | undefined {
  const own = definition.identities?.(known) ?? [];
  if (known.allowTwin === true || known.allowReplace === true) return undefined;
  const found = Object.entries(recorded).find(([urn, { outputs = {} }]) => {
    if (typesIn(urn).at(-1) !== typeOf(definition.name) || urns.has(urn)) return false;
    if (self && !(createdAt(outputs) < createdAt(self.outputs ?? {}))) return false;
    if (known.organizationId !== undefined && known.organizationId !== outputs.organizationId) return false;
    return definition.identities?.(outputs).some((one) => own.includes(one));
  });
  return found?.[0];
}

type Recorded = StackResources[string];

const createdAt = (outputs: Properties): number => Date.parse(String(outputs.createdAt));

/** Both as the user calls them. */
interface Names {
  readonly own: string;
  readonly former: Former;
}

/** An up without a refresh has created the new one, and what it refused then is only a deletion now. */
function refusedDeletion({ deletionLoses }: AnyDefinition, { own, former }: Names): string {
  return (
    `${own} looks like ${former.name}, which is older and which the program does not declare: pulumi up refuses to delete ${former.name}, and ` +
    `${deletionLoses}. If it was renamed or moved, ${toDeclareAgain(former, "the younger one")}; ` +
    "if the deletion is wanted, declare allowTwin: true"
  );
}

function warning({ deletionLoses }: AnyDefinition, { own, former }: Names): string {
  return (
    `${own} looks like ${former.name}, which the program does not declare: a rename without an alias deletes ${former.name}, ` +
    `and ${deletionLoses}. If it was renamed or moved, ${toKeep(former)}; if a new one is wanted, declare allowTwin: true. Otherwise pulumi up --refresh ` +
    "refuses to create it; without a refresh, pulumi up creates it first and then refuses to delete the old one"
  );
}

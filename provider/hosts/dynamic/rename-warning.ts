import { setTimeout as sleep } from "node:timers/promises";
import * as pulumi from "@pulumi/pulumi";
import type { AnyDefinition } from "../../lifecycle/definition";
import { describeRename, type RenamedNames, toDeclareAgain } from "../../lifecycle/renames";
import type { Properties } from "../../run/properties";
import { perRun } from "../../run/run";
import type { StackResources } from "../stack-state";
import { formerAt } from "./former-names";
import { programRun } from "./program-run";
import { aliasesOf } from "./sdk-internals";
import { recordedResources } from "./stack-resources";
import { findUndeclared, noteDeclared } from "./undeclared";

/** The resources of the stack, read once in a run. */
const recordedIn = perRun(() => recordedOrWarned());

/**
 * Warns at a preview of a resource that looks like a recorded one under a name that the program no longer declares: most likely
 * it was renamed, and its content would be lost. Only the program knows names; the up refuses such a change (see renames.ts).
 */
export function warnIfRenamed(
  definition: AnyDefinition,
  resource: pulumi.CustomResource,
  args: object,
  parent: pulumi.Resource | undefined,
): void {
  const stack = pulumi.runtime.getStackResource();
  if (!definition.identities || !stack || !pulumi.runtime.isDryRun()) return;
  const reading = recordedIn(programRun());
  pulumi
    .all([resource.urn, pulumi.all([...aliasesOf(resource)]), pulumi.output(args)])
    .apply(async ([urn, former, known]) => {
      noteDeclared([urn, ...former]);
      const recorded = await reading;
      const own = [urn, ...former].map((one) => recorded[one]).find(Boolean);
      const old = await abandoned(() => findFormer(definition, known as Properties, recorded, own));
      if (!old) return;
      const names = {
        own: formerAt(definition, urn, old, parent).name,
        former: formerAt(definition, old, urn, parent),
      };
      await pulumi.log.warn((own ? refusedDeletion : describeRename)(definition, names), resource);
    });
}

/** Makes the engine wait for the warning: otherwise it would take the program for complete. */
async function abandoned(find: () => string | undefined): Promise<string | undefined> {
  const done = pulumi.runtime.rpcKeepAlive();
  try {
    for (let waited = 0; waited < programRun().patience && find() !== undefined; waited += 100) await sleep(100);
    return find();
  } finally {
    done();
  }
}

/** If the state cannot be read, the preview continues without this warning, and says so: the up refuses the change anyway. */
function recordedOrWarned(): Promise<StackResources> {
  return recordedResources(why).catch(async (error: Error) => {
    await pulumi.log.warn(error.message);
    return {};
  });
}

const why = "whether a resource was only renamed depends on what the stack has managed so far";

function findFormer(
  definition: AnyDefinition,
  known: Properties,
  recorded: StackResources,
  /** The record of the resource itself. If there is one, only the deletion of an older one is refused (see renames.ts). */
  self: Recorded | undefined,
): string | undefined {
  if (known.allowTwin === true || known.allowReplace === true) return undefined;
  return findUndeclared(definition, definition.identities?.(known) ?? [], recorded).find((urn) => {
    const { outputs = {} } = recorded[urn] ?? {};
    const isOlder = !self || createdAt(outputs) < createdAt(self.outputs ?? {});
    return isOlder && (known.organizationId === undefined || known.organizationId === outputs.organizationId);
  });
}

type Recorded = StackResources[string];

const createdAt = (outputs: Properties): number => Date.parse(String(outputs.createdAt));

/** For a new resource that an up without a refresh has already created: only the deletion of the old one is left to refuse. */
function refusedDeletion({ deletionLoses }: AnyDefinition, { own, former }: RenamedNames): string {
  return (
    `${own} looks like ${former.name}, which is older and which the program does not declare: pulumi up refuses to delete ${former.name}, and ` +
    `${deletionLoses}. If it was renamed or moved, ${toDeclareAgain(former, "the younger one")}; ` +
    "if the deletion is wanted, declare allowTwin: true"
  );
}

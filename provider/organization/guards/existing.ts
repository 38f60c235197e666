import * as definitions from "../../definitions";
import type { AnyDefinition, Created } from "../../lifecycle/definition";
import { findExisting, findTakenOver, listExisting, listUnmanaged, waysOut } from "../../lifecycle/existing";
import type { Context } from "../../run/context";
import { counted } from "../../text/safe-text";
import type { RecordedChild } from "../live/recorded";
import type { Child } from "../sections";
import { type ExistingChild, managerId, type PlannedChange, type Violation } from "./change";

/** Finds live objects like children that the stack does not record; sends nothing if the stack records all children. An object whose id another child has is no candidate. */
export async function findExistingChildren(
  context: Context,
  children: readonly Child[],
  recorded: readonly RecordedChild[],
): Promise<ExistingChild[]> {
  const recordedIds = new Set(recorded.map(({ resource, name }) => managerId(resource, name)));
  const ids = new Set(children.map(({ id }) => id));
  const searches = children.map(async (child): Promise<ExistingChild[]> => {
    const { recognition }: AnyDefinition = definitions[child.resource];
    if (!recognition || recordedIds.has(managerId(child.resource, child.name))) return [];
    const unmanaged: Created[] = await listUnmanaged(context, recognition);
    const candidates = unmanaged.filter(({ id }) => id === child.id || !ids.has(id));
    const sameBy = { id: ({ id }: Created) => id === child.id, ...recognition.sameBy };
    const existing = await findExisting(context, { ...recognition, sameBy }, child.inputs, candidates);
    return existing ? [{ ...existing, child, named: findTakenOver(context.run, existing) }] : [];
  });
  return (await Promise.all(searches)).flat();
}

/** Refuses to create what exists: the state was lost, a run was killed, or another stack manages it. */
export function existingObjects({ existing, declaredBy, stack }: PlannedChange): Violation[] {
  const refused = existing.filter(
    ({ named, sameBy, child }) => !named && (sameBy === "id" || child.inputs.allowDuplicate !== true),
  );
  if (refused.length === 0) return [];
  const objects = `${counted(refused.length, "object")} that ${declaredBy} declares`;
  const verb = refused.length === 1 ? "exists" : "exist";
  const start = stack.isEmpty
    ? `Stack ${stack.name} manages nothing yet, and ${objects} already ${verb}`
    : `Stack ${stack.name} does not manage ${objects} and that already ${verb}`;
  const places = refused.map(({ child: { section, key }, ...one }) => ({ ...one, place: `${section}.${key}` }));
  return [{ path: [], text: [listExisting(start, places), ...waysOut(stack, refused)].join("\n") }];
}

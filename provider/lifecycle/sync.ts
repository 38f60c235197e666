import { copyError, DocsError } from "../api/http/errors";
import type { Context } from "../run/context";
import { differingProperties, type Properties, pick } from "../run/properties";
import { shownValue } from "../text/mistakes";
import { type AnyDefinition, metaOf } from "./definition";
import { declaredIn, incompleteKey, keepPeopleNotDue, providerKey, stateOf } from "./state";

interface Sync {
  readonly id: string;
  readonly live: unknown;
  readonly inputs: Properties;
  /** A creation has already changed the service, and the state does not record it yet. */
  readonly alreadyCreated: boolean;
  readonly secrets: ReadonlySet<string> | undefined;
}

/** Runs the steps of `sync`. After a failure, the state records the completed steps, and the next up finishes the work. */
export async function runSync(definition: AnyDefinition, context: Context, sync: Sync): Promise<Properties> {
  const declared = declaredIn(definition, sync.inputs);
  const stored = (live: unknown) =>
    keepPeopleNotDue(context.run, context.recorded, stateOf(definition, context, live, declared));
  let hasChanged = sync.alreadyCreated;
  let { live } = sync;
  let state = stored(live);
  try {
    for await (const after of definition.lifecycle.sync(context, sync.id, live, declared)) {
      hasChanged = true;
      live = after;
      state = stored(live);
    }
    // What else differs is no part of the grants: the state keeps it, and the next preview shows it.
    if (hasChanged && !context.run.settings.dueGrants()) refuseIneffective(definition, sync, live);
  } catch (error) {
    if (!hasChanged || !(error instanceof Error)) throw error;
    const properties = { ...state, [incompleteKey]: true, [providerKey]: sync.inputs[providerKey] };
    throw Object.assign(copyError(error), { id: sync.id, properties, reasons: [error.message] });
  }
  return state;
}

/** Fails if the service reported success but the live values are not the declared ones. */
function refuseIneffective(definition: AnyDefinition, { id, inputs, secrets }: Sync, live: unknown): void {
  const declared = declaredIn(definition, inputs);
  const values: Properties = definition.lifecycle.values(live, declared);
  const readable = Object.keys(values).filter((name) => declared[name] !== undefined);
  const unchanged = differingProperties(pick(values, readable), pick(declared, readable), definition.equal);
  if (unchanged.length === 0) return;
  const differences = unchanged.map((name) => {
    if (metaOf(definition, name)?.concealed || secrets?.has(name)) return `${name} is not the declared one`;
    return `${name} is ${shownValue(values[name])} instead of ${shownValue(declared[name])}`;
  });
  throw new DocsError(
    `${definition.name} ${id}: the service reported success but did not make the change: ${differences.join(", and ")}; ` +
      "check the object in the service, and run pulumi up again",
  );
}

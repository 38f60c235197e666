import { runtime } from "@pulumi/pulumi";
import { type Scope, whatOf } from "../../access/claims";
import { userKey } from "../../access/user";
import type { AnyDefinition } from "../../lifecycle/definition";
import type { Properties } from "../../run/properties";
import { configure, settings } from "../../run/settings";
import { oncePerRun } from "./once-per-run";
import { runError } from "./run-error";

interface Holder {
  /** Its types and its name (see once-per-run.ts). */
  readonly place: string;
  /** In a message: `TeamMembership "ada"`. */
  readonly name: string;
}

/** Which resource manages what access: the one of each user. */
interface Managed {
  readonly users: Map<string, Holder>;
  /** The resource that manages everybody. */
  whole?: Holder;
}

/** What is managed in this run of a program, by organization and scope. */
const managedInRun = oncePerRun(() => new Map<string, Managed>());

/**
 * Refuses the second resource that manages the same access, and names both. Called by the classes, which alone know the
 * names of resources; what only ids reveal, the handlers refuse (see rivals.ts).
 */
export function registerClaims(definition: AnyDefinition, holder: Holder, declared: Properties): void {
  const { inputs, claims, exclusive } = definition;
  // What is wrong otherwise, check says on its property.
  if ((!claims && !exclusive) || !inputs.safeParse(declared).success) return;
  if (exclusive) holdWhole(holder, declared, exclusive(declared));
  for (const { scope, user } of claims?.(declared) ?? []) {
    const known = managedIn(declared, scope);
    const other = known.users.get(userKey(user)) ?? known.whole;
    refuseOther(holder, other, whatOf(scope, user));
    known.users.set(userKey(user), holder);
  }
}

function holdWhole(holder: Holder, declared: Properties, scope: Scope): void {
  const known = managedIn(declared, scope);
  refuseOther(holder, known.whole ?? [...known.users.values()][0], whatOf(scope));
  known.whole = holder;
}

function managedIn({ organizationId }: Properties, scope: Scope): Managed {
  const key = JSON.stringify([organizationId ?? ofSettings() ?? null, scope]);
  const managed = managedInRun();
  const known = managed.get(key) ?? { users: new Map() };
  managed.set(key, known);
  return known;
}

function refuseOther(holder: Holder, other: Holder | undefined, what: string): void {
  if (other === undefined || other.place === holder.place) return;
  const text = `${holder.name} and ${other.name} both manage ${what}, and each would undo what the other one does; remove one of them`;
  // A component is made later, where the engine would show the stack as well.
  throw runError(text);
}

/** In the process of a program, configuration is that of its stack. */
function ofSettings(): string | undefined {
  configure((key) => runtime.getConfig(key));
  return settings().organizationId;
}

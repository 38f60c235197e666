import { allowRaiseFor, type ReleaseOptions } from "../../access-plan/release";
import { DocsError } from "../../api/http/errors";
import { userKey } from "../../people/user";
import { byKey } from "../shared/managed-people";
import type { Person } from "../shared/role";
import type { Inputs } from "./properties";

/** The options that decide how `MemberRoles` releases people, of which some are for single people. */

/** A person, by the key in the state or in the declaration. */
export type Entry = readonly [key: string, person: Person];

/** The options for each person who is no longer declared. */
export function optionsOfRemoval({ onDestroy, onRemoval = onDestroy, onRemovalOf = {}, ...raising }: Inputs) {
  const single = byKey(onRemovalOf);
  return (entry: Entry): ReleaseOptions => {
    const names = recordedNames(entry);
    const [own] = names.flatMap((name) => single.get(name) ?? []);
    return { onDestroy: own ?? onRemoval, allowRaise: allowRaiseFor(raising, names) };
  };
}

/** The options for each person when the resource is deleted. */
export function optionsOfDestroy({ onDestroy, ...raising }: Inputs) {
  return (entry: Entry): ReleaseOptions => ({ onDestroy, allowRaise: allowRaiseFor(raising, recordedNames(entry)) });
}

/** The names of the person in the state: the recorded one and the id. The live e-mail may have belonged to somebody else before. */
const recordedNames = ([key, { member }]: Entry): string[] => [userKey(key), member.user.id];

/**
 * Refuses options that name a released person only by the live e-mail: neither a review nor the state shows that they apply to
 * this person, and the e-mail may have been passed on.
 */
export function refuseUnrecordedNames(
  { onRemovalOf = {}, allowRaiseOf = [] }: Pick<Inputs, "onRemovalOf" | "allowRaiseOf">,
  people: readonly Entry[],
): void {
  for (const [option, names] of [
    ["onRemovalOf", Object.keys(onRemovalOf)],
    ["allowRaiseOf", allowRaiseOf],
  ] as const) {
    const named = new Set(names.map(userKey));
    for (const entry of people) refuseUnrecordedName(option, named, entry);
  }
}

function refuseUnrecordedName(option: string, named: ReadonlySet<string>, entry: Entry): void {
  const [key, { member }] = entry;
  const { id, email: live } = member.user;
  const email = live === undefined ? undefined : userKey(live);
  if (email === undefined || !named.has(email) || recordedNames(entry).some((name) => named.has(name))) return;
  throw new DocsError(
    `${option} names ${email}, which belongs to ${id} now, and the state has this person as ${key}: nothing is changed. ` +
      `In ${option} (members in organization.yaml), name this person as ${key}; name any other person by user id`,
  );
}

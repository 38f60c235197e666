import type { GrantTerms } from "../../access-plan/input";
import { nothing, type Place, rankOfLevel } from "../../access-plan/place";
import type { Access, PersonReview } from "./access";

/** A grant that exists before and after, and whose end or release changes. */
export interface GrantEnd {
  /** Id, name and keys of the person. */
  readonly id: string;
  readonly name: string;
  readonly keys: readonly string[];
  readonly place: Place;
  readonly before: GrantTerms;
  readonly after: GrantTerms;
  /** The person gains nothing today, but keeps access longer, or gets more afterwards. */
  readonly longer: boolean;
  readonly level: string;
}

/** The grants whose end or release changes. A grant that begins or is released is listed with that change instead. */
export const grantEndsOf = (people: readonly PersonReview[]): GrantEnd[] =>
  people.flatMap(({ id, name, keys, access }) =>
    access.filter(isListed).map((one): GrantEnd => {
      const { place, grant: after = {}, lastGrant: before = {}, after: level } = one;
      return { id, name, keys, place, before, after, longer: rises(one) || isLonger(one), level };
    }),
  );

function isListed(access: Access): boolean {
  const { grant: after = {}, lastGrant: before = {}, released, effect } = access;
  const isSame = before.expires === after.expires && before.then === after.then;
  if (isSame || access.after === nothing || released) return false;
  // A change of access without an earlier end is a new grant, which is listed with that change, unless more follows later.
  return before.expires !== undefined || effect === "none" || rises(access);
}

/** Whether the grant is followed by more access than the person has until then. */
function rises({ grant: { expires, then } = {}, after }: Access): boolean {
  const level = levelAfter(then);
  return expires !== undefined && level !== undefined && level > rankOfLevel(after);
}

/** Whether the grant lasts longer or gives more afterwards. Days as text compare in their order. */
function isLonger({ grant: after = {}, lastGrant: before = {}, after: level }: Access): boolean {
  if (before.expires === undefined) return false;
  // If the person already has what follows, removing the end changes nothing.
  if (after.expires === undefined) return level !== before.then;
  if (after.expires > before.expires) return true;
  if (before.then === after.then) return false;
  const [was, is] = [levelAfter(before.then), levelAfter(after.then)];
  return was === undefined || is === undefined || is > was;
}

/** The level after the end of a grant; `undefined` for the previous role, which is not known here. */
const levelAfter = (then = "remove"): number | undefined =>
  then === "restore" ? undefined : rankOfLevel(then === "remove" ? nothing : then);

export function endText({ expires, then }: GrantTerms): string {
  return expires === undefined ? "without an end" : `until ${expires}, then ${then ?? nothing}`;
}

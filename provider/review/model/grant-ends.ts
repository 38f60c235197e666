import type { GrantTerms } from "../../access-plan/input";
import { nothing, type Place, rankOfLevel } from "../../access-plan/place";
import type { Access, PersonReview } from "./access";

/** A changed end or release of a grant. Before or afterwards, the access may have no end. */
export interface GrantEnd {
  /** Id, name and keys of the person. */
  readonly id: string;
  readonly name: string;
  readonly keys: readonly string[];
  readonly place: Place;
  readonly before: GrantTerms;
  readonly after: GrantTerms;
  /** The person keeps the access longer than before, or gets more afterwards. */
  readonly longer: boolean;
  readonly level: string;
}

/** The grants whose end or release changes. A grant that begins or is released is listed with that change instead. */
export const grantEndsOf = (people: readonly PersonReview[]): GrantEnd[] =>
  people.flatMap(({ id, name, keys, access }) =>
    access.filter(isListed).map((one): GrantEnd => {
      const { place, grant = {}, lastGrant = {}, after: level } = one;
      const longer = rises(one) || isLonger(one);
      return { id, name, keys, place, before: lastGrant, after: grant, longer, level };
    }),
  );

function isListed(access: Access): boolean {
  const { grant = {}, lastGrant = {}, after: level, released, effect } = access;
  const isSame = lastGrant.expires === grant.expires && lastGrant.then === grant.then;
  if (isSame || level === nothing || released) return false;
  // If the access changes and had no end before, the grant is new and listed with the change, unless more access follows later.
  return lastGrant.expires !== undefined || effect === "none" || rises(access);
}

/** Whether the grant is followed by more access than the person has until then. */
function rises({ grant: { expires, then } = {}, after }: Access): boolean {
  const level = levelAfter(then);
  return expires !== undefined && level !== undefined && level > rankOfLevel(after);
}

/** Whether the grant lasts longer or gives more afterwards. Days as text compare in their order. */
function isLonger({ grant = {}, lastGrant = {}, after: level }: Access): boolean {
  if (lastGrant.expires === undefined) return false;
  // If the person already has what follows, removing the end changes nothing.
  if (grant.expires === undefined) return level !== lastGrant.then;
  if (grant.expires > lastGrant.expires) return true;
  if (lastGrant.then === grant.then) return false;
  const [before, now] = [levelAfter(lastGrant.then), levelAfter(grant.then)];
  return before === undefined || now === undefined || now > before;
}

/** The level after the end of a grant; `undefined` for the previous role, which is not known here. */
const levelAfter = (then = "remove"): number | undefined =>
  then === "restore" ? undefined : rankOfLevel(then === "remove" ? nothing : then);

export function endText({ expires, then }: GrantTerms): string {
  return expires === undefined ? "without an end" : `until ${expires}, then ${then ?? nothing}`;
}

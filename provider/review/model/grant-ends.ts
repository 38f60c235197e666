import type { AccessPlan } from "../../access-plan/access-plan";
import { endOf } from "../../access-plan/grants";
import type { Grant, GrantTerms } from "../../access-plan/input";
import { keyOfPlace, nothing, type Place, rankOfLevel } from "../../access-plan/place";
import type { Access, PersonReview } from "./access";
import type { People } from "./people";

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
  /** The grant begins later, with this level. */
  readonly beginsLater?: true;
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

/** The grants that begin later and are new or changed. No resource declares these people, so no access shows them. */
export function laterGrantsOf(plan: AccessPlan, people: People): GrantEnd[] {
  const { grants } = plan.input;
  const isSameLine = (a: Grant, b: Grant) => a.user === b.user && keyOfPlace(a.place) === keyOfPlace(b.place);
  return (grants?.declared ?? []).flatMap((declared): GrantEnd[] => {
    const { id, name, keys } = people.of(declared.user);
    const { place, role: level = "", user: _, place: __, ...after } = declared;
    const change = plan.of(place, { id });
    if (declared.from === undefined || change?.declaredBy.length || change?.cause === "grant ends") return [];
    const recorded = grants?.recorded.find((one) => isSameLine(one, declared));
    if (recorded?.role === level && endText(recorded) === endText(after)) return [];
    return [{ id, name, keys, place, before: recorded ?? {}, after, longer: false, level, beginsLater: true }];
  });
}

function isListed(access: Access): boolean {
  const { grant = {}, lastGrant = {}, released, effect } = access;
  const isSame = lastGrant.expires === grant.expires && lastGrant.then === grant.then;
  if (isSame || released) return false;
  // A new grant without an earlier end is listed with the change of access that it makes, unless more access follows later.
  const hadEnd = lastGrant.expires !== undefined;
  const accessStays = effect === "none";
  return hadEnd || accessStays || rises(access);
}

/** Whether the grant is followed by more access than the person has until then. */
function rises({ grant: { then } = {}, after }: Access): boolean {
  const rank = rankAfter(then);
  return rank !== undefined && rank > rankOfLevel(after);
}

/** Whether the grant lasts longer or gives more afterwards. */
function isLonger({ grant = {}, lastGrant = {}, after: level }: Access): boolean {
  if (lastGrant.expires === undefined) return false;
  // If the person already has what follows, removing the end changes nothing.
  if (grant.expires === undefined) return level !== lastGrant.then;
  if (endOf(grant.expires) > endOf(lastGrant.expires)) return true;
  if (lastGrant.then === grant.then) return false;
  const [before, now] = [rankAfter(lastGrant.then), rankAfter(grant.then)];
  return before === undefined || now === undefined || now > before;
}

/** The rank of what follows a grant, the lowest one for a removal; `undefined` for the previous role, which is not known here. */
const rankAfter = (then = "remove"): number | undefined => (then === "restore" ? undefined : rankOfLevel(then));

export function endText({ from, expires, then }: GrantTerms): string {
  const end = expires === undefined ? "without an end" : `until ${expires}, then ${then ?? nothing}`;
  return from === undefined ? end : `from ${from} ${end}`;
}

import { canonical } from "../../access/plan-file";
import { type AccessPlan, planAccess } from "../../access-plan/access-plan";
import { type AccessChange, directionOf } from "../../access-plan/change";
import type { GrantTerms, Manager } from "../../access-plan/input";
import { isKnownLevel, nothing, type Place } from "../../access-plan/place";
import { optionsFor } from "../../access-plan/release";
import { isAnonymous, withoutAnonymousMark } from "../../people/user";
import type { AccessOfPreview } from "./access-input";
import type { Resource } from "./preview";

export type Effect = "gains" | "loses" | "changes" | "none";
/** The origin of the change: the program, a change outside Pulumi, or both. */
export type Cause = "declared" | "drift" | "both";

export interface Access {
  readonly place: Place;
  /** The live level: `none`, a role, or `unknown` if the preview does not show it. */
  readonly before: string;
  readonly after: string;
  readonly effect: Effect;
  readonly cause: Cause;
  /** The level in the state, if it was changed outside Pulumi since. */
  readonly recorded?: string;
  /** Explains the result of the change if it is not obvious. */
  readonly note?: string;
  /** No member has the e-mail, as far as the state or a component knows. The access begins when the person joins. */
  readonly pending?: true;
  /** The person has left, or has not joined, and the record of the access goes. */
  readonly isRecord?: true;
  /** The reason and the end of the grant that a component declares, and those that it has declared before. */
  readonly grant?: GrantTerms;
  readonly lastGrant?: GrantTerms;
  /** The grant is what changes the access. */
  readonly grantChange?: "begins" | "ends";
  /** No resource declares the person, and one decides about everybody in the place. */
  readonly undeclared?: true;
  /** `others` decides, and no resource has declared the person so far. */
  readonly isOther?: true;
  /** No resource manages the access after the change. */
  readonly released: boolean;
  /** The release options of the person before and after, if a changing resource declares the person. */
  readonly releaseOptions?: { readonly before: string; readonly after: string };
  /** The access has another manager than before. */
  readonly moved: boolean;
  /** Names of the managers before (`from`) and after (`to`). */
  readonly from: readonly string[];
  readonly to: readonly string[];
}

export interface PersonReview {
  /** The user id if the state has it, otherwise the e-mail in lower case. */
  readonly id: string;
  readonly name: string;
  readonly userId?: string;
  /** All ids and e-mails of this person that the preview has. */
  readonly keys: readonly string[];
  /** The preview hides the person: the value is a secret, or known only during the up. */
  readonly hidden: boolean;
  /** The person cannot sign in, as far as a component has looked. */
  readonly disabled?: true;
  readonly access: readonly Access[];
}

/**
 * What a review says of an access. `drift`: this up only sets back what was changed outside Pulumi. The last four keep the
 * access: `accepted` declares a change made outside Pulumi, `released` is not managed afterwards, `taken` was not managed before,
 * and of `record` only the state has something: the person has left, or has not joined.
 */
export type Group = "drift" | "gains" | "loses" | "changes" | "accepted" | "released" | "taken" | "record";

export function groupOf({ effect, cause, released, after, recorded, from, isRecord }: Access): Group | undefined {
  if (isRecord) return "record";
  // A change that neither gains nor loses may not set the level back: a role cannot be given to somebody who has left.
  const isSetBack = cause === "drift" && effect !== "changes";
  if (effect !== "none") return isSetBack ? "drift" : effect;
  if (released) return after === nothing ? undefined : "released";
  if (recorded !== undefined) return "accepted";
  return from.length === 0 ? "taken" : undefined;
}

/** The access of all people before and after, across all resources, including access that does not change. */
export function planPeople(shown: AccessOfPreview): { readonly plan: AccessPlan; readonly people: PersonReview[] } {
  const plan = planAccess(shown.input);
  const accessById = new Map<string, Access[]>();
  for (const change of plan.subjects) {
    const access = accessIn(change, shown);
    if (access) accessById.set(change.person.id, [...(accessById.get(change.person.id) ?? []), access]);
  }
  const order = (a: Access, b: Access) => compare(orderOf(a.place), orderOf(b.place));
  const people = [...accessById.keys()].map((id) => shown.people.of(id));
  people.sort((a, b) => compare(a.name, b.name) || compare(a.id, b.id));
  return {
    plan,
    people: people.map(({ id, name, userId, keys }) => ({
      id,
      name: withoutAnonymousMark(name),
      userId,
      keys,
      hidden: isAnonymous(id),
      ...(plan.identities.of(id).live?.isDisabled && { disabled: true as const }),
      access: accessById.get(id)?.sort(order) ?? [],
    })),
  };
}

const { compare } = new Intl.Collator("en");

/** The role first, then single sign-on and the teams. */
const orderOf = ({ kind, team, organization }: Place) => `${kind} ${organization} ${team}`;

/** `undefined` for access that is only recorded, and neither live nor declared, unless the record goes with this change. */
function accessIn(change: AccessChange, shown: AccessOfPreview): Access | undefined {
  const { place, before, after, recorded, recordedBy, declaredBy, state, cause, isOther, grant = {} } = change;
  const isPending = state === "pending" || shown.people.unjoined.has(change.person.id);
  const isGone = declaredBy.length === 0 && after === nothing;
  const isOnlyRecorded = isGone && before === nothing;
  const recordGoes = place.kind !== "sso" && isAnyChanging(recordedBy, shown);
  if (isOnlyRecorded && !recordGoes) return undefined;
  // Without a refresh, a person who was pending may have joined.
  const hasNeverJoined = isGone && isPending && shown.refreshed;
  const hasRecorded = ({ id }: Manager) => recordedBy.some((one) => one.id === id);
  return {
    place,
    before,
    after,
    effect: effectOf(change, shown),
    cause: causeOf(change),
    recorded,
    note: noteOf(change),
    ...(isPending && { pending: true as const }),
    ...((isOnlyRecorded || hasNeverJoined) && { isRecord: true as const }),
    ...(grant.declared && { grant: termsOf(grant.declared) }),
    ...(grant.recorded && { lastGrant: termsOf(grant.recorded) }),
    ...(cause === "grant begins" && { grantChange: "begins" as const }),
    ...(cause === "grant ends" && { grantChange: "ends" as const }),
    ...(cause === "undeclared" && { undeclared: true as const }),
    ...(isOther && { isOther }),
    released: declaredBy.length === 0 || cause === "left",
    ...releaseOptionsIn(change, shown),
    moved: recordedBy.length > 0 && declaredBy.length > 0 && !declaredBy.some(hasRecorded),
    from: namesOf(recordedBy),
    to: namesOf(declaredBy),
  };
}

const isAnyChanging = (managers: readonly Manager[], { changing }: AccessOfPreview): boolean =>
  managers.some(({ id }) => changing.has(id));

function causeOf({ recorded, after }: AccessChange): Cause {
  if (recorded === undefined) return "declared";
  return after === recorded ? "drift" : "both";
}

const namesOf = (managers: readonly Manager[]): string[] => [...new Set(managers.map(({ name }) => name))];

const termsOf = ({ reason, from, expires, then }: GrantTerms): GrantTerms => ({ reason, from, expires, then });

/** The release options before and after. The single sign-on mark has none: it cannot be removed. */
function releaseOptionsIn({ place, person, recordedBy, declaredBy }: AccessChange, shown: AccessOfPreview) {
  if (place.kind === "sso" || !isAnyChanging(declaredBy, shown)) return {};
  const keys = [person.id, ...person.keys];
  const textOf = (managers: readonly Manager[], side: "recorded" | "declared") => {
    const texts = managers.map((manager) => {
      const options = manager[side]?.options ?? {};
      const { option: destroy } = optionsFor(options, keys, "destroy");
      const { option: removal, allowRaise } = optionsFor(options, keys, "removal");
      const onRelease = removal === destroy ? destroy : { destroy, removal };
      return canonical({ onRelease, allowRaise: allowRaise || undefined });
    });
    return [...new Set(texts)].join(" or ");
  };
  return { releaseOptions: { before: textOf(recordedBy, "recorded"), after: textOf(declaredBy, "declared") } };
}

/** What a reader should know of a release. */
function noteOf({ cause, reason, place, by }: AccessChange): string | undefined {
  // The change of the role already says that the person leaves.
  if (cause === "left") return undefined;
  if (cause === "undeclared" && by.declared?.others !== undefined)
    return `not declared (others: ${by.declared.others})`;
  if (cause === "undeclared" && reason === "removed") return "not declared (exclusive)";
  const { retained } = by.recorded ?? {};
  if (reason === "left alone" && retained !== undefined)
    return `no longer managed: only removed from the state (${retained})`;
  if (reason === "removed" && place.kind === "team") return undefined;
  return reason && notes[reason];
}

/** The compiler asks for a note, or `undefined`, of each reason. */
const notes: Readonly<Record<NonNullable<AccessChange["reason"]>, string | undefined>> = {
  removed: "removed from the organization, with every team",
  "left alone": undefined,
  guest: undefined,
  refused: undefined,
  same: "it is the previous role",
  "would raise": "restoring the previous role would raise it",
  restored: "no longer managed; the previous role is restored",
  ignored: "ignored from now on",
  mark: "the single sign-on mark cannot be removed",
  found: "was never declared",
  "not shown": undefined,
  "not visible": "what decides it is secret, or known only during the up",
  "may be ignored": "may be ignored: the up decides by the e-mail, and the preview has only the user id",
  "may be declared": "hides the e-mail, and may be declared by e-mail",
  "may be back": "not declared; hides the e-mail, and may be a declared person who left and came back",
  "may be in the team": "not withdrawn: a person in the team hides the e-mail, and may have this one",
};

/** A level that the preview hides may be another one than before, unless the resource stays as it is. */
function effectOf(change: AccessChange, shown: AccessOfPreview): Effect {
  // Nothing is given to a person who has left.
  if (change.state === "absent") return "none";
  const isHidden = !isKnownLevel(change.after) && isAnyChanging(change.declaredBy, shown);
  return isHidden ? "changes" : directionOf(change);
}

export const nameOfResource = ({ type, name }: Pick<Resource, "type" | "name">): string => `${type} ${name}`;

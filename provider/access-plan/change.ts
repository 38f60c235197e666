import { asksForEmail } from "../people/patterns";
import { isAnonymous, isEmail, userKey } from "../people/user";
import type { HiddenEmails } from "./hidden-emails";
import type { Identity } from "./identities";
import type { AccessInput, Declaration, Grant, Manager } from "./input";
import { isKnownLevel, isLower, nothing, type Place, rankOfLevel, unknown } from "./place";
import { optionsFor, type ReleaseReason, releaseRole } from "./release";
import {
  type AccessSubject,
  type DeclaringManager,
  ignores,
  patternsOfOthers,
  type RecordingManager,
} from "./subjects";

/** The access of one person in one place, before and after. It is listed also if it stays as it is. */
export interface AccessChange {
  readonly person: Identity;
  readonly place: Place;
  /** The live level; `unknown` if it was not read. */
  readonly before: string;
  /** The level afterwards. If the person is pending or absent, the level after the person has joined or come back. */
  readonly after: string;
  /** `undeclared`: no manager declares the person, and one decides about everybody in the place. `left`: the person leaves the organization. */
  readonly cause: "declared" | "released" | "undeclared" | "left" | "grant begins" | "grant ends";
  readonly grant?: { readonly recorded?: Grant | undefined; readonly declared?: Grant | undefined };
  /** `others` decides, and no program has declared the person so far. The up changes only people that the review has shown. */
  readonly isOther?: true;
  /** A program has declared the person in the place before. */
  readonly wasDeclared?: boolean;
  /** Managers that have the person in their state. */
  readonly recordedBy: readonly Manager[];
  /** Managers that declare the person. */
  readonly declaredBy: readonly Manager[];
  /** The manager that decides `after`. */
  readonly by: Manager;
  readonly reason?: ReleaseReason | KeptReason;
  /** Declared e-mails and patterns that may mean the person, who hides the e-mail and stays because of that. */
  readonly mayBe?: readonly string[];
  readonly previous?: string | undefined;
  /** The recorded level, if the live one was changed outside Pulumi since. */
  readonly recorded?: string | undefined;
  /**
   * `pending`: no member has the e-mail yet. `absent`: a manager has recorded the person, who has left the organization.
   * `non-member`: no member has the declared id, and no manager has recorded it, so it is mistyped.
   */
  readonly state: "active" | "pending" | "absent" | "non-member";
}

/** Why a person who is no longer managed keeps the level, or may keep it, beside the reasons of a release. */
type KeptReason =
  | "ignored"
  /** The mark of single sign-on cannot be removed. */
  | "mark"
  /** The state has the person, but no program ever declared the person. */
  | "found"
  /** No preview has shown the person, or the person is undeclared and the creation is refused. */
  | "not shown"
  /** An option or a pattern of the manager is secret or unknown. */
  | "not visible"
  /** A pattern of the manager may match the e-mail, which was not read. */
  | "may be ignored"
  /** `others` of a manager refuses the person. */
  | "refused"
  /** The person hides the e-mail, and may be the one that the manager declares or ignores by e-mail. */
  | "may be declared"
  /** The person hides the e-mail, and may be a declared one who left the organization and came back under a new id. */
  | "may be back"
  /** Somebody in the team hides the e-mail, which may be this pending one. */
  | "may be in the team";

/** Whether the person gains or loses by the change; `changes` if that cannot be told, or is neither. */
export function directionOf({ place, before, after }: Pick<AccessChange, "place" | "before" | "after">) {
  if (before === after) return "none";
  if (place.kind === "sso" || rankOfLevel(after) < 0) return "changes";
  // A person whose role was not read may be a guest already.
  if (before === unknown && after === "guest") return "changes";
  // A role cannot make a non-member a member, so it is not a gain.
  if (place.kind === "role" && before === nothing) return "changes";
  // A level that is not known may be a low one, and counts as a guest.
  return isLower(before, after) ? "gains" : "loses";
}

type Levels = Pick<AccessChange, "before" | "after">;

/**
 * Whether `part` is the same change as `whole`, or the rest of it: both end at the same level, and `part` begins where `whole`
 * begins, or between its two levels. A level that is not known may be any.
 */
export function isPartOf(part: Levels, whole: Levels): boolean {
  if (part.after !== whole.after) return false;
  if (part.before === whole.before || !isKnownLevel(part.before) || !isKnownLevel(whole.before)) return true;
  const isPartOfGain = isLower(whole.before, part.before) && !isLower(whole.after, part.before);
  const isPartOfLoss = isLower(part.before, whole.before) && !isLower(part.before, whole.after);
  return isPartOfGain || isPartOfLoss;
}

/**
 * Whether a change lowers a level that the plan did not know, or, to a level that the plan hides, a higher one than it knew: nobody
 * could review the loss. A planned removal shows that it takes away any level.
 */
export function isUnseenLoss({ before, after }: Levels, planned: Levels): boolean {
  if (!isKnownLevel(before) || !isLower(after, before)) return false;
  if (planned.before === unknown) return planned.after !== nothing;
  return isKnownLevel(planned.before) && !isKnownLevel(planned.after) && isLower(planned.before, before);
}

/** What the person has in the place afterwards. `undefined` if no manager is responsible. */
export function decide(subject: AccessSubject, input: AccessInput, hidden: HiddenEmails): AccessChange | undefined {
  const { person, place, before, declared, recorded } = subject;
  const wanted = highest(declared);
  const released = wanted ? undefined : release(subject, input, hidden);
  if (!wanted && !released) return undefined;
  const wasDeclared = recorded.some(({ assignment }) => !assignment.isFound);
  const state = stateOf(subject, input);
  const recordedLevel = recorded.find(wasThere)?.assignment.level;
  const isChangedOutside = state === "active" && isKnownLevel(before) && recordedLevel !== before;
  return {
    person,
    place,
    before,
    after: wanted?.assignment.level ?? released?.after ?? nothing,
    cause: causeOf(subject, wanted, released),
    ...(released?.isByOthers && !wasDeclared && { isOther: true as const }),
    wasDeclared,
    recordedBy: managersOf(recorded),
    declaredBy: managersOf(declared),
    by: wanted?.manager ?? (released?.by as Manager),
    ...(released && { reason: released.reason }),
    ...(released?.mayBe && { mayBe: released.mayBe }),
    previous: previousIn(subject),
    recorded: isChangedOutside ? recordedLevel : undefined,
    state,
  };
}

function causeOf({ recorded }: AccessSubject, wanted?: DeclaringManager, released?: Released): AccessChange["cause"] {
  if (wanted) return "declared";
  const isOwn = recorded.some(({ manager }) => manager === released?.by);
  return isOwn && !released?.isByOthers ? "released" : "undeclared";
}

interface Released {
  readonly by: Manager;
  readonly after: string;
  readonly reason: ReleaseReason | KeptReason;
  readonly mayBe?: readonly string[];
  /** `others` of the manager decides, and no release. */
  readonly isByOthers?: true;
}

const managersOf = (all: readonly { readonly manager: Manager }[]) => [...new Set(all.map(({ manager }) => manager))];

/** Of several declarations, the first with the highest level: a review must show the most that the up may give. A hidden level may be any. */
function highest(declared: readonly DeclaringManager[]): DeclaringManager | undefined {
  const ranks = declared.map(({ assignment: { level } }) => {
    const rank = rankOfLevel(level);
    return rank < 0 ? Number.POSITIVE_INFINITY : rank;
  });
  return declared[ranks.indexOf(Math.max(...ranks))];
}

/**
 * What becomes of a person who is released or undeclared. If several managers release the person, the release that takes most
 * away counts, because each manager carries out its own.
 */
function release(subject: AccessSubject, input: AccessInput, hidden: HiddenEmails): Released | undefined {
  const undeclared = decideUndeclared(subject, input, hidden);
  // The person may be one that the manager of the whole place declares, so no manager releases the person.
  if (undeclared?.mayBe || undeclared?.reason === "may be back") return undeclared;
  const released = subject.recorded.map((one) => releaseBy(one, subject, hidden));
  const isByOthers = undeclared?.isByOthers === true && undeclared.reason !== "may be declared";
  // Beside `others: guest`, only a release that removes the person counts, because it takes away more than the role.
  const releases = isByOthers && undeclared.reason === "guest" ? released.filter(isRemoval) : released;
  const ofOthers = undeclared ? [undeclared] : [];
  const all = isByOthers ? [...ofOthers, ...releases] : [...releases, ...ofOthers];
  // Of several that take equally much away, the first decides: `others` before the releases, other rules after them.
  const [first, ...rest] = all.filter(({ after }) => after !== subject.before);
  if (first) return rest.reduce((lowest, one) => (isLower(one.after, lowest.after) ? one : lowest), first);
  // The level stays. The reason is the one that most needs an answer of the user.
  return all.find(({ mayBe }) => mayBe) ?? all.find(({ reason }) => reason === "would raise") ?? all[0];
}

const isRemoval = ({ after }: Released): boolean => after === nothing;

function releaseBy(one: RecordingManager, subject: AccessSubject, hidden: HiddenEmails): Released {
  const { manager, assignment } = one;
  const { person, place, before } = subject;
  const { declared, recorded } = manager;
  const kept = (reason: Released["reason"]): Released => ({ by: manager, after: before, reason });
  if (!declared && recorded?.retained !== undefined) return kept("left alone");
  if (place.kind === "role" && assignment.isFound) return kept("found");
  // A person who has joined or come back was not given the role yet, so there is nothing to take back. A team is different: it has the e-mail.
  if (place.kind === "role" && !wasThere(one)) return kept("left alone");
  if (declared && (subject.ignoring.includes(manager) || ignores(manager, person))) return kept("ignored");
  if (place.kind === "sso") return kept("mark");
  // Who is not there is neither kept nor removed.
  const isThere = before !== nothing;
  if (isThere && declared?.isHidden) return { by: manager, after: unknown, reason: "not visible" };
  if (isThere && mayBeIgnored(person, declared?.ignore ?? []))
    return { by: manager, after: unknown, reason: "may be ignored" };
  const mayBe = hidden.mayMean(one, person);
  if (mayBe.length > 0) return { ...kept("may be declared"), mayBe };
  if (assignment.isFound && hidden.mayBeBack(manager, person)) return kept("may be back");
  if (assignment.isPending && person.userId === undefined && hidden.hidesIn(place)) return kept("may be in the team");
  const keys = [userKey(assignment.user), person.id, ...(person.live?.names ?? [])];
  const options = optionsFor(declared?.options ?? recorded?.options ?? {}, keys, declared ? "removal" : "destroy");
  if (place.kind === "role") return { by: manager, ...releaseRole(before, previousIn(subject), options) };
  if (!declared && options.option === "leave") return kept("left alone");
  if (!declared && assignment.isFound) return kept("found");
  return { by: manager, after: nothing, reason: "removed" };
}

/** Whether a pattern may match an e-mail that was not read. People who hide it are judged by `HiddenEmails`. */
function mayBeIgnored({ live, keys }: Identity, patterns: readonly string[]): boolean {
  const isEmailRead = live !== undefined && !live.isEmailUnknown;
  return !isEmailRead && !keys.some(isEmail) && patterns.some(asksForEmail);
}

/** Decides about a person that the manager of everybody in the place does not declare, and in a team does not record either. */
function decideUndeclared(subject: AccessSubject, input: AccessInput, hidden: HiddenEmails): Released | undefined {
  const { area, before, person, place, recorded } = subject;
  if (!area?.declared || before === nothing) return undefined;
  if (place.kind === "team" && recorded.some(({ manager }) => manager === area)) return undefined;
  const by = area;
  if (place.kind === "role" && staysAnyway(subject, area.declared, input)) return undefined;
  if (area.declared.isHidden) return { by, after: unknown, reason: "not visible" };
  if (mayBeIgnored(person, patternsOfOthers(area))) return { by, after: unknown, reason: "may be ignored" };
  if (place.kind === "role") return decideOther(subject, by, area.declared, hidden);
  // A creation refuses undeclared people unless an option allows to remove them. An update removes those that a preview has shown.
  const isCreation = area.recorded === undefined;
  const removes = isCreation ? area.declared.isExclusive === true : input.isEverybodyShown;
  if (!removes) return { by, after: before, reason: "not shown" };
  const mayBe = hidden.mayMeanUndeclared(by, person);
  if (mayBe.length > 0) return { by, after: before, reason: "may be declared", mayBe };
  if (hidden.mayBeBack(by, person)) return { by, after: before, reason: "may be back" };
  return { by, after: nothing, reason: "removed" };
}

/**
 * Whether `others` has nothing to decide: another resource has the role, and perhaps releases it in this run, or a guest would
 * become a guest.
 */
const staysAnyway = (
  { area, before, person, recorded }: AccessSubject,
  { others }: Declaration,
  { managedElsewhere }: AccessInput,
): boolean =>
  managedElsewhere?.has(person.id) === true ||
  recorded.some(({ manager, assignment }) => manager !== area && !assignment.isFound) ||
  (others === "guest" && before === "guest" && recorded.length === 0);

/** Applies `others`. Somebody who hides the e-mail stays, because a declared e-mail or a pattern may mean the person. */
function decideOther(
  { before, person }: AccessSubject,
  by: Manager,
  { others }: Declaration,
  hidden: HiddenEmails,
): Released | undefined {
  const common = { by, isByOthers: true as const };
  if (hidden.mayMeanUndeclared(by, person).length > 0 || hidden.mayBeBack(by, person))
    return { ...common, after: before, reason: "may be declared" };
  if (others === "refuse") return { ...common, after: before, reason: "refused" };
  if (others === "guest") return { ...common, after: "guest", reason: "guest" };
  return { ...common, after: nothing, reason: "removed" };
}

/** The level to restore. If several managers record one, the weaker counts: a person may have moved between them. */
function previousIn({ recorded, place, before }: AccessSubject): string | undefined {
  if (place.kind !== "role") return undefined;
  const managed = recorded.filter(wasThere);
  const beginsToBeManaged = managed.length === 0;
  if (beginsToBeManaged) return isKnownLevel(before) && before !== nothing ? before : undefined;
  let weakest: string | undefined;
  for (const { previous } of managed.map(({ assignment }) => assignment))
    if (previous !== undefined && (weakest === undefined || isLower(previous, weakest))) weakest = previous;
  return weakest;
}

/** Whether the person had the recorded level: not before joining, or after having left. */
const wasThere = ({ assignment: { isPending, isNew, isAbsent } }: RecordingManager): boolean =>
  !isPending && !isNew && !isAbsent;

function stateOf(
  { person, before, recordedState, isUnrecorded }: AccessSubject,
  input: AccessInput,
): AccessChange["state"] {
  // A name that the preview does not show may be anybody's.
  if (isAnonymous(person.id)) return "active";
  if (recordedState) return recordedState;
  const isInPlace = before !== nothing && before !== unknown;
  if (isInPlace || person.live) return "active";
  // A person who was not read may still be a member.
  if (!input.arePeopleComplete) return "active";
  if (person.userId === undefined) return "pending";
  if (isUnrecorded) return "non-member";
  // A team that was not read may still have the person, as the state says.
  return before === unknown ? "active" : "absent";
}

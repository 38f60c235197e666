import { isDeepStrictEqual } from "node:util";
import { isChange } from "../access-plan/access-plan";
import type { AccessChange } from "../access-plan/change";
import { phaseOf } from "../access-plan/grants";
import { hidesEmail } from "../access-plan/hidden-emails";
import { isKnownLevel } from "../access-plan/place";
import { isEmail, userKey } from "../people/user";
import type { AppliedGrant, LiveAccess, NotedGrant, ReviewNotes } from "../review/model/component-notes";
import { defined } from "../run/properties";
import type { Path } from "./file/places";
import type { OrganizationFile } from "./file/types";
import type { PlannedChange } from "./guards/change";
import { idOfManager, isInNoState, personNamed } from "./guards/people";
import { type ListedGrant, listGrants, pathOfLine } from "./sections/grants";

/**
 * What a review shows beside the access: the reasons and ends of grants, the titles of teams, and the guards. The notes are an
 * input of a component, so they must not depend on the current day: otherwise they would change although the file does not.
 */
export function reviewNotes(file: OrganizationFile): ReviewNotes {
  const { organization, guards, teams = {}, sites = {} } = file;
  const allowPublic = Object.keys(sites).filter((key) => sites[key]?.allowPublic);
  const shownGuards = { ...guards, ...(allowPublic.length > 0 && { allowPublic }) };
  return {
    organization,
    grants: listGrants(file)
      .filter(({ reason, from, expires }) => reason || from || expires)
      .map(noteGrant),
    teams: Object.entries(teams).flatMap(([id, { title }]) => (title === undefined ? [] : [{ id, title }])),
    ...(Object.keys(shownGuards).length > 0 && { guards: shownGuards }),
  };
}

const noteGrant = ({ expires, ...grant }: ListedGrant): NotedGrant =>
  defined({ ...grant, expires: expires?.on, then: expires?.then });

/** A line of a grant that has a time. */
export interface GrantLine extends Pick<AppliedGrant, "grant" | "manager" | "phase"> {
  readonly path: Path;
}

export const grantLines = (change: Pick<PlannedChange, "name" | "organization" | "now">): GrantLine[] =>
  listGrants(change.organization).flatMap((listed) => {
    const { user, team, from, expires } = listed;
    const path = pathOfLine(change.organization, team, user);
    const line = { path, manager: idOfManager(change, user, team), phase: phaseOf(listed, change.now) };
    return from || expires ? [{ ...line, grant: noteGrant(listed) }] : [];
  });

/** What a run that has ended well records of the grants that have a time. */
export const applyGrants = (change: PlannedChange, before: readonly AppliedGrant[]): AppliedGrant[] =>
  grantLines(change).map(({ grant, manager, phase }) => {
    const reviewedId = findApplied(before, { grant, manager })?.userId;
    const presentId = personNamed(change, grant.user, grant.team).userId;
    // Until the grant begins, the user is the one of the review, although the e-mail may have been passed on.
    const userId = phase === "running" ? (presentId ?? reviewedId) : (reviewedId ?? presentId);
    return defined({ grant, manager, phase, userId });
  });

/** The record of the same line. The manager is another one if the file has all people of a team now, and had single ones. */
export const findApplied = (
  all: readonly AppliedGrant[],
  { grant, manager }: Pick<AppliedGrant, "grant" | "manager">,
) => all.find((one) => one.manager === manager && one.grant.user === grant.user && isDeepStrictEqual(one.grant, grant));

/**
 * Live access that a preview needs and does not show, because no resource has recorded the person or the name yet. Each condition
 * implies a change of the state, because a preview without a change must not change the notes.
 */
export function listLiveAccess({ access, lines }: PlannedChange): LiveAccess[] {
  const declaredNames = new Map(lines.flatMap(({ user, planned }) => (planned ? [[planned, user] as const] : [])));
  const names = new RecordedNames(access);
  const isNeeded = (one: AccessChange): boolean => {
    const { person, before, state } = one;
    const isReleased = one.declaredBy.length === 0 && (isChange(one) || one.wasDeclared === true);
    // A mark of single sign-on is shown by its resource. An absent person has no access.
    if (one.place.kind === "sso" || state === "absent") return false;
    // Members who are not declared matter only if `others` changes them.
    if (one.place.kind === "role" && one.cause === "undeclared" && !isReleased) return false;
    // An e-mail that is neither pending nor known to be a member's has no live access to show.
    if (isInNoState(one)) return state === "pending" || person.userId !== undefined;
    // The state has the pending e-mail, or the person under an e-mail that no member shows.
    if (state === "pending" || person.userId === undefined) return false;
    // Patterns, and e-mails that may be hidden ones, are about the e-mail that the person shows now.
    if (isReleased && person.live && !names.areOnly(person.live.email, person.userId)) return true;
    // The state has the person, but not by the e-mail that the file uses.
    const user = declaredNames.get(one);
    if (user !== undefined && isEmail(user) && !names.of(person.userId).has(userKey(user))) return true;
    // No state says that a person is disabled.
    return person.live?.isDisabled === true && isKnownLevel(before) && isChange(one);
  };
  return access.subjects.filter(isNeeded).map((one): LiveAccess => {
    const { id, userId, live } = one.person;
    const declared = declaredNames.get(one);
    // The person may no longer have the declared e-mail.
    const user = declared === undefined || isEmail(declared) ? (live?.email ?? declared ?? id) : declared;
    const flags = { isDisabled: live?.isDisabled || undefined, hidesEmail: hidesEmail(one.person) || undefined };
    return defined({ user, userId, team: one.place.team, level: one.before, ...flags });
  });
}

/** The e-mails that states have for user ids. */
class RecordedNames {
  /** E-mails by user id, and user ids by e-mail. */
  private readonly links = new Map<string, Set<string>>();

  constructor({ input }: PlannedChange["access"]) {
    for (const { recorded } of input.managers)
      for (const [email, userId] of Object.entries(recorded?.userIds ?? {})) {
        this.links.set(email, this.of(email).add(userId));
        this.links.set(userId, this.of(userId).add(email));
      }
  }

  of = (name: string): Set<string> => this.links.get(name) ?? new Set();

  /** Whether states know the person by this e-mail, by no other one, and nobody else by it. */
  areOnly(email: string | undefined, userId: string): boolean {
    const [emails, ids] = [this.of(userId), this.of(userKey(email ?? ""))];
    return emails.size === 1 && ids.size === 1 && ids.has(userId);
  }
}

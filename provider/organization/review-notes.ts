import { isChange } from "../access-plan/access-plan";
import { isKnownLevel } from "../access-plan/place";
import { isEmail, userKey } from "../people/user";
import type { LiveAccess, NotedGrant, ReviewNotes } from "../review/model/component-notes";
import type { OrganizationFile } from "./file/types";
import type { PlannedChange } from "./guards/change";
import { isUnrecorded } from "./guards/people";
import { type ListedGrant, listGrants } from "./sections/grants";

/**
 * What a review shows beside the access: the reasons and ends of grants, the titles of teams, and the guards. The notes are an
 * input of a component, so they must not depend on the current day: otherwise they would change although the file does not.
 */
export function reviewNotes(file: OrganizationFile): ReviewNotes {
  const { organization, guards, teams = {}, sites = {} } = file;
  const allowPublic = Object.keys(sites).filter((key) => sites[key]?.allowPublic);
  const all = { ...guards, ...(allowPublic.length > 0 && { allowPublic }) };
  return {
    organization,
    grants: listGrants(file).flatMap(noteGrant),
    teams: Object.entries(teams).flatMap(([id, { title }]) => (title === undefined ? [] : [{ id, title }])),
    ...(Object.keys(all).length > 0 && { guards: all }),
  };
}

function noteGrant({ user, team, reason, expires }: ListedGrant): NotedGrant[] {
  if (reason === undefined && expires === undefined) return [];
  const end = expires && { expires: expires.on, then: expires.then };
  return [{ user, ...(team !== undefined && { team }), ...(reason !== undefined && { reason }), ...end }];
}

/**
 * Live access that a preview needs and does not show, because no resource has recorded the person or the name yet. Empty if nothing
 * changes: a preview without a change must not change the notes.
 */
export function listLiveAccess({ access, lines }: PlannedChange): LiveAccess[] {
  const named = new Map(lines.flatMap(({ user, planned }) => (planned ? [[planned, user] as const] : [])));
  const links = access.input.managers.flatMap(({ recorded }) => Object.entries(recorded?.userIds ?? {}));
  const recorded = new Set(links.map(([email, userId]) => `${email} ${userId}`));
  return access.subjects.flatMap((one): LiveAccess[] => {
    const { person, place, before, state } = one;
    const { id, userId, live } = person;
    const user = named.get(one) ?? live?.email ?? id;
    const isNewName = named.has(one) && isEmail(user) && !recorded.has(`${userKey(user)} ${userId}`);
    const isChanging = live?.isDisabled && isKnownLevel(before) && isChange(one);
    const isKnown = state === "active" ? userId !== undefined : state === "pending" && isUnrecorded(one);
    const isNeeded = isKnown && (isUnrecorded(one) || isNewName || isChanging);
    if (place.kind === "sso" || !isNeeded) return [];
    const { team } = place;
    return [
      {
        user,
        ...(userId !== undefined && { userId }),
        ...(team !== undefined && { team }),
        level: before,
        ...(live?.isDisabled && { isDisabled: true as const }),
      },
    ];
  });
}

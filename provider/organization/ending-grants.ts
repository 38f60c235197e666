import { endOf } from "../access-plan/grants";
import { userKey } from "../people/user";
import {
  describeBeginning,
  describeEndingGrant,
  type EndingGrant,
  endingGrant,
  type Held,
  restoredIn,
} from "../review/model/ends";
import type { OrganizationFile } from "./file/types";
import { type PlannedChange, placeIn } from "./guards/change";
import { personNamed } from "./guards/people";
import { listGrants } from "./sections/grants";

const day = 86_400_000;

/**
 * The grants that begin within a day, in the order of the file; then those that have ended or end within a day, and those that have no
 * effect at their end, the earliest first.
 */
export const describeEndingGrants = (change: PlannedChange): string[] => [
  ...listGrants(change.organization).flatMap((grant) => describeBeginning(grant, { now: change.now, period: day })),
  ...listEndingGrants(change.organization, change.now).flatMap((ending) => {
    const held = heldIn(change, ending);
    return ending.days <= 1 || hasNoEffect(ending, held) ? [describeEndingGrant(ending, held)] : [];
  }),
];

export function listEndingGrants(organization: OrganizationFile, now: Date): EndingGrant[] {
  const ending = listGrants(organization).flatMap(({ reason: _reason, from: _from, expires, ...grant }) =>
    expires ? [endingGrant(grant, expires, now)] : [],
  );
  return ending.sort((a, b) => endOf(a.on) - endOf(b.on));
}

function heldIn(change: PlannedChange, ending: EndingGrant): Held {
  const { user, team, role, becomes } = ending;
  const { organization, access } = change;
  const [place, person] = [placeIn(organization, team), personNamed(change, user, team)];
  const { recordedBy = [], previous } = access.of(place, person) ?? {};
  const isLive = access.livePlace(place)?.levels.get(person.id) === role;
  const isLeaving = team === undefined && becomes === "remove";
  return {
    isRecorded: recordedBy.length > 0,
    isLive,
    previous,
    stillIn: isLeaving ? teamsAfter(organization, ending) : [],
  };
}

/** The teams whose lines for the person do not end with the grant. */
const teamsAfter = (organization: OrganizationFile, { user, on }: EndingGrant): string[] =>
  listGrants(organization).flatMap(({ team, user: declaredUser, expires }) => {
    const endsByThen = expires?.then === "remove" && endOf(expires.on) <= endOf(on);
    const isOfPerson = userKey(declaredUser) === userKey(user);
    return team !== undefined && isOfPerson && !endsByThen ? [team] : [];
  });

/** Whether the person keeps the granted role, because the previous role is not lower. */
const hasNoEffect = (ending: EndingGrant, held: Held): boolean =>
  ending.becomes === "restore" && restoredIn(ending, held)?.after === ending.role;

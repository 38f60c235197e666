import { z } from "zod";
import { administratorSettings, administrators, undeclaredAdmins } from "./administrators";
import { approverSettings } from "./approvers";
import type { PlannedChange, Violation } from "./change";
import { existingObjects } from "./existing";
import { laterGrants } from "./later-grants";
import { awayPeople, awaySettings, nonMembers, otherPeople, otherSpellings, samePerson, unclearPeople } from "./names";
import { publicSites } from "./public-sites";
import { removalSettings, removals } from "./removals";
import { lastProvider, otherName, otherOrganization } from "./stack";
import { droppedMembers, ownerlessTeams, unknownTeams, unmanagedMembers } from "./teams";

/** A rule that stops a change before anything is sent: finds the reasons to refuse it. */
type Guard = (change: PlannedChange) => Violation[];

/** If one of these refuses the change, the guards in `others` do not run. */
const first: readonly Guard[] = [otherOrganization, otherName, existingObjects];

/** In the order of their messages. */
const others: readonly Guard[] = [
  otherPeople,
  nonMembers,
  awayPeople,
  samePerson,
  unclearPeople,
  unknownTeams,
  unmanagedMembers,
  laterGrants,
  droppedMembers,
  otherSpellings,
  ownerlessTeams,
  administrators,
  undeclaredAdmins,
  removals,
  lastProvider,
  publicSites,
];

export function findViolations(change: PlannedChange): Violation[] {
  const violations = (guards: readonly Guard[]) => guards.flatMap((guard) => guard(change));
  const refused = violations(first);
  return refused.length > 0 ? refused : violations(others);
}

export const guardSettings = z.strictObject({
  ...administratorSettings,
  ...removalSettings,
  ...awaySettings,
  ...approverSettings,
});

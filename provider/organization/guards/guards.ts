import { z } from "zod";
import { joinedShape } from "../sections/parts";
import { administrators } from "./administrators";
import type { PlannedChange, Violation } from "./change";
import type { Guard } from "./guard";
import { lastProvider } from "./last-provider";
import { nonMembers } from "./non-members";
import { otherName } from "./other-name";
import { otherOrganization } from "./other-organization";
import { otherPeople } from "./other-people";
import { otherSpellings } from "./other-spellings";
import { ownerlessTeams } from "./ownerless-teams";
import { publicSites } from "./public-sites";
import { removals } from "./removals";
import { samePerson } from "./same-person";
import { teamMembers } from "./team-members";
import { unclearPeople } from "./unclear-people";
import { undeclaredAdmins } from "./undeclared-admins";
import { unknownTeams } from "./unknown-teams";

/** The guards of an organization, in the order of their messages and settings. */
const all = {
  otherOrganization,
  otherName,
  otherPeople,
  nonMembers,
  samePerson,
  unclearPeople,
  unknownTeams,
  teamMembers,
  otherSpellings,
  ownerlessTeams,
  administrators,
  undeclaredAdmins,
  removals,
  lastProvider,
  publicSites,
};

export const guards: readonly Guard[] = Object.values(all);

/** Runs all guards and collects the reasons to refuse the change. */
export function findViolations(change: PlannedChange): Violation[] {
  const violations = (some: readonly Guard[]) => some.flatMap((guard) => guard.findViolations(change));
  const first = violations(guards.filter((guard) => guard.first));
  return first.length > 0 ? first : violations(guards.filter((guard) => !guard.first));
}

/** The settings of all guards, `guards` in the file. */
export const guardSettings = z.strictObject(
  joinedShape(Object.values(all).map((guard) => ("settings" in guard ? guard.settings : undefined))),
);

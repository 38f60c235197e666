import { howPeopleJoin, isNamed } from "../access/members";
import { beginningOf, endOf } from "../access-plan/grants";
import { isLower, nothing, spelledRole } from "../access-plan/place";
import type { Member } from "../api/groups/members";
import { sameUser } from "../people/user";
import { dotted, mistakesIn, nearest, nearestUser, quoted } from "../text/mistakes";
import { escaped, visible } from "../text/visible";
import { PeopleNames } from "./drafts/people";
import type { LineEdit } from "./file/line-edits";
import type { OrganizationFile } from "./file/types";
import { declaredMember, declaredTeammate, declaredTeammates, pathOfLine } from "./sections/grants";

export interface WantedGrant {
  /** An e-mail or id. */
  readonly person: string;
  readonly role: string;
  /** The id of a team; omitted for the role in the organization. */
  readonly team?: string | undefined;
  readonly from?: string | undefined;
  readonly until: string;
  readonly reason: string;
}

interface Circumstances {
  readonly file: OrganizationFile;
  readonly now: Date;
  readonly members: readonly Member[];
  /** The live level of somebody in the team. */
  readonly levelInTeam: (userId: string) => string | undefined;
}

type PlannedLine = LineEdit & { readonly notes: readonly string[] };

/**
 * The line that grants the access, and what to know before a commit, or the reason why the file cannot have the line. At its end, the
 * person has what the file declares now, otherwise what the person has now.
 */
export function planGrant(wanted: WantedGrant, circumstances: Circumstances): PlannedLine | string {
  const mistake = findMistake(wanted, circumstances);
  if (mistake !== undefined) return mistake;
  const { members } = circumstances;
  const matches = members.filter((one) => isNamed(one, wanted.person));
  const [member] = matches;
  if (!member) {
    const names = members.flatMap(({ user }) => [user.id, ...(user.email ? [user.email] : [])]);
    return `nobody in the organization has the e-mail or id ${quoted(wanted.person)}${guessWords(nearestUser(wanted.person, names))}; ${howPeopleJoin}`;
  }
  const name = new PeopleNames(members, []).nameOf(member.user.id);
  if (matches.length > 1 || name === undefined)
    return `${quoted(wanted.person)} does not say which member is meant; use the user id`;
  return lineFor(wanted, member, name, circumstances);
}

/** What is wrong with the grant, for any person. */
function findMistake({ role, team, from, until, reason }: WantedGrant, { file, now }: Circumstances) {
  const teams = Object.keys(file.teams ?? {});
  if (team !== undefined && !teams.includes(team))
    return `the file does not declare team ${quoted(team)}${guessWords(nearest(team, teams))}`;
  const expires = { on: until, ...(team === undefined && { then: "guest" }) };
  const grant = { role, reason: reason.trim(), from, expires };
  const [mistake] = mistakesIn(team === undefined ? declaredMember : declaredTeammate, grant);
  if (mistake) return `${dotted(mistake.path)}: ${mistake.text}`;
  if (endOf(until) > now.getTime()) return undefined;
  return `the grant would end with ${until}, which has passed; use a later day`;
}

function lineFor(
  { role, team, from, until, reason }: WantedGrant,
  member: Member,
  name: string,
  { file, now, levelInTeam }: Circumstances,
): PlannedLine | string {
  const people: Readonly<Record<string, unknown>> =
    team === undefined ? (file.members ?? {}) : declaredTeammates(file.teams?.[team] ?? {}).people;
  const existing = Object.keys(people).find((one) => sameUser(one, name) || sameUser(one, member.user.id));
  const declared = existing === undefined ? undefined : people[existing];
  const path = pathOfLine(file, team, existing ?? name);
  if (declared !== undefined && typeof declared !== "string")
    return `${dotted(path)} has a grant or options already; change this line by hand`;
  if (declared !== undefined && from !== undefined && beginningOf(from) > now.getTime())
    return `${dotted(path)} declares ${declared}, which the line would forget until ${from}; write the grant on that day`;
  const live = team === undefined ? spelledRole(member.role) : (levelInTeam(member.user.id) ?? nothing);
  const present = declared ?? live;
  if (!isLower(present, role))
    return `${visible(name)} is ${present} already, and a grant of ${role} would give no more`;
  const start = from === undefined ? "" : `from: ${from}, `;
  const then = present === nothing ? "" : `, then: ${present}`;
  const value = `{ role: ${role}, reason: ${escaped(JSON.stringify(reason.trim()))}, ${start}expires: { on: ${until}${then} } }`;
  const notes: string[] = [];
  if (present !== live)
    notes.push(`${visible(name)}: declared is ${present}, live is ${live}; the declared one follows the grant`);
  if (member.disabled) notes.push(`${visible(name)} is disabled: the access starts when the account is enabled again`);
  return { path, value, isNew: existing === undefined, notes };
}

const guessWords = (guess: string | undefined): string =>
  guess === undefined ? "" : `; did you mean ${quoted(guess)}?`;

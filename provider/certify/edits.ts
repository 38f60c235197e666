import { endOf, phaseOf, type Term } from "../access-plan/grants";
import { isLower } from "../access-plan/place";
import { keyOfPath, type LineEdit, type PlacedEdit, positionFor } from "../organization/file/line-edits";
import type { Path, Position } from "../organization/file/places";
import type { OrganizationFile } from "../organization/file/types";
import {
  declaredTeammates,
  type ListedGrant,
  listGrants,
  type MemberGrant,
  memberGrant,
  memberRoleAt,
} from "../organization/sections/grants";
import { matcherOf } from "../people/patterns";
import { isEmail, userKey } from "../people/user";
import { isUnfinished, type SheetFinding } from "./comparison";
import { dayOf, type HeldAccess, type SheetRow } from "./sheet";

export interface PlannedEdit extends PlacedEdit {
  readonly row: SheetRow;
}

export interface PlannedEdits {
  readonly edits: readonly PlannedEdit[];
  /** Decisions that the file has already, and that the next up carries out. */
  readonly present: readonly SheetRow[];
  /** Decisions that the file cannot carry out, with the reason. */
  readonly byHand: readonly { readonly row: SheetRow; readonly reason: string }[];
}

interface Circumstances {
  readonly file: OrganizationFile;
  readonly now: Date;
  /** The live e-mails by user id: the name in the sheet may be one that somebody has chosen. */
  readonly emails: ReadonlyMap<string, string>;
}

/** How the file must change so that the next up carries out the decisions, and gives nobody more than was decided. */
export function planEdits(findings: readonly SheetFinding[], root: Position, given: Circumstances): PlannedEdits {
  const open = findings.flatMap((finding) => (finding.row && isToCarryOut(finding, given) ? [finding.row] : []));
  const planned = open.flatMap((row) => editsOf(row, open, given).map((edit) => ({ row, edit })));
  // New entries are written behind an entry that stays.
  const removed = new Set(
    planned.flatMap(({ edit }) => (typeof edit === "object" && isRemoval(edit) ? [keyOfPath(edit.path)] : [])),
  );
  const edits: PlannedEdit[] = [];
  const present: SheetRow[] = [];
  const byHand: { row: SheetRow; reason: string }[] = [];
  for (const { row, edit } of planned) {
    if (edit === undefined) present.push(row);
    else if (typeof edit === "string") byHand.push({ row, reason: edit });
    else {
      const at = positionFor(edit, root, removed);
      if (at) edits.push({ row, at, ...edit });
      else byHand.push({ row, reason: "the file lists nobody there yet" });
    }
  }
  return { edits, present, byHand };
}

function isToCarryOut({ kind, row }: SheetFinding, given: Circumstances): boolean {
  if (!row?.decision) return false;
  return kind === "open" || (isLowered(row) && (kind === "raised" || givesMore(row, given)));
}

/** The edits of a row, as `editOfRole` and `editOfTeam` return them. */
function editsOf(row: SheetRow, open: readonly SheetRow[], given: Circumstances): (LineEdit | string | undefined)[] {
  if (row.team !== undefined) return [editOfTeam(row, row.team, given)];
  if (row.decision?.to !== undefined) return [editOfRole(row, given)];
  const decided = new Set(open.filter(({ userId }) => userId === row.userId).map(({ team }) => team));
  return [editOfRole(row, given), ...linesInTeams(row, given, decided)];
}

const isRemoval = ({ isNew, value }: LineEdit): boolean => !isNew && value === undefined;

const isLowered = ({ level, decision }: SheetRow): boolean => decision !== undefined && decision.to !== level;

/** Whether the decision has nothing that the file could carry out. */
export const isWithoutEdit = (finding: SheetFinding): boolean =>
  isUnfinished(finding) && finding.kind !== "open" && !(finding.row && isLowered(finding.row));

/** Whether the line of the person would give more than was decided, now or at the end of a grant. */
function givesMore(row: SheetRow, { file, now, emails }: Circumstances): boolean {
  const isOfRow = ({ user, team }: ListedGrant) => team === row.team && keyIn({ [user]: team }, row, emails) === user;
  const to = row.decision?.to;
  return listGrants(file).some((grant) => {
    const levels = [phaseOf(grant, now) === "ended" ? "remove" : grant.role, grant.expires?.then ?? "remove"];
    return isOfRow(grant) && levels.some((level) => level !== "remove" && (to === undefined || isLower(to, level)));
  });
}

/** The edit, or why the file cannot have it; nothing if the file has the decision already. */
function editOfRole(
  row: SheetRow,
  { file: { members = {} }, now, emails }: Circumstances,
): LineEdit | string | undefined {
  const { to, why = "" } = row.decision ?? {};
  const user = keyIn(members, row, emails);
  const hidden = user === undefined ? hiddenIn(members, row, emails) : undefined;
  if (hidden !== undefined) return hidden;
  const path = ["members", user ?? nameOf(row, emails)];
  const declared = user === undefined ? undefined : members[user];
  if (to !== undefined)
    return user === undefined ? { path, value: to, isNew: true } : editOfLevel(path, declared, to, now);
  if (declared !== undefined && isRemovedToday(declared, now)) return undefined;
  return {
    path,
    value: removalOf(why, declared === undefined ? today(now) : yesterday(now)),
    isNew: user === undefined,
  };
}

/**
 * The line that removes a person from the organization by the end of a grant; without a line, `onRelease` would decide. An end that is
 * over does nothing to a person that no up has recorded, so a new line ends today: until then, the person is a guest.
 */
function removalOf(why: string, lastDay: string): string {
  // The file allows reasons of 500 characters.
  return `{ role: guest, reason: ${JSON.stringify(why.slice(0, 500))}, expires: { on: ${lastDay}, then: remove } }`;
}

/** Whether the line has removed the person, or leaves only a guest, who is removed at the end of this day. */
function isRemovedToday(declared: MemberGrant | MemberGrant["role"], now: Date): boolean {
  const { role, expires } = memberGrant(declared);
  const endsToday = expires !== undefined && endOf(expires.on) <= endOf(today(now));
  return memberRoleAt(declared, now) === "remove" || (role === "guest" && endsToday && expires.then === "remove");
}

const today = (now: Date): string => dayOf(now.getTime());
const yesterday = (now: Date): string => dayOf(now.getTime() - 86_400_000);

function editOfTeam(
  row: SheetRow,
  team: string,
  { file: { teams = {} }, now, emails }: Circumstances,
): LineEdit | string | undefined {
  const declared = teams[team];
  if (!declared) return `the file does not declare team ${team}`;
  const { property, people } = declaredTeammates(declared);
  const to = row.decision?.to;
  const user = keyIn(people, row, emails);
  if (user === undefined && declared.members === undefined)
    return `the file has no line for this person in team ${team} (a line that was removed since the last up ends with the next one)`;
  const hidden = user === undefined ? hiddenIn(people, row, emails) : undefined;
  if (hidden !== undefined) return hidden;
  const person = { userId: row.userId, email: emails.get(row.userId) };
  if (user === undefined && matcherOf(declared.ignore ?? [])(person))
    return `ignore of team ${team} has this person; take it out there, and add the line`;
  const path = ["teams", team, property, user ?? nameOf(row, emails)];
  // `members` are all people of the team, so others leave it.
  if (to === undefined) return user === undefined ? undefined : { path, isNew: false };
  return user === undefined ? { path, value: to, isNew: true } : editOfLevel(path, people[user], to, now);
}

/** A new line names people as a take-over does. */
const nameOf = ({ userId }: HeldAccess, emails: ReadonlyMap<string, string>): string => emails.get(userId) ?? userId;

/** A person who is removed from the organization leaves all its teams. Those in `decided` have an open decision, so their own row edits them. */
const linesInTeams = (
  row: SheetRow,
  { file: { teams = {} }, emails }: Circumstances,
  decided: ReadonlySet<string | undefined>,
): LineEdit[] =>
  Object.entries(teams).flatMap(([team, declared]) => {
    const { property, people } = declaredTeammates(declared);
    const user = keyIn(people, row, emails);
    return user === undefined || decided.has(team) ? [] : [{ path: ["teams", team, property, user], isNew: false }];
  });

/** The declared name of a person: the id or the e-mail. */
function keyIn(people: object, person: HeldAccess, emails: ReadonlyMap<string, string>): string | undefined {
  const keys = [person.userId, nameOf(person, emails)].map(userKey);
  return Object.keys(people).find((user) => keys.includes(userKey(user)));
}

/** Why a person without a line, who hides the e-mail, may have one: a second line would be about the same person. */
function hiddenIn(people: object, { userId }: HeldAccess, emails: ReadonlyMap<string, string>): string | undefined {
  if (emails.has(userId)) return undefined;
  const shown = new Set([...emails.values()].map(userKey));
  const hidden = Object.keys(people).find((user) => isEmail(user) && !shown.has(userKey(user)));
  if (hidden === undefined) return undefined;
  return `the service hides this person's e-mail, which may be ${hidden} of the file; find the line, or write one with the id`;
}

/**
 * The new level replaces only the role of a grant, or all of a grant that would give another level now or more at its end. A line
 * that gives less already stays.
 */
function editOfLevel(path: Path, declared: unknown, to: string, now: Date): LineEdit | undefined {
  if (typeof declared === "string") return isLower(to, declared) ? { path, value: to, isNew: false } : undefined;
  const grant = declared as Term<string | undefined> & { readonly role: string };
  const { then = "remove" } = grant.expires ?? {};
  const isKept = phaseOf(grant, now) === "running" && (then === "remove" || (then !== "restore" && !isLower(to, then)));
  if (isKept && !isLower(to, grant.role)) return undefined;
  return { path: isKept ? [...path, "role"] : path, value: to, isNew: false };
}

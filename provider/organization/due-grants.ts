import { readTeams } from "../access/discovery";
import { membersOf } from "../access/members";
import type { Plan } from "../access/plan-file";
import { isChange } from "../access-plan/access-plan";
import { type AccessChange, directionOf } from "../access-plan/change";
import { findingsOf } from "../access-plan/findings";
import { momentWords, phaseOf } from "../access-plan/grants";
import type { Identity } from "../access-plan/identities";
import { keyOfPlace, nothing, type Place, unknown } from "../access-plan/place";
import { withPeople } from "../lifecycle/state";
import { userKey } from "../people/user";
import { type AppliedGrant, appliedIn, notesIn, notesName } from "../review/model/component-notes";
import type { Context } from "../run/context";
import { defined, type Properties } from "../run/properties";
import { nameIn, organizationType, typeIn } from "../run/urn";
import { writesOf, writtenKey } from "../run/writes";
import { keyOfPath } from "./file/line-edits";
import type { OrganizationFile } from "./file/types";
import { administrators } from "./guards/administrators";
import { managerId, type PlannedChange, placeIn, planChange } from "./guards/change";
import { personNamed } from "./guards/people";
import type { GuardedLive } from "./live/live";
import { recordedIn } from "./live/recorded";
import { findApplied, type GrantLine, grantLines } from "./review-notes";
import { childrenOf } from "./sections";
import { listGrants, pathOfLine } from "./sections/grants";

/**
 * What `docs-org up --only grants` does: grants of lines that the last up had as they are, which begin or have ended since. The notes
 * of the stack say who the people are and which grants have begun. What the live levels do not fit to is refused.
 */

/** A resource in the state of the stack. */
export interface StateResource {
  readonly urn: string;
  readonly type: string;
  readonly inputs?: Properties;
  readonly outputs?: Properties;
}

interface ReviewedLine extends GrantLine {
  readonly applied: AppliedGrant;
}

/** A line with the access of its person. */
export interface DueLine extends ReviewedLine {
  readonly place: Place;
  readonly person: Identity;
  /** What an up would do with the person in the place; absent if no resource manages the person there. */
  readonly planned: AccessChange | undefined;
  /** What the person has now; absent if no member of the organization is the person. */
  readonly before: string | undefined;
  /** What the person has when the grant has begun or ended. */
  readonly after: string;
}

interface RefusedLine extends GrantLine {
  readonly refusal: string;
}

interface GrantsInput {
  readonly component: string;
  readonly file: OrganizationFile;
  readonly now: Date;
  readonly state: readonly StateResource[];
  /** The members of the organization, and at least the teams of the grants. */
  readonly live: Pick<GuardedLive, "members" | "teams">;
  /** Why a line must not give anything. */
  readonly refusalOf: (line: GrantLine) => string | undefined;
}

/** The notes of the organization in the state, and their inputs as they are. */
function notesInState(component: string, state: GrantsInput["state"]) {
  const { inputs = {}, outputs } = state.find(({ urn }) => nameIn(urn) === notesName(component)) ?? {};
  return { inputs, guards: notesIn(inputs)?.guards, applied: appliedIn(outputs) };
}

/** Reads the members, and the teams of the grants that the last up has had or the file says have ended, and finds the due grants. */
export async function readDueGrants(context: Context, input: Omit<GrantsInput, "live">) {
  const { component, state } = input;
  // After an up, a read that is older than its writes is repeated.
  for (const { outputs } of state) writesOf(context).restore(outputs?.[writtenKey]);
  const members = await membersOf(context).all();
  const ended = listGrants(input.file).filter((grant) => phaseOf(grant, input.now) === "ended");
  const grants = [...notesInState(component, state).applied.map(({ grant }) => grant), ...ended];
  const teamIds = new Set(grants.flatMap(({ team }) => team ?? []));
  return findDueGrants({ ...input, live: { members, teams: await readTeams(context, [...teamIds]) } });
}

export type DueGrants = ReturnType<typeof findDueGrants>;

export function findDueGrants(input: GrantsInput) {
  const { inputs: notes, applied } = notesInState(input.component, input.state);
  const change = planNight(input);
  const lines = grantLines(change).map((line) => ({ ...line, applied: findApplied(applied, line) }));
  const reviewed = lines.flatMap((line) =>
    line.applied ? [withAccess(change, { ...line, applied: line.applied })] : [],
  );
  const { due, refused } = refuseLines(
    change,
    reviewed.filter((line) => isDue(change, line)),
    input.refusalOf,
  );
  const withoutUp = lines.filter((line) => line.applied === undefined);
  const overdue = overdueLines(change, applied);
  for (const line of withoutUp) if (!hasPathOf(line, overdue)) overdue.push(...overdueWithoutUp(change, line));
  return {
    due,
    refused: [...refused, ...overdue],
    /** Lines that are new or changed since the last up, so nobody has reviewed them with a plan that was applied. */
    unreviewed: withoutUp.filter((line) => !hasPathOf(line, overdue)),
    /** As in `Settings.dueGrants`. */
    people: due.map(({ grant: { team = "", user } }) => `${team}/${user}`),
    resources: inputsOf(input, due),
    notes,
    /** What the notes record if these resources are brought about. */
    appliedAfter: (made: ReadonlySet<string>): AppliedGrant[] =>
      applied.map((one) => {
        const line = due.find((other) => other.applied === one && made.has(urnEnd(other.manager)));
        return line ? defined({ ...one, phase: line.phase, userId: line.person.userId }) : one;
      }),
    /** Whether somebody has what the grant was to give or to leave. */
    isMade: (line: DueLine): boolean => (withAccess(change, line).before ?? nothing) === line.after,
  };
}

function withAccess(change: PlannedChange, line: ReviewedLine): DueLine {
  const { access, organization } = change;
  const { user, team, role = nothing } = line.grant;
  const { userId } = line.applied;
  const place = placeIn(organization, team);
  const person = userId === undefined ? personNamed(change, user, team) : access.identities.of(userId);
  const planned = access.of(place, person);
  const before = person.live && (access.livePlace(place)?.levels.get(person.id) ?? nothing);
  const afterEnd = person.live ? (planned?.after ?? before ?? nothing) : nothing;
  return { ...line, place, person, planned, before, after: line.phase === "running" ? role : afterEnd };
}

/** Divides the lines whose grants are due: those that are made, and those that are refused. */
function refuseLines(change: PlannedChange, lines: readonly DueLine[], refusalOf: GrantsInput["refusalOf"]) {
  const due: DueLine[] = [];
  const refused: RefusedLine[] = [];
  // What gives a role comes first, so that somebody else has it when it is taken away.
  const first = lines.filter((line) => !isQuorumLoss(line));
  for (const line of [...first, ...lines.filter(isQuorumLoss)]) {
    const refusal =
      nameRefusal(change, line) ??
      endRefusal(line) ??
      (givesMore(line) ? refusalOf(line) : undefined) ??
      quorumRefusal(change, due, line);
    if (refusal === undefined) due.push(line);
    else refused.push({ ...line, refusal });
  }
  return { due, refused };
}

const directions: readonly string[] = ["gains", "loses", "changes"];

/**
 * The part of the plan that is about people whose grants are due. A preview does not show who people are and what they have if they
 * are in no record, or if a team ignores them until their grant begins.
 */
export function planOfGrants(plan: Plan, due: readonly DueLine[]): Plan {
  const access = plan.access.flatMap((one) => {
    const { place, user, after } = one;
    const line = due.find(({ grant }) => grant.team === place.team && user.keys.includes(userKey(grant.user)));
    if (!line) return [];
    const isShown = ![unknown, nothing].includes(one.before) && user.userId !== undefined;
    const { before = one.before } = isShown ? one : line;
    const direction = directionOf({ place, before, after });
    const isTurned = before !== one.before && direction !== "none" && directions.includes(one.change);
    const userId = user.userId ?? line.person.userId;
    const keys = userId === undefined ? user.keys : [...new Set([...user.keys, userId])];
    return [{ ...one, user: { ...user, userId, keys }, before, change: isTurned ? direction : one.change }];
  });
  // States know the person, but nobody has the e-mail now: a membership waits for somebody who joins with it.
  const waiting = new Set(due.filter(({ before }) => before === undefined).map(({ grant }) => userKey(grant.user)));
  const users = Object.fromEntries(Object.entries(plan.users).filter(([email]) => !waiting.has(email)));
  return { ...plan, users, access };
}

/** Plans what an up would do now, with the guards of the last one: a change that is pending in the file has no say. */
function planNight({ component, file, now, state, live }: GrantsInput): PlannedChange {
  const { guards } = notesInState(component, state);
  const urn = state.find((one) => one.type === organizationType && nameIn(one.urn) === component)?.urn ?? "";
  return planChange({
    ...recordedIn(Object.fromEntries(state.map((one) => [one.urn, one])), [urn], file.organization),
    name: component,
    organization: { ...file, guards: guards as OrganizationFile["guards"] },
    live: { saml: [], sites: [], ...live },
    existing: [],
    declaredBy: component,
    stack: { isEmpty: false, isRunByDocsOrg: true },
    now,
  });
}

/** Whether the person gets more than now: at a beginning, or at an end that a higher level follows. */
const givesMore = ({ place, before = nothing, after }: DueLine): boolean =>
  directionOf({ place, before, after }) === "gains";

/** Whether the grant has begun or ended since the last run that recorded it. */
function isDue(change: PlannedChange, { phase, applied, manager: id, grant, place, person }: DueLine): boolean {
  const manager = change.managers.get(id);
  const isDeclared = manager?.declared?.assignments.some(({ user }) => user === grant.user) === true;
  if (phase === "ended") {
    if (applied.phase !== "ended") return true;
    const { identities } = change.access;
    // The state still has the person if the release failed, or was left out, after the notes had recorded the end.
    const isRecorded = manager?.recorded?.assignments.some(
      ({ isFound, user }) => !isFound && identities.find(manager, place, user).id === person.id,
    );
    return !isDeclared && isRecorded === true;
  }
  const isMember = person.live ?? personNamed(change, grant.user, grant.team).live;
  // Another line may remove the person from the organization, which is the end of this grant, too. Nobody waits for absent people.
  if (phase === "to begin" || !isDeclared || !isMember) return false;
  return applied.phase === "to begin" || applied.userId === undefined;
}

/** Why the name of the line does not say who is meant: at the review, or in the state of a resource, it was somebody else's. */
function nameRefusal(change: PlannedChange, { grant: { user, team }, applied }: DueLine): string | undefined {
  const { identities, input } = change.access;
  const { userId } = personNamed(change, user, team);
  const recorded = input.managers.flatMap((one) => one.recorded?.userIds[userKey(user)] ?? []);
  const other = [applied.userId, ...recorded].find((id) => id !== undefined && id !== userId);
  // The e-mail of an absent person may be nobody's.
  if (other === undefined || (userId === undefined && !identities.of(other).live)) return undefined;
  return `${user} belongs to ${userId ?? "nobody"} now, and to ${other} in the state; name the person by user id`;
}

/** Nobody gets anything at the end of a grant that was not given, or that somebody has taken away. */
function endRefusal({ grant, phase, before, planned }: DueLine): string | undefined {
  const { user, role, then } = grant;
  if (phase !== "ended") return undefined;
  if (before === role) {
    if (!planned) return `${user} still has ${role}, and the state does not record the grant; end it in the app`;
    if (then === role || planned.after !== role) return undefined;
    return `${user} still has ${role}, which the state has as the role from before the grant; set the earlier role in the app, or remove the line`;
  }
  if (!planned || planned.after === nothing || before === undefined || before === planned.after) return undefined;
  const has = before === nothing ? `${user} is not in the team` : `${user} has ${before} instead of ${role}`;
  return `${has}, because of a change in the app or of an up that failed; see docs-org preview`;
}

/** Whether an administrator or an owner loses the role. */
const isQuorumLoss = ({ planned }: DueLine): boolean =>
  planned !== undefined && isChange(planned) && ["admin", "owner"].includes(planned.before);

/** Why the person must keep the role, if all lines that are due so far are made. */
function quorumRefusal(change: PlannedChange, due: readonly DueLine[], line: DueLine): string | undefined {
  if (!isQuorumLoss(line)) return undefined;
  const before = quorumProblems(change, due);
  return quorumProblems(change, [...due, line]).find((text) => !before.includes(text));
}

/** What the guards say of the organization in which only these grants begin or end. */
function quorumProblems(change: PlannedChange, made: readonly DueLine[]): string[] {
  const keyOf = (person: Identity, place: Place) => `${person.id} ${keyOfPlace(place)}`;
  const keys = new Set(made.map(({ person, place }) => keyOf(person, place)));
  const rolePlace = placeIn(change.organization);
  const isMade = ({ person, place, cause }: AccessChange) =>
    keys.has(keyOf(person, cause === "left" ? rolePlace : place));
  const access = change.access.limitedTo(isMade);
  const findings = findingsOf(access);
  const ownerless = findings.flatMap((one) =>
    one.kind === "no owner" && !one.isAllowed ? (one.place.team ?? "") : [],
  );
  return [
    ...administrators({ ...change, access, findings }).map(({ text }) => text),
    ...ownerless.map((team) => `team ${team} would have no owner; make another person an owner first`),
  ];
}

/** A line that has ended, and that the file no longer has, ends with the next up. Until then, nobody must take the grant for ended. */
function overdueLines(change: PlannedChange, applied: readonly AppliedGrant[]): RefusedLine[] {
  const lines = grantLines(change);
  return applied.flatMap((one) => {
    const { user, team, role, from, expires = "", then = "" } = one.grant;
    const phase = phaseOf({ from, expires: { on: expires, then } }, change.now);
    const isInFile = lines.some((line) => findApplied([one], line));
    if (isInFile || phase !== "ended" || then === role) return [];
    const path = pathOfLine(change.organization, team, user);
    const line = withAccess(change, { ...one, path, phase, applied: one });
    if (line.before !== role) return [];
    const ended = `the grant ended ${momentWords(expires)}, its line is removed or changed since the last up`;
    return [{ ...line, refusal: `${ended}, and ${user} still has ${role}; run docs-org up` }];
  });
}

/**
 * The same of a line that no up that ended well has had: one that failed may have given the role. It has recorded the person, and not
 * the grant, so nothing but an up ends it.
 */
function overdueWithoutUp(change: PlannedChange, line: GrantLine): RefusedLine[] {
  const { phase, grant } = line;
  if (phase !== "ended") return [];
  const { planned, before } = withAccess(change, { ...line, applied: line });
  const stillHas = before === grant.role && planned?.wasDeclared === true && planned.after !== before;
  if (!stillHas) return [];
  const ended = `the grant ended ${momentWords(grant.expires ?? "")}, no up that ended well has had this line`;
  return [{ ...line, refusal: `${ended}, and ${grant.user} still has ${before}; run docs-org up` }];
}

const hasPathOf = ({ path }: GrantLine, lines: readonly GrantLine[]): boolean =>
  lines.some((one) => keyOfPath(one.path) === keyOfPath(path));

const urnEnd = (manager: string): string => typeIn("plugin", manager.replace(" ", "::"));

/** The inputs of the resources of the grants, by the ends of their URNs: as recorded, with these people as the file declares them. */
function inputsOf({ component, file, now, state }: GrantsInput, due: readonly DueLine[]) {
  const recorded = new Map(state.map((one) => [`${one.type}::${nameIn(one.urn)}`, one.inputs]));
  const children = childrenOf(component, file, now);
  const declared = new Map(children.map((one) => [urnEnd(managerId(one.resource, one.name)), one.inputs]));
  const inputs = new Map<string, Properties | undefined>();
  for (const manager of new Set(due.map((line) => line.manager))) {
    const lines = due.filter((line) => line.manager === manager);
    const people = new Set(lines.flatMap(({ grant, person }) => [grant.user, ...person.keys]));
    const end = urnEnd(manager);
    inputs.set(end, inputsWith(recorded.get(end), declared.get(end), people));
  }
  return inputs;
}

/** Nothing if the resource is to be deleted. */
function inputsWith(before: Properties | undefined, after: Properties | undefined, people: ReadonlySet<string>) {
  if (before?.members === undefined && before?.roles === undefined) return after && { ...before, ...after };
  const inputs = withPeople(before, after, people) as Properties;
  // The grant of the last owner ends like any other.
  return after?.allowNoOwner === true ? { ...inputs, allowNoOwner: true } : inputs;
}

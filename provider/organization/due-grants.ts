import { readTeams } from "../access/discovery";
import { membersOf } from "../access/members";
import type { Plan } from "../access/plan-file";
import { isChange } from "../access-plan/access-plan";
import { type AccessChange, directionOf } from "../access-plan/change";
import { findingsOf } from "../access-plan/findings";
import { momentWords, phaseOf } from "../access-plan/grants";
import type { Identity } from "../access-plan/identities";
import { keyOfPlace, nothing, unknown } from "../access-plan/place";
import { withPeople } from "../lifecycle/state";
import { userKey } from "../people/user";
import { type AppliedGrant, appliedIn, notesIn, notesName } from "../review/model/component-notes";
import type { Context } from "../run/context";
import { defined, type Properties } from "../run/properties";
import { nameIn, organizationType, typeIn } from "../run/urn";
import { writesOf, writtenKey } from "../run/writes";
import type { OrganizationFile } from "./file/types";
import { administrators } from "./guards/administrators";
import { managerId, type PlannedChange, placeIn, planChange } from "./guards/change";
import { personNamed } from "./guards/people";
import type { GuardedLive } from "./live/live";
import { recordedIn } from "./live/recorded";
import { findApplied, type GrantLine, grantLines } from "./review-notes";
import { childrenOf } from "./sections";
import { pathOfLine } from "./sections/grants";

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

export interface DueLine extends ReviewedLine {
  /** What the person has now; absent if no member of the organization is the person. */
  readonly before: string | undefined;
  /** What the person has when the grant has begun or ended. */
  readonly after: string;
  /** Who the user is; absent while no member has the e-mail. */
  readonly userId: string | undefined;
}

interface Asked {
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
function notesInState(component: string, state: Asked["state"]) {
  const { inputs = {}, outputs } = state.find(({ urn }) => nameIn(urn) === notesName(component)) ?? {};
  return { inputs, guards: notesIn(inputs)?.guards, applied: appliedIn(outputs) };
}

/** Reads the members and the teams of the grants that the last up has had, and finds the due ones. */
export async function readDueGrants(context: Context, asked: Omit<Asked, "live">) {
  const { component, state } = asked;
  // After an up, a read that is older than its writes is repeated.
  for (const { outputs } of state) writesOf(context).restore(outputs?.[writtenKey]);
  const members = await membersOf(context).all();
  const teamIds = notesInState(component, state).applied.flatMap(({ grant }) => grant.team ?? []);
  return findDueGrants({ ...asked, live: { members, teams: await readTeams(context, teamIds) } });
}

export type DueGrants = ReturnType<typeof findDueGrants>;

export function findDueGrants(asked: Asked) {
  const { inputs: notes, applied } = notesInState(asked.component, asked.state);
  const change = planNight(asked);
  const lines = grantLines(change).map((line) => ({ ...line, applied: findApplied(applied, line) }));
  const reviewed = lines.flatMap((line) => (line.applied ? [{ ...line, applied: line.applied }] : []));
  const refused: (GrantLine & { readonly refusal: string })[] = [];
  const due: DueLine[] = [];
  const rank = (line: ReviewedLine) => Number(isQuorumLoss(changeOf(change, line)));
  // What gives a role comes first, so that somebody else has it when it is taken away.
  for (const line of reviewed.filter((one) => isDue(change, one)).sort((a, b) => rank(a) - rank(b))) {
    const refusal =
      nameRefusal(change, line) ??
      endRefusal(change, line) ??
      (givesMore(change, line) ? asked.refusalOf(line) : undefined) ??
      quorumRefusal(change, due, line);
    if (refusal !== undefined) refused.push({ ...line, refusal });
    else {
      const { userId } = personOf(change, line);
      due.push({ ...line, before: levelOf(change, line), after: levelAfter(change, line), userId });
    }
  }
  return {
    due,
    refused: [...refused, ...overdueLines(change, applied)],
    /** Lines that are new or changed since the last up, so nobody has reviewed them with a plan that was applied. */
    unreviewed: lines.filter((line) => line.applied === undefined),
    /** As in `Settings.dueGrants`. */
    people: due.map(({ grant: { team = "", user } }) => `${team}/${user}`),
    resources: inputsOf(asked, change, due),
    notes,
    /** What the notes record if these resources are brought about. */
    appliedAfter: (made: ReadonlySet<string>): AppliedGrant[] =>
      applied.map((one) => {
        const line = due.find((other) => other.applied === one && made.has(urnEnd(other.manager)));
        return line ? defined({ ...one, phase: line.phase, userId: line.userId }) : one;
      }),
    /** Whether somebody has what the grant was to give or to leave. */
    isMade: (line: DueLine): boolean => (levelOf(change, line) ?? nothing) === line.after,
  };
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
    const userId = user.userId ?? line.userId;
    const keys = userId === undefined ? user.keys : [...new Set([...user.keys, userId])];
    return [{ ...one, user: { ...user, userId, keys }, before, change: isTurned ? direction : one.change }];
  });
  // States know the person, but nobody has the e-mail now: a membership waits for somebody who joins with it.
  const waiting = new Set(due.flatMap(({ before, grant }) => (before === undefined ? [userKey(grant.user)] : [])));
  const users = Object.fromEntries(Object.entries(plan.users).filter(([email]) => !waiting.has(email)));
  return { ...plan, users, access };
}

/** Plans what an up would do now, with the guards of the last one: a change that is pending in the file has no say. */
function planNight({ component, file, now, state, live }: Asked): PlannedChange {
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

const placeOf = ({ organization }: PlannedChange, { grant }: GrantLine) => placeIn(organization, grant.team);

function personOf(change: PlannedChange, { grant: { user, team }, applied }: ReviewedLine): Identity {
  return applied.userId === undefined ? personNamed(change, user, team) : change.access.identities.of(applied.userId);
}

const isOfLine = (change: PlannedChange, line: ReviewedLine, user: string): boolean =>
  change.access.identities.find(change.managers.get(line.manager) ?? {}, placeOf(change, line), user).id ===
  personOf(change, line).id;

/** What an up would do with the person in the place of the grant; nothing if no resource manages the person there. */
const changeOf = (change: PlannedChange, line: ReviewedLine): AccessChange | undefined =>
  change.access.of(placeOf(change, line), personOf(change, line));

function levelOf(change: PlannedChange, line: ReviewedLine): string | undefined {
  const { id, live } = personOf(change, line);
  return live && (change.access.livePlace(placeOf(change, line))?.levels.get(id) ?? nothing);
}

/** What the person has when the grant has begun or ended. */
function levelAfter(change: PlannedChange, line: ReviewedLine): string {
  const level = levelOf(change, line) ?? nothing;
  if (line.phase === "running") return line.grant.role ?? nothing;
  return personOf(change, line).live ? (changeOf(change, line)?.after ?? level) : nothing;
}

/** Whether the person gets more than now: at a beginning, or at an end that a higher level follows. */
const givesMore = (change: PlannedChange, line: ReviewedLine): boolean =>
  directionOf({
    place: placeOf(change, line),
    before: levelOf(change, line) ?? nothing,
    after: levelAfter(change, line),
  }) === "gains";

/** Whether the grant has begun or ended since the last run that recorded it. */
function isDue(change: PlannedChange, line: ReviewedLine): boolean {
  const { phase, applied, manager, grant } = line;
  const { declared, recorded } = change.managers.get(manager) ?? {};
  const isDeclared = declared?.assignments.some(({ user }) => user === grant.user) === true;
  // The state still has the person if the release failed, or was left out, after the notes had recorded the end.
  const isRecorded = () =>
    recorded?.assignments.some((one) => !one.isFound && isOfLine(change, line, one.user)) === true;
  if (phase === "ended") return applied.phase !== "ended" || (!isDeclared && isRecorded());
  const isMember = personOf(change, line).live ?? personNamed(change, grant.user, grant.team).live;
  // Another line may remove the person from the organization, which is the end of this grant, too. Nobody waits for absent people.
  if (phase === "to begin" || !isDeclared || !isMember) return false;
  return applied.phase === "to begin" || applied.userId === undefined;
}

/** Why the name of the line does not say who is meant: at the review, or in the state of a resource, it was somebody else's. */
function nameRefusal(change: PlannedChange, { grant: { user, team }, applied }: ReviewedLine): string | undefined {
  const { identities, input } = change.access;
  const { userId } = personNamed(change, user, team);
  const recorded = input.managers.flatMap((one) => one.recorded?.userIds[userKey(user)] ?? []);
  const other = [applied.userId, ...recorded].find((id) => id !== undefined && id !== userId);
  // The e-mail of an absent person may be nobody's.
  if (other === undefined || (userId === undefined && !identities.of(other).live)) return undefined;
  return `${user} belongs to ${userId ?? "nobody"} now, and to ${other} in the state; name the person by user id`;
}

/** Nobody gets anything at the end of a grant that was not given, or that somebody has taken away. */
function endRefusal(change: PlannedChange, line: ReviewedLine): string | undefined {
  const { user, role, then } = line.grant;
  if (line.phase !== "ended") return undefined;
  const [level, planned] = [levelOf(change, line), changeOf(change, line)];
  if (level === role && !planned)
    return `${user} still has ${role}, and the state does not record the grant; end it in the app`;
  if (level === role && then !== role && planned?.after === role)
    return `${user} still has ${role}, which the state has as the role from before the grant; set the earlier role in the app, or remove the line`;
  if (!planned || planned.after === nothing || [undefined, role, planned.after].includes(level)) return undefined;
  const has = level === nothing ? `${user} is not in the team` : `${user} has ${level} instead of ${role}`;
  return `${has}, because of a change in the app or of an up that failed; see docs-org preview`;
}

/** Whether an administrator or an owner loses the role. */
const isQuorumLoss = (planned?: AccessChange): boolean =>
  planned !== undefined && isChange(planned) && ["admin", "owner"].includes(planned.before);

/** Why the person must keep the role, if all lines that are due so far are made. */
function quorumRefusal(change: PlannedChange, due: readonly DueLine[], line: ReviewedLine): string | undefined {
  if (!isQuorumLoss(changeOf(change, line))) return undefined;
  const before = quorumProblems(change, due);
  return quorumProblems(change, [...due, line]).find((text) => !before.includes(text));
}

/** What the guards say of the organization in which only these grants begin or end. */
function quorumProblems(change: PlannedChange, made: readonly ReviewedLine[]): string[] {
  const keyOf = (person: Identity, place: AccessChange["place"]) => `${person.id} ${keyOfPlace(place)}`;
  const keys = new Set(made.map((line) => keyOf(personOf(change, line), placeOf(change, line))));
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
function overdueLines(change: PlannedChange, applied: readonly AppliedGrant[]) {
  const lines = grantLines(change);
  return applied.flatMap((one) => {
    const { user, team, role, from, expires = "", then = "" } = one.grant;
    const path = pathOfLine(change.organization, team, user);
    const phase = phaseOf({ from, expires: { on: expires, then } }, change.now);
    const line = { ...one, path, phase, applied: one };
    const isDropped = !lines.some((other) => findApplied([one], other)) && phase === "ended" && then !== role;
    if (!isDropped || levelOf(change, line) !== role) return [];
    const ended = `the grant ended ${momentWords(expires)}, its line is removed or changed since the last up`;
    return [{ ...line, refusal: `${ended}, and ${user} still has ${role}; run docs-org up` }];
  });
}

const urnEnd = (manager: string): string => typeIn("plugin", manager.replace(" ", "::"));

/** The inputs of the resources of the grants, by the ends of their URNs: as recorded, with these people as the file declares them. */
function inputsOf({ component, file, now, state }: Asked, change: PlannedChange, due: readonly DueLine[]) {
  const recorded = new Map(state.map((one) => [`${one.type}::${nameIn(one.urn)}`, one.inputs]));
  const children = childrenOf(component, file, now);
  const declared = new Map(children.map((one) => [urnEnd(managerId(one.resource, one.name)), one.inputs]));
  const inputs = due.map(({ manager }) => {
    const own = due.filter((one) => one.manager === manager);
    const people = new Set(own.flatMap((one) => [one.grant.user, ...personOf(change, one).keys]));
    const end = urnEnd(manager);
    return [end, inputsWith(recorded.get(end), declared.get(end), people)] as const;
  });
  return new Map(inputs);
}

/** Nothing if the resource is to be deleted. */
function inputsWith(before: Properties | undefined, after: Properties | undefined, people: ReadonlySet<string>) {
  if (before?.members === undefined && before?.roles === undefined) return after && { ...before, ...after };
  const inputs = withPeople(before, after, people) as Properties;
  // The grant of the last owner ends like any other.
  return after?.allowNoOwner === true ? { ...inputs, allowNoOwner: true } : inputs;
}

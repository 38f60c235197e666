import { isDeepStrictEqual } from "node:util";
import { stringsIn } from "../access/assignments";
import { listNames } from "../access/carry-out";
import { isNamed } from "../access/members";
import { canonical } from "../access/plan-file";
import { momentWords, phaseOf } from "../access-plan/grants";
import { nothing, spelledRole } from "../access-plan/place";
import { sameUser, userKey } from "../people/user";
import { type NotedGrant, notesIn, notesName } from "../review/model/component-notes";
import { defined, type Properties, propertiesIn } from "../run/properties";
import { nameIn } from "../run/urn";
import type { Path } from "./file/places";
import type { OrganizationFile } from "./file/types";
import type { GuardedLive } from "./live/live";
import { reviewNotes } from "./review-notes";
import { childName, childrenOf } from "./sections";
import { pathOfLine } from "./sections/grants";
import { membershipKey } from "./sections/teams";

/**
 * What `docs-org up --only grants` does: grants of lines that the last up had as they are, which begin or have ended since. What the
 * reviewed lines, the state and the live levels do not prove is refused. A refresh writes changes from outside also into recorded inputs.
 */

/** A resource in the state of the stack. */
export interface StateResource {
  readonly urn: string;
  readonly type: string;
  readonly inputs?: Properties;
  readonly outputs?: Properties;
}

export interface GrantLine {
  readonly path: Path;
  readonly grant: NotedGrant;
  readonly phase: "to begin" | "running" | "ended";
  /** The end of the URN of the resource that gives the grant. */
  readonly resource: string;
}

export interface DueLine extends GrantLine {
  /** What the person has now; nothing if no member of the organization is known to be the person. */
  readonly level: string | undefined;
}

interface Asked {
  readonly component: string;
  readonly file: OrganizationFile;
  readonly now: Date;
  readonly state: readonly StateResource[];
  /** The members of the organization, and at least the teams of the grants. */
  readonly live: Pick<GuardedLive, "members" | "teams">;
  /** Why a grant must not begin or end. */
  readonly refusalOf: (line: GrantLine) => string | undefined;
}

/** Whether something of the grant is still to be made, or why that is not known. */
type Verdict = "due" | "done" | { readonly refusal: string };

/** Ids of the teams of grants that have a time, in the file or in the state. */
export function teamsOfGrants({ component, file, state }: Pick<Asked, "component" | "file" | "state">): string[] {
  const grants = [reviewNotes(file), ...notesOfState(component, state)].flatMap((one) => one.grants ?? []);
  const timed = grants.filter(({ from, expires }) => from !== undefined || expires !== undefined);
  return [...new Set(timed.flatMap(({ team }) => team ?? []))];
}

const notesOfState = (component: string, state: Asked["state"]) =>
  state.flatMap(({ urn, inputs }) => (nameIn(urn) === notesName(component) && notesIn(inputs)) || []);

export function findDueGrants({ component, file, now, state, live, refusalOf }: Asked) {
  const recorded = new Map(state.map((one) => [`${one.type}::${nameIn(one.urn)}`, one]));
  const children = childrenOf(component, file, now);
  const declared = new Map(children.map((one) => [`docs:index:${one.resource}::${one.name}`, one.inputs]));
  const notes = notesOfState(component, state);
  const reviewed = new Map(notes.flatMap(({ grants = [] }) => grants.map((one) => [canonical(one), one])));
  const lineOf = (grant: NotedGrant): GrantLine[] => {
    const { user, team, from, expires } = grant;
    if (from === undefined && expires === undefined) return [];
    const path = pathOfLine(file, team, user);
    const phase = phaseOf({ from, expires: expires === undefined ? undefined : { on: expires, then: "" } }, now);
    return [{ path, grant, phase, resource: resourceOf(component, path) }];
  };
  const declaredGrants = reviewNotes(file).grants ?? [];
  const lines = declaredGrants.flatMap(lineOf);
  const isReviewed = ({ path, grant, resource }: GrantLine) =>
    reviewed.has(canonical(grant)) &&
    // The last up may have had all people of a team where the file has single ones, or the other way round.
    (path[2] === "memberships"
      ? !recorded.has(resourceOf(component, ["teams", path[1] ?? ""]))
      : recorded.has(resource));

  /** What the program declares: as recorded, with these people as the file declares them now. */
  const inputsWith = (resource: string, users: ReadonlySet<string>): Properties | undefined => {
    const [before, after] = [recorded.get(resource)?.inputs, declared.get(resource)];
    if (isSingle(resource)) return after && { ...before, ...after };
    const inputs = withPeople(before, after, users) as Properties;
    // The grant of the last owner ends like any other. An owner who was lowered in the app is still declared.
    const isOrphaned = hasOwner(before) && !hasOwner(inputs) && !hasOwner(after);
    return isOrphaned ? { ...inputs, allowNoOwner: true } : inputs;
  };

  /** The user ids that the resources of the stack have for a name: an e-mail may belong to somebody else by now. */
  const recordedIds = (user: string): string[] =>
    stringsIn(
      state.flatMap(({ inputs = {}, outputs = {} }) => [
        propertiesIn(outputs.userIds)[userKey(user)],
        typeof inputs.user === "string" && sameUser(inputs.user, user) ? outputs.userId : undefined,
      ]),
    );
  const personOf = ({ grant: { user, team } }: GrantLine) => {
    const ids = recordedIds(user);
    const [recordedId] = ids;
    const named = live.members.find((one) => isNamed(one, user));
    const member = named ?? live.members.find((one) => one.user.id === recordedId);
    const id = member?.user.id ?? recordedId ?? user;
    const inTeam = live.teams.find((one) => one.id === team)?.people.find(({ userId }) => userId === id)?.role;
    const level = team === undefined ? member && spelledRole(member.role) : (inTeam ?? (member && nothing));
    return { id, level, otherThan: named && ids.find((one) => one !== named.user.id) };
  };

  const judge = (line: GrantLine): Verdict => {
    const { grant, phase, resource } = line;
    const { user, role, from, then } = grant;
    const { inputs, outputs = {} } = recorded.get(resource) ?? {};
    const [before, after] = [saidOf(inputs, user), saidOf(declared.get(resource), user)];
    // Another line may remove the person from the organization, which is the end of that grant.
    if (phase === "to begin" || (phase === "running" && after.level === undefined)) return "done";
    const { id, level, otherThan } = personOf(line);
    if (otherThan !== undefined)
      return { refusal: `${user} belongs to ${id} now, and to ${otherThan} in the state; name the person by user id` };
    const has = level === nothing ? `${user} is not in the team` : `${user} has ${level} instead of ${role}`;
    const drifted = { refusal: `${has}, because of a change in the app or of an up that failed; see docs-org preview` };
    const isAsDeclared = isDeepStrictEqual(before, after);
    const unlessRecorded = isAsDeclared ? "done" : "due";
    const isPending = outputs.pending === true || stringsIn(outputs.pending).includes(userKey(user));
    // Until a grant begins, the roles leave the person, a team ignores the person, and a single membership is not recorded.
    const isNew = from !== undefined && before.level === undefined && (before.isIgnored || !isWhole(resource));
    if (phase === "running") {
      if (level === role || (level === undefined && (isNew || isAsDeclared))) return unlessRecorded;
      if (level === undefined) return "done";
      return isNew || isPending ? "due" : drifted;
    }
    if (level === role) {
      const isRecorded = [before.level, levelIn(outputs, user)].includes(role);
      if (after.level === role) return unlessRecorded;
      if (after.level !== undefined || isRecorded) return "due";
      return { refusal: `${user} still has ${role}, and the state does not record the grant; end it in the app` };
    }
    // Nobody gets anything at the end of a grant that was not given, or that somebody has taken away.
    const isOver = after.level === undefined && (isNew || then === "remove" || level === undefined);
    const isDone = [after.level, propertiesIn(outputs.previousRoles)[id]].includes(level);
    if (isOver || isDone || (level === undefined && isPending)) return unlessRecorded;
    return level === undefined || isAsDeclared ? "done" : drifted;
  };

  const admins = new Set(live.members.flatMap((one) => (one.role === "admin" && !one.disabled ? [one.user.id] : [])));
  const owners = new Map(
    live.teams.map(({ id, people }) => {
      const able = people.filter(({ role, disabled }) => role === "owner" && !disabled);
      return [id, new Set(able.map(({ userId }) => userId))] as const;
    }),
  );
  /** Why the person must keep the role of an administrator or owner: somebody else must have it already. */
  const guardOf = (line: GrantLine, all: readonly GrantLine[]): string | undefined => {
    const { grant, resource } = line;
    const { team } = grant;
    const { id } = personOf(line);
    const holders = team === undefined ? admins : owners.get(team);
    const keeps = saidOf(declared.get(resource), grant.user).level === (team === undefined ? "admin" : "owner");
    if (keeps || !holders?.has(id)) return undefined;
    const others = live.members.filter((one) => one.user.id !== id && holders.has(one.user.id));
    if (team === undefined) {
      for (const { guards: { minAdmins, requiredAdmins } = {} } of notes) {
        const names =
          others.length === 0 ? "nobody" : `only ${listNames(others.map((one) => one.user.email ?? one.user.id))}`;
        if (typeof minAdmins === "number" && others.length < minAdmins)
          return `guards.minAdmins requires ${minAdmins}, and ${names} would be an administrator who can sign in`;
        const member = live.members.find((one) => one.user.id === id);
        if (member && stringsIn(requiredAdmins).some((user) => isNamed(member, user)))
          return `guards.requiredAdmins requires that ${grant.user} is an administrator`;
      }
    } else if (holders.size === 1 && isWhole(resource)) {
      const users = usersOf(all.filter((one) => one.resource === resource));
      if (inputsWith(resource, users)?.allowNoOwner !== true)
        return `team ${team} would have no owner; make another person an owner first`;
    }
    holders.delete(id);
    return undefined;
  };

  const verdicts = lines.filter(isReviewed).map((line) => ({ line, verdict: judge(line) }));
  const found = verdicts.flatMap(({ line, verdict }) => (verdict === "due" ? [line] : []));
  const judged = verdicts.flatMap(({ line, verdict }): { line: GrantLine; refusal: string | undefined }[] => {
    if (verdict === "done") return [];
    return [{ line, refusal: verdict === "due" ? (refusalOf(line) ?? guardOf(line, found)) : verdict.refusal }];
  });
  const due = judged.flatMap(({ line, refusal }): DueLine[] =>
    refusal === undefined ? [{ ...line, level: personOf(line).level }] : [],
  );
  // A line that has ended, and that the file no longer has, ends with the next up. Until then, nobody must take the grant for ended.
  const dropped = [...reviewed].flatMap(([text, grant]) => {
    const isDropped = !declaredGrants.some((one) => canonical(one) === text) && grant.then !== grant.role;
    return isDropped ? lineOf(grant) : [];
  });
  const overdue = dropped.filter((line) => line.phase === "ended" && personOf(line).level === line.grant.role);
  const resources = [...new Set(due.map(({ resource }) => resource))].map((resource) => {
    return [resource, inputsWith(resource, usersOf(due.filter((one) => one.resource === resource)))] as const;
  });
  return {
    due,
    refused: [
      ...judged.flatMap(({ line, refusal }) => (refusal === undefined ? [] : [{ ...line, refusal }])),
      ...overdue.map((line) => {
        const { user, role, expires = "" } = line.grant;
        const ended = `the grant ended ${momentWords(expires)}, its line is removed or changed since the last up`;
        return { ...line, refusal: `${ended}, and ${user} still has ${role}; run docs-org up` };
      }),
    ],
    /** Lines that are new or changed since the last up, so nobody has reviewed them with a plan that was applied. */
    unreviewed: lines.filter((line) => !isReviewed(line)),
    /** By the end of the URN. A resource without inputs is deleted. */
    resources: new Map(resources),
  };
}

const usersOf = (some: readonly GrantLine[]): ReadonlySet<string> => new Set(some.map(({ grant }) => grant.user));

function resourceOf(component: string, [section, team = "", property, user = ""]: Path): string {
  const end = (resource: string, key: string) => `docs:index:${resource}::${childName(component, key)}`;
  if (section === "members") return end("MemberRoles", "members");
  if (property === "memberships") return end("TeamMembership", membershipKey(String(team), String(user)));
  return end("TeamMembers", String(team));
}

const isWhole = (resource: string): boolean => resource.startsWith("docs:index:TeamMembers:");

const isSingle = (resource: string): boolean => resource.startsWith("docs:index:TeamMembership:");

const hasOwner = (inputs?: Properties): boolean => Object.values(propertiesIn(inputs?.members)).includes("owner");

/** The level of the person in the inputs or outputs of a resource. */
function levelIn({ roles, members, role }: Properties = {}, user: string): unknown {
  const all = propertiesIn(roles ?? members);
  return role ?? all[user] ?? all[userKey(user)];
}

/** What the inputs of a resource say about a person. */
const saidOf = (inputs: Properties = {}, user: string) => ({
  level: levelIn(inputs, user),
  released: propertiesIn(propertiesIn(inputs.onRelease).people)[user],
  isIgnored: stringsIn(inputs.ignore).includes(user),
});

/** The recorded value, with what the declared one says about these people: their keys in maps, and their names in lists. */
function withPeople(recorded: unknown, declared: unknown, people: ReadonlySet<string>): unknown {
  const isAbsent = recorded === undefined || declared === undefined;
  if (Array.isArray(recorded ?? declared)) {
    const [before, after] = [recorded ?? [], declared ?? []] as [string[], string[]];
    const kept = before.filter((one) => !people.has(one) || after.includes(one));
    const list = [...kept, ...after.filter((one) => people.has(one) && !before.includes(one))];
    return isAbsent && list.length === 0 ? undefined : list;
  }
  if (typeof (recorded ?? declared) !== "object") return recorded;
  const [before, after] = [propertiesIn(recorded), propertiesIn(declared)];
  const entries = Object.keys({ ...before, ...after }).map((key) => {
    return [key, people.has(key) ? after[key] : withPeople(before[key], after[key], people)];
  });
  const map = defined(Object.fromEntries(entries));
  return isAbsent && Object.keys(map).length === 0 ? undefined : map;
}

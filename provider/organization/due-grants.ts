import { isDeepStrictEqual } from "node:util";
import { stringsIn } from "../access/assignments";
import { canonical } from "../access/plan-file";
import { phaseOf } from "../access-plan/grants";
import { incompleteKey } from "../lifecycle/state";
import { userKey } from "../people/user";
import { type NotedGrant, notesIn, notesName } from "../review/model/component-notes";
import { defined, type Properties, propertiesIn } from "../run/properties";
import { nameIn } from "../run/urn";
import { dotted } from "../text/mistakes";
import type { Path } from "./file/places";
import type { OrganizationFile } from "./file/types";
import { findMissingAdmins } from "./guards/administrators";
import { reviewNotes } from "./review-notes";
import { childName, childrenOf } from "./sections";
import { pathOfLine } from "./sections/grants";
import { membershipKey } from "./sections/teams";

/** What `docs-org up --only grants` does: grants of lines that the last up had as they are, which begin or have ended since. */

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

interface Asked {
  readonly component: string;
  readonly file: OrganizationFile;
  readonly now: Date;
  readonly state: readonly StateResource[];
  /** Why a grant must not begin or end. */
  readonly refusalOf: (line: GrantLine) => string | undefined;
}

export function findDueGrants({ component, file, now, state, refusalOf }: Asked) {
  const recorded = new Map(state.map((one) => [`${one.type}::${nameIn(one.urn)}`, one]));
  const children = childrenOf(component, file, now);
  const declared = new Map(children.map((one) => [`docs:index:${one.resource}::${one.name}`, one.inputs]));
  const notes = state.flatMap(({ urn, inputs }) => (nameIn(urn) === notesName(component) && notesIn(inputs)) || []);
  const reviewed = new Set(notes.flatMap(({ grants = [] }) => grants.map(canonical)));

  const lines = (reviewNotes(file).grants ?? []).flatMap((grant): GrantLine[] => {
    const { user, team, from, expires } = grant;
    if (from === undefined && expires === undefined) return [];
    const path = pathOfLine(file, team, user);
    const phase = phaseOf({ from, expires: expires === undefined ? undefined : { on: expires, then: "" } }, now);
    return [{ path, grant, phase, resource: resourceOf(component, path) }];
  });
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
    // The grant of the last owner ends like any other.
    return hasOwner(before) && !hasOwner(inputs) ? { ...inputs, allowNoOwner: true } : inputs;
  };
  const isDue = ({ grant: { user, role }, phase, resource }: GrantLine): boolean => {
    const { inputs, outputs } = recorded.get(resource) ?? {};
    const [before, after] = [saidOf(inputs, user), saidOf(declared.get(resource), user)];
    const [level, live] = [after.level, levelIn(outputs, user)];
    // Another line may remove the person from the organization, which is the end of that grant.
    if (phase === "to begin" || (phase === "running" && level === undefined)) return false;
    // After an up that has failed, the state declares the change and has the level from before.
    const isUnfinished = outputs?.[incompleteKey] === true || (phase === "ended" && live === role);
    return !isDeepStrictEqual(before, after) || (isUnfinished && live !== level);
  };
  const usersOf = (some: readonly GrantLine[]) => new Set(some.map(({ grant }) => grant.user));

  const found = lines.filter((line) => isReviewed(line) && isDue(line));
  const ofRoles = found.filter(({ grant }) => grant.team === undefined);
  const roles = ofRoles[0] && inputsWith(ofRoles[0].resource, usersOf(ofRoles))?.roles;
  const [guard] = notes.flatMap(({ guards }) => findMissingAdmins({ guards, members: roles }, now));
  const judged = found.map((line) => {
    const { team, role } = line.grant;
    const isGuarded = guard && team === undefined && role === "admin" && line.phase === "ended";
    return { ...line, refusal: isGuarded ? `${dotted(guard.path)} ${guard.text}` : refusalOf(line) };
  });
  const due = judged.filter(({ refusal }) => refusal === undefined);
  const resources = [...new Set(due.map(({ resource }) => resource))].map((resource) => {
    return [resource, inputsWith(resource, usersOf(due.filter((one) => one.resource === resource)))] as const;
  });
  return {
    due,
    refused: judged.filter(({ refusal }) => refusal !== undefined),
    /** Lines that are new or changed since the last up, so nobody has reviewed them with a plan that was applied. */
    unreviewed: lines.filter((line) => !isReviewed(line)),
    /** By the end of the URN. A resource without inputs is deleted. */
    resources: new Map(resources),
  };
}

function resourceOf(component: string, [section, team = "", property, user = ""]: Path): string {
  const end = (resource: string, key: string) => `docs:index:${resource}::${childName(component, key)}`;
  if (section === "members") return end("MemberRoles", "members");
  if (property === "memberships") return end("TeamMembership", membershipKey(String(team), String(user)));
  return end("TeamMembers", String(team));
}

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

import type { Teammate } from "../access/teammate";
import type { AccessChange } from "../access-plan/change";
import { secret, unknown } from "../access-plan/place";
import type { User } from "../api/groups/shared";
import { DocsError } from "../api/http/errors";
import type { LiveOrganization } from "../organization/live/live";
import { repeatsIn } from "../organization/sections/checks";
import { compare } from "../organization/sections/parts";
import type { AuditedSubject } from "../organization/sections/section";
import { isAnonymous, isEmail } from "../people/user";
import { nameOfResource } from "../review/model/access";
import { auditedKinds, definitionOf } from "../review/model/definitions";
import { secretValue } from "../run/properties";
import { quoted } from "../text/mistakes";
import { listFirst, plain } from "../text/safe-text";
import { type Declarer, planStates, type RecordedAccess, type StackManager } from "./access";
import type { AuditedResource, StackState } from "./state";

/** The kinds of subjects, access first. */
const kinds = ["role", "membership", ...auditedKinds];

function byKind(a: AuditedDeclaration, b: AuditedDeclaration): number {
  return kinds.indexOf(a.kind) - kinds.indexOf(b.kind) || compare(a.name, b.name);
}

export interface AuditedDeclaration {
  readonly kind: string;
  /** For access, the id of the user if it is known, otherwise the e-mail; for other subjects, their id. */
  readonly id: string;
  /** The name that people know. */
  readonly name: string;
  readonly team?: string;
  readonly by: Declarer;
  /** Declared by an e-mail that nobody has joined with yet. */
  readonly waiting: boolean;
  /** The state marks the resource for deletion. */
  readonly leaving: boolean;
}

export interface Declarations {
  readonly all: readonly AuditedDeclaration[];
  readonly access: RecordedAccess;
  /** Number of declarations that cannot be compared, because the state has them as secrets. */
  readonly hidden: number;
}

export const keyOfAudited = ({ kind, id, team }: AuditedSubject): string => JSON.stringify([kind, id, team]);

export interface OwnStates {
  readonly states: readonly StackState[];
  /** Stacks that manage nothing of this organization. */
  readonly empty: readonly string[];
  /** Resources of other organizations. */
  readonly foreign: number;
}

/** Keeps the resources of this organization. Refuses a state of another organization, and a second state of one stack. */
export function ownStates(states: readonly StackState[], organizationId: string): OwnStates {
  refuseTwice(states);
  const filteredStates = states.map((state) => {
    const ids = state.resources.map(organizationOf).filter((id) => id !== undefined && id !== organizationId);
    const otherIds = new Set(ids);
    const resources = state.resources.filter((resource) => !otherIds.has(organizationOf(resource)));
    if (otherIds.size > 0 && resources.length === 0)
      throw otherOrganization(state, [...otherIds] as string[], organizationId);
    return { ...state, resources };
  });
  const count = (all: readonly StackState[]) => all.reduce((sum, { resources }) => sum + resources.length, 0);
  return {
    states: filteredStates,
    empty: filteredStates.filter(({ resources }) => resources.length === 0).map(({ name }) => name),
    foreign: count(states) - count(filteredStates),
  };
}

function organizationOf({ live }: AuditedResource): string | undefined {
  const id = live?.outputs.organizationId ?? live?.inputs.organizationId;
  return typeof id === "string" && id !== secretValue ? id : undefined;
}

function refuseTwice(states: readonly StackState[]): void {
  for (const [{ name, source }, before] of repeatsIn(states, ({ name }) => name))
    throw new DocsError(`${before.source} and ${source} are both states of stack ${name}; pass each stack once`);
}

function otherOrganization({ name, source }: StackState, others: readonly string[], organizationId: string): DocsError {
  return new DocsError(
    `${source}: stack ${name} manages organization ${plain(listFirst(others))}, and the settings name ${quoted(organizationId)}; correct ` +
      "DOCS_ORGANIZATION_ID, or use the state of a stack of this organization",
  );
}

export function declarationsIn(states: readonly StackState[], live: LiveOrganization): Declarations {
  const access = planStates(states, live);
  const users = new Map(live.members.map(({ user }) => [user.id, user]));
  const accessDeclarations = access.plan.subjects.flatMap((change) => accessIn(change, access, users));
  const isHidden = ({ id, team }: AuditedDeclaration) => isAnonymous(id) || team === secret || team === unknown;
  const visible = accessDeclarations.filter((one) => !isHidden(one));
  return {
    all: [...visible, ...states.flatMap(objectsIn)].sort(byKind),
    access,
    hidden: accessDeclarations.length - visible.length,
  };
}

export const isAccessDeclaration = ({ kind }: Pick<AuditedDeclaration, "kind">): boolean =>
  kind === "role" || kind === "membership";

function accessIn(
  change: AccessChange,
  { managers }: RecordedAccess,
  users: ReadonlyMap<string, User>,
): AuditedDeclaration[] {
  const { person, place, state, declaredBy } = change;
  const subject = place.kind === "role" ? { kind: "role" } : { kind: "membership", team: place.team ?? "" };
  const { email, displayName } = users.get(person.id) ?? {};
  const name = email ?? displayName ?? person.keys.find(isEmail) ?? person.id;
  const declaration = { ...subject, id: person.id, name, waiting: state === "pending" };
  return declaredBy.flatMap((manager) => {
    const { by, leaving } = managers.get(manager) as StackManager;
    return { ...declaration, by, leaving };
  });
}

function objectsIn({ name: stack, resources }: StackState): AuditedDeclaration[] {
  return resources.flatMap((resource): AuditedDeclaration[] => {
    const { name, id, live, operation } = resource;
    const kind = definitionOf(resource)?.audited;
    if (kind === undefined || id === undefined) return [];
    const { label, title } = { ...live?.inputs, ...live?.outputs };
    const by = { stack, resource: nameOfResource(resource) };
    return [{ kind, id, name: String(label ?? title ?? name), by, waiting: false, leaving: operation === "delete" }];
  });
}

/** What the states of all stacks manage. */
export function managedBy({ all, access }: Declarations, organization: string) {
  const keys = new Set(all.map(keyOfAudited));
  const wholeTeams = new Set([...access.managers.keys()].map(({ area }) => area?.team));
  return {
    has: (subject: AuditedSubject) => keys.has(keyOfAudited(subject)),
    // The plan has everybody in a team that one manager manages as a whole, except the people that it ignores.
    ignores: (team = "", { userId: id }: Teammate) =>
      wholeTeams.has(team) && access.plan.of({ kind: "team", team, organization }, { id }) === undefined,
  };
}

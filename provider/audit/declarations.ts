import { stringsIn } from "../access/assignments";
import { secret, unknown } from "../access-plan/place";
import type { Member } from "../api/groups/members";
import { DocsError } from "../api/http/errors";
import type { Moment } from "../lifecycle/review";
import { compare } from "../organization/sections/objects";
import type { Subject } from "../organization/sections/section";
import { matcherOf } from "../people/patterns";
import { isAnonymous, isEmail, userKey } from "../people/user";
import { nameOf } from "../review/model/access";
import { assignmentsIn, managesTeam } from "../review/model/access-input";
import { auditedKinds, definitionOf, inputKindOf } from "../review/model/definitions";
import { People } from "../review/model/people";
import type { Resource } from "../review/model/preview";
import { secretValue } from "../run/properties";
import { quoted } from "../text/mistakes";
import { plain, some } from "../text/words";
import type { StackState } from "./state";

/** The resource of a stack that declares a subject. */
export interface Declarer {
  readonly stack: string;
  /** `TeamMembers writers` */
  readonly resource: string;
}

/** The kinds of subjects, access first. */
const kinds = ["role", "membership", ...auditedKinds];

/** The order of declarations in a list. */
function byKind(a: Declaration, b: Declaration): number {
  return kinds.indexOf(a.kind) - kinds.indexOf(b.kind) || compare(a.name, b.name);
}

/** One subject that a resource declares. */
export interface Declaration {
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

/** A resource that manages all members of a team, except the people it ignores. */
export interface WholeTeam {
  readonly team: string;
  readonly by: Declarer;
  readonly ignores: ReturnType<typeof matcherOf>;
}

export interface Declarations {
  readonly all: readonly Declaration[];
  readonly wholeTeams: readonly WholeTeam[];
  /** Number of declarations that cannot be compared, because the state has them as secrets. */
  readonly hidden: number;
}

/** The key of a subject: the same for two declarations of it. */
export const keyOf = ({ kind, id, team }: Subject): string => JSON.stringify([kind, id, team]);

/** The members of an organization, by id and by e-mail. */
export class Directory {
  private readonly byId: ReadonlyMap<string, Member>;
  private readonly byEmail: Map<string, string>;

  constructor(members: readonly Member[]) {
    this.byId = new Map(members.map((member) => [member.user.id, member]));
    this.byEmail = new Map();
    const shared = new Set<string>();
    for (const { user } of members) {
      const key = user.email && userKey(user.email);
      if (!key) continue;
      if (this.byEmail.has(key)) shared.add(key);
      this.byEmail.set(key, user.id);
    }
    // If two people share an e-mail, it does not tell which of them is declared.
    for (const key of shared) this.byEmail.delete(key);
  }

  member(userId: string): Member | undefined {
    return this.byId.get(userId);
  }

  /** The id of a declared person. A recorded id wins over the e-mail, which may belong to another person by now. */
  idOf(user: string, recorded: unknown): string {
    if (!isEmail(user)) return user;
    return typeof recorded === "string" ? recorded : (this.byEmail.get(userKey(user)) ?? userKey(user));
  }
}

export interface Own {
  readonly states: readonly StackState[];
  /** Stacks that manage nothing of this organization. */
  readonly empty: readonly string[];
  /** Resources of other organizations. */
  readonly foreign: number;
}

/** Keeps the resources of this organization. Refuses a state of another organization, and a second state of one stack. */
export function ownStates(states: readonly StackState[], organizationId: string): Own {
  refuseTwice(states);
  const own = states.map((state) => {
    const others = new Set(
      state.resources.map(organizationOf).filter((id) => id !== undefined && id !== organizationId),
    );
    const resources = state.resources.filter((resource) => !others.has(organizationOf(resource)));
    if (others.size > 0 && resources.length === 0)
      throw otherOrganization(state, [...others] as string[], organizationId);
    return { ...state, resources };
  });
  const count = (all: readonly StackState[]) => all.reduce((sum, { resources }) => sum + resources.length, 0);
  return {
    states: own,
    empty: own.filter(({ resources }) => resources.length === 0).map(({ name }) => name),
    foreign: count(states) - count(own),
  };
}

function organizationOf({ live }: Resource): string | undefined {
  const id = live?.outputs.organizationId ?? live?.inputs.organizationId;
  return typeof id === "string" && id !== secretValue ? id : undefined;
}

function refuseTwice(states: readonly StackState[]): void {
  const seen = new Map<string, string>();
  for (const { name, source } of states) {
    const before = seen.get(name);
    if (before !== undefined) {
      throw new DocsError(`${before} and ${source} are both states of stack ${name}; pass each stack once`);
    }
    seen.set(name, source);
  }
}

function otherOrganization({ name, source }: StackState, others: readonly string[], organizationId: string): DocsError {
  return new DocsError(
    `${source}: stack ${name} manages organization ${plain(some(others))}, and the settings name ${quoted(organizationId)}; correct ` +
      "DOCS_ORGANIZATION_ID, or use the state of a stack of this organization",
  );
}

/** Everything that the states declare. */
export function declarationsIn(states: readonly StackState[], directory: Directory): Declarations {
  const people = new People(states.flatMap(({ resources }) => resources));
  const found = states.flatMap(({ name, resources }) =>
    resources.flatMap((resource) => declaredBy(resource, name, directory)),
  );
  const known = found.filter(({ id, team }) => !isAnonymous(id) && team !== secret && team !== unknown);
  const named = known.map((one) => (isAccess(one) ? { ...one, name: personName(one.id, directory, people) } : one));
  return {
    all: named.sort(byKind),
    wholeTeams: states.flatMap(({ name, resources }) => resources.flatMap((resource) => wholeTeamOf(resource, name))),
    hidden: found.length - known.length,
  };
}

export const isAccess = ({ kind }: Pick<Declaration, "kind">): boolean => kind === "role" || kind === "membership";

function personName(id: string, directory: Directory, people: People): string {
  const { email, displayName } = directory.member(id)?.user ?? {};
  return email ?? displayName ?? people.of(id).name;
}

function declaredBy(resource: Resource, stack: string, directory: Directory): Declaration[] {
  const { name, id, live, operation } = resource;
  const { kind } = definitionOf(resource)?.audit ?? {};
  const common = { by: { stack, resource: nameOf(resource) }, waiting: false, leaving: operation === "delete" };
  if (!kind) return live ? accessBy(resource, live, directory).map((one) => ({ ...common, ...one })) : [];
  const { title = name, label = title } = { ...live?.inputs, ...live?.outputs };
  return id === undefined ? [] : [{ ...common, kind, id, name: String(label) }];
}

type Access = Pick<Declaration, "kind" | "id" | "name" | "waiting"> & { readonly team?: string };

/** The access that a resource declares. The state also has unmanaged members that a refresh found, which do not count. */
function accessBy(resource: Resource, moment: Moment, directory: Directory): Access[] {
  const { userIds, found, pending, ignore } = { ...moment.inputs, ...moment.outputs };
  const undeclared = new Set(stringsIn(found));
  // In `TeamMembers`, `ignore` is about undeclared people; in `MemberRoles`, it also releases declared people.
  const selects = inputKindOf(definitionOf(resource), "ignore") === "selection";
  const ignored = matcherOf(selects ? stringsIn(ignore) : []);
  const waits = new Set(stringsIn(pending));
  return assignmentsIn(resource, moment, "").flatMap(({ place, user }): Access[] => {
    const id = directory.idOf(user, (userIds as Record<string, unknown> | undefined)?.[userKey(user)]);
    const email = directory.member(id)?.user.email;
    if (place.kind === "sso" || undeclared.has(id) || ignored({ userId: id, email })) return [];
    const waiting = (pending === true || waits.has(id)) && !directory.member(id);
    if (place.kind === "role") return [{ kind: "role", id, name: user, waiting }];
    return [{ kind: "membership", id, name: user, waiting, team: place.team ?? "" }];
  });
}

function wholeTeamOf(resource: Resource, stack: string): WholeTeam[] {
  const { teamId, ignore } = { ...resource.live?.inputs, ...resource.live?.outputs };
  if (!managesTeam(resource) || typeof teamId !== "string") return [];
  return [{ team: teamId, by: { stack, resource: nameOf(resource) }, ignores: matcherOf(stringsIn(ignore)) }];
}

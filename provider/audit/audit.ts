import type { LiveOrganization } from "../organization/live/live";
import { type Coverage, coverageOf, type Kind, totalOf } from "./coverage";
import { type Declaration, type Declarations, Directory, declarationsIn, keyOf, type Own } from "./declarations";
import { membershipsIn, type TeamName, teamNames, withRole } from "./live";
import { type Shared, sharedIn } from "./shared";
import { type Unmanaged, unmanagedIn } from "./unmanaged";
import { type Verdict, verdictOf } from "./verdict";

/** Something that a state declares and that is not live. */
export interface Gone extends Pick<Declaration, "kind" | "id" | "name" | "by"> {
  readonly team?: TeamName;
}

/**
 * What is live in an organization and what no code declares, as `docs-org audit --format json` prints it. `version` grows
 * when a reader of the version before could misunderstand it; properties may be added without that.
 */
export interface Audit {
  readonly version: 1;
  readonly organization: string;
  /** `project/stack` of each. */
  readonly stacks: readonly string[];
  readonly verdict: Verdict;
  readonly coverage: Readonly<Record<Kind, Coverage>> & { readonly total: Coverage };
  /** Members without a role, who need no declaration. */
  readonly guests: number;
  /** Memberships that nothing declares by name, and that the `ignore` of their team leaves alone: they count as declared. */
  readonly ignored: number;
  /** The most important first, each list. */
  readonly unmanaged: Unmanaged;
  /** What several stacks declare: each would undo what the other does. */
  readonly shared: readonly Shared[];
  readonly gone: readonly Gone[];
  /** Memberships that are asked for by e-mail, of people who have not joined yet. */
  readonly waiting: number;
  /** Declarations that can not be compared, since the state has them as secrets. */
  readonly hidden: number;
  /** Members whose e-mail the service does not tell. */
  readonly hiddenEmails: number;
  /** Stacks that manage nothing of this organization. */
  readonly emptyStacks: readonly string[];
  /** Resources in the states that belong to other organizations. */
  readonly foreignResources: number;
}

/** Compares what is live with what states declare; of the states, only what belongs to the organization. */
export function auditOf(live: LiveOrganization, { states, empty, foreign }: Own): Audit {
  const declarations = declarationsIn(states, new Directory(live.members));
  const { ignored, ...unmanaged } = unmanagedIn(live, declarations);
  const coverage = coverageIn(live, unmanaged);
  const found = {
    version: 1,
    organization: live.organizationId,
    stacks: states.map(({ name }) => name),
    coverage,
    guests: live.members.length - withRole(live.members).length,
    ignored,
    unmanaged,
    shared: sharedIn(declarations, live),
    gone: goneIn(live, declarations),
    waiting: declarations.all.filter(({ waiting }) => waiting).length,
    hidden: declarations.hidden,
    hiddenEmails: live.members.filter(({ user }) => !user.email).length,
    emptyStacks: empty,
    foreignResources: foreign,
  } as const;
  return { ...found, verdict: verdictOf(found) };
}

function coverageIn(live: LiveOrganization, unmanaged: Unmanaged): Audit["coverage"] {
  const there: Record<Kind, number> = {
    roles: withRole(live.members).length,
    memberships: membershipsIn(live).length,
    saml: live.saml.length,
    sites: live.sites.length,
    translations: live.translations.length,
  };
  const of = (kind: Kind) => coverageOf(there[kind] - unmanaged[kind].length, there[kind]);
  const kinds = {
    roles: of("roles"),
    memberships: of("memberships"),
    saml: of("saml"),
    sites: of("sites"),
    translations: of("translations"),
  };
  return { ...kinds, total: totalOf(Object.values(kinds)) };
}

function goneIn(live: LiveOrganization, { all }: Declarations): Gone[] {
  const keys = liveKeys(live);
  const named = teamNames(live);
  return all
    .filter((one) => !one.waiting && !one.leaving && !keys.has(keyOf(one)))
    .map(({ kind, id, name, by, team }) => {
      return { kind, id, name, by, ...(team !== undefined && { team: named(team) }) };
    });
}

/** What a declaration can find; guests are members as well, with a role that is none. */
function liveKeys(live: LiveOrganization): Set<string> {
  const sites = (["site", "adaptive-schema", "structure-order"] as const).flatMap((kind) =>
    live.sites.map(({ id }) => ({ kind, id })),
  );
  const all = [
    ...live.members.map(({ user }) => ({ kind: "role", id: user.id }) as const),
    ...membershipsIn(live).map(({ team, person }) => {
      return { kind: "membership", id: person.userId, team: team.id } as const;
    }),
    ...live.saml.map(({ id }) => ({ kind: "saml", id }) as const),
    ...sites,
    ...live.translations.map(({ id }) => ({ kind: "translation", id }) as const),
  ];
  return new Set(all.map(keyOf));
}

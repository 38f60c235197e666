import type { LiveOrganization } from "../organization/live/live";
import { coverageOf, type Kind, totalOf } from "./coverage";
import { type Declarations, Directory, declarationsIn, keyOf, type Own } from "./declarations";
import { membershipsIn, teamNames, withRole } from "./live";
import type { Audit, Gone } from "./report";
import { sharedIn } from "./shared";
import { type Unmanaged, unmanagedIn } from "./unmanaged";
import { verdictOf } from "./verdict";

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

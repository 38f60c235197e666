import { rank } from "../access/holding";
import { isPublic, siteVisibilities } from "../api/groups/sites";
import type { LiveOrganization } from "../organization/live/live";
import { type Declarations, keyOf } from "./declarations";
import { type Membership, membershipsIn, type TeamName, teamNames, withRole } from "./live";

export interface UnmanagedPerson {
  readonly userId: string;
  /** The e-mail, or the name of somebody who hides it. */
  readonly name: string;
  readonly role: string;
  readonly disabled: boolean;
}

export interface UnmanagedMembership {
  readonly userId: string;
  readonly name: string;
  readonly team: TeamName;
  readonly role: string;
}

export interface UnmanagedProvider {
  readonly id: string;
  readonly label: string;
  readonly status: string;
  /** What people become who sign in with it for the first time. */
  readonly defaultRole: string;
}

export interface UnmanagedSite {
  readonly id: string;
  readonly title: string;
  readonly visibility: string;
  readonly published: boolean;
}

export interface UnmanagedTranslation {
  readonly id: string;
  readonly language: string;
  readonly space: string;
}

/** What is live and no code declares, the most important first in each list. */
export interface Unmanaged {
  readonly roles: readonly UnmanagedPerson[];
  readonly memberships: readonly UnmanagedMembership[];
  readonly saml: readonly UnmanagedProvider[];
  readonly sites: readonly UnmanagedSite[];
  readonly translations: readonly UnmanagedTranslation[];
}

/** Beside it, how many memberships no code names and a whole team leaves alone all the same. */
export function unmanagedIn(live: LiveOrganization, declarations: Declarations): Unmanaged & { ignored: number } {
  const keys = new Set(declarations.all.map(keyOf));
  const without = <Thing extends { readonly id: string }>(
    kind: "saml" | "site" | "translation",
    things: readonly Thing[],
  ) => things.filter(({ id }) => !keys.has(keyOf({ kind, id })));
  const unnamed = membershipsIn(live).filter((one) => !isDeclared(one, keys));
  const stray = unnamed.filter((one) => !isIgnored(one, declarations.wholeTeams));
  return {
    roles: rolesIn(live, keys),
    memberships: unmanagedMemberships(live, stray),
    ignored: unnamed.length - stray.length,
    saml: without("saml", live.saml)
      .map(({ id, label, status, defaultRole }) => ({ id, label, status, defaultRole: defaultRole ?? "guest" }))
      .sort((a, b) => weight(b.defaultRole) - weight(a.defaultRole) || compare(a.label, b.label)),
    sites: without("site", live.sites)
      .map(({ id, title, visibility, published }) => ({ id, title, visibility, published }))
      .sort((a, b) => exposure(a) - exposure(b) || compare(a.title, b.title)),
    translations: without("translation", live.translations)
      .map(({ id, language, source }) => ({ id, language, space: source.space }))
      .sort((a, b) => compare(`${a.space} ${a.language}`, `${b.space} ${b.language}`)),
  };
}

const { compare } = new Intl.Collator("en");

/** A role that came later than this version may be a powerful one. */
const weight = (role: string): number => (rank(role) < 0 ? rank("admin") - 0.5 : rank(role));

function rolesIn({ members }: LiveOrganization, keys: ReadonlySet<string>): UnmanagedPerson[] {
  return withRole(members)
    .filter(({ user }) => !keys.has(keyOf({ kind: "role", id: user.id })))
    .map(({ user, role, disabled }) => {
      return { userId: user.id, name: user.email ?? user.displayName, role: role ?? "guest", disabled };
    })
    .sort((a, b) => weight(b.role) - weight(a.role) || compare(a.name, b.name));
}

function unmanagedMemberships(live: LiveOrganization, stray: readonly Membership[]): UnmanagedMembership[] {
  const named = teamNames(live);
  return stray
    .map(({ team, person: { userId, email, displayName, role } }) => {
      return { userId, name: email ?? displayName ?? userId, team: named(team.id), role };
    })
    .sort((a, b) => weight(b.role) - weight(a.role) || compare(titleOf(a), titleOf(b)) || compare(a.name, b.name));
}

const isDeclared = ({ team, person }: Membership, keys: ReadonlySet<string>): boolean =>
  keys.has(keyOf({ kind: "membership", id: person.userId, team: team.id }));

/** Whom a whole team ignores is declared to be none of its business. */
const isIgnored = ({ team, person }: Membership, wholeTeams: Declarations["wholeTeams"]): boolean =>
  wholeTeams.some((whole) => whole.team === team.id && whole.ignores(person));

const titleOf = ({ team }: UnmanagedMembership): string => team.title ?? team.id;

/** What anybody can find comes first. */
function exposure(site: UnmanagedSite): number {
  const openness = (siteVisibilities as readonly string[]).indexOf(site.visibility);
  return isPublic(site) ? -2 : openness + (site.published ? 0 : siteVisibilities.length);
}

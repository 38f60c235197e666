import { nearest } from "../../text/mistakes";
import type { SeedOrganization } from "./organization";
import { findDuplicates, listNames, type Named, type Wrong } from "./references";

/** Finds duplicate ids of people, teams, SAML providers and translations, and references to unknown objects. */
export function findWrongPeople(organizations: Readonly<Record<string, SeedOrganization>>): Wrong[] {
  return Object.entries(organizations).flatMap(([id, organization]) => [
    ...findDuplicateIds(id, organization),
    ...findUnknown("member", usersIn(id, organization), organization.members ?? [], "userId"),
    ...findUnknown("team", defaultTeamsIn(id, organization), organization.teams ?? [], "id"),
    ...findUnknown("space", spacesIn(id, organization), organization.spaces ?? [], "id"),
  ]);
}

function findDuplicateIds(
  id: string,
  { members = [], teams = [], saml = [], translations = [] }: SeedOrganization,
): Wrong[] {
  const emails = listNames(members, [id, "members"], "email").map((one) => ({ ...one, name: one.name.toLowerCase() }));
  return [
    ...findDuplicates(listNames(members, [id, "members"], "userId"), "member"),
    ...findDuplicates(emails, "member"),
    ...findDuplicates(listNames(teams, [id, "teams"], "id"), "team"),
    ...findDuplicates(listNames(saml, [id, "saml"], "id"), "SAML provider"),
    ...findDuplicates(listNames(translations, [id, "translations"], "id"), "translation"),
  ];
}

function usersIn(id: string, { teams = [] }: SeedOrganization): Named[] {
  return teams.flatMap(({ members = {} }, index) =>
    Object.keys(members).map((name) => ({ path: [id, "teams", index, "members", name], name })),
  );
}

function defaultTeamsIn(id: string, { saml = [] }: SeedOrganization): Named[] {
  return listNames(saml, [id, "saml"], "defaultTeam");
}

function spacesIn(id: string, { members = [], translations = [] }: SeedOrganization): Named[] {
  const ofMembers = members.flatMap(({ spaces = {} }, index) =>
    Object.keys(spaces).map((name) => ({ path: [id, "members", index, "spaces", name], name })),
  );
  const sources = translations.map(({ source }, index) => ({
    path: [id, "translations", index, "source", "space"],
    name: source.space,
  }));
  return [...ofMembers, ...sources];
}

function findUnknown<Key extends string>(
  kind: string,
  uses: readonly Named[],
  declared: readonly { readonly [K in Key]: string }[],
  key: Key,
): Wrong[] {
  const known = new Set(declared.map((one) => one[key]));
  return uses
    .filter(({ name }) => !known.has(name))
    .map(({ path, name }) => {
      const guess = nearest(name, [...known]);
      const hint = guess ? `did you mean "${guess}"?` : `declare it under \`${kind}s\` of the organization`;
      return { path: [...path], message: `there is no such ${kind}; ${hint}` };
    });
}

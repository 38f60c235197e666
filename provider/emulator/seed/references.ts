import { nearest } from "../../text/mistakes";
import type { SeedSection, SeedSite, SeedSiteSpace } from "../sites/seed";
import type { SeedPage } from "../spaces/seed";
import { idPattern } from "../store/ids";
import type { SeedOrganization, SeedSpace } from "./organization";

type Path = readonly (string | number)[];

interface Named {
  readonly path: Path;
  readonly name: string;
}

interface Wrong {
  readonly path: (string | number)[];
  readonly message: string;
}

/** Finds mistakes that the schema of a seed cannot express: duplicate ids, and ids of objects that do not exist. */
export function findWrongReferences(organizations: Readonly<Record<string, SeedOrganization>>): Wrong[] {
  const all = Object.entries(organizations);
  if (all.length === 0) return [{ path: [], message: "use at least one organization" }];
  // Paths such as /v1/spaces/<id> have no organization, so ids of spaces must be unique across organizations.
  const spaces = all.flatMap(([id, { spaces = [] }]) => listNames(spaces, [id, "spaces"], "id"));
  return [
    ...all.flatMap(([id]) => findWrongId(id)),
    ...findDuplicates(spaces, "space"),
    ...all.flatMap(([id, organization]) => findRepeatedIds(id, organization)),
    ...all.flatMap(([id, organization]) => findUnknownIds(id, organization)),
  ];
}

function findWrongId(id: string): Wrong[] {
  return idPattern.test(id) ? [] : [{ path: [id], message: "use only letters, digits, - and _ in its id" }];
}

function findRepeatedIds(id: string, organization: SeedOrganization): Wrong[] {
  const { members = [], teams = [], saml = [], translations = [], sites = [], spaces = [] } = organization;
  const emails = listNames(members, [id, "members"], "email").map((one) => ({ ...one, name: one.name.toLowerCase() }));
  return [
    ...findDuplicates(listNames(members, [id, "members"], "userId"), "member"),
    ...findDuplicates(emails, "member"),
    ...findDuplicates(listNames(teams, [id, "teams"], "id"), "team"),
    ...findDuplicates(listNames(saml, [id, "saml"], "id"), "SAML provider"),
    ...findDuplicates(listNames(translations, [id, "translations"], "id"), "translation"),
    ...findDuplicates(listNames(sites, [id, "sites"], "id"), "site"),
    ...findDuplicates(listNames(sites, [id, "sites"], "basename"), "site"),
    ...spaces.flatMap((space, index) => findRepeatedContent(space, [id, "spaces", index])),
  ];
}

function findRepeatedContent(space: SeedSpace, path: Path): Wrong[] {
  const { changeRequests = [], files = [], reusableContents = [], pages = [] } = space;
  return [
    ...findDuplicates(listNames(files, [...path, "files"], "id"), "file"),
    ...findDuplicates(listNames(reusableContents, [...path, "reusableContents"], "id"), "reusable content"),
    ...findDuplicates(listNames(changeRequests, [...path, "changeRequests"], "id"), "change request"),
    ...findDuplicates(listPages(pages, [...path, "pages"]), "page"),
  ];
}

function listPages(pages: readonly SeedPage[], path: Path): Named[] {
  const below = pages.flatMap(({ pages = [] }, index) => listPages(pages, [...path, index, "pages"]));
  return [...listNames(pages, path, "id"), ...below];
}

function findUnknownIds(id: string, organization: SeedOrganization): Wrong[] {
  const { members = [], teams = [], saml = [], translations = [], sites = [], spaces = [] } = organization;
  const users = teams.flatMap(({ members = {} }, index) => listKeys(members, [id, "teams", index, "members"]));
  const usesOfSpaces = [
    ...members.flatMap(({ spaces = {} }, index) => listKeys(spaces, [id, "members", index, "spaces"])),
    ...translations.map(({ source }, index): Named => {
      return { path: [id, "translations", index, "source", "space"], name: source.space };
    }),
    ...sites.flatMap((site, index) => spacesOf(site, [id, "sites", index])),
  ];
  return [
    ...findUnknown("member", users, listNames(members, [], "userId")),
    ...findUnknown("team", listNames(saml, [id, "saml"], "defaultTeam"), listNames(teams, [], "id")),
    ...findUnknown("space", usesOfSpaces, listNames(spaces, [], "id")),
  ];
}

function listKeys(roles: object, path: Path): Named[] {
  return Object.keys(roles).map((name) => ({ path: [...path, name], name }));
}

function listNames<Key extends string>(
  items: readonly { [K in Key]?: string | undefined }[],
  path: Path,
  key: Key,
): Named[] {
  return items.flatMap((item, index): Named[] => {
    const name = item[key];
    return name === undefined ? [] : [{ path: [...path, index, key], name }];
  });
}

function findDuplicates(all: readonly Named[], kind: string): Wrong[] {
  const seen = new Set<string>();
  return all.flatMap(({ path, name }) => {
    if (!seen.has(name)) {
      seen.add(name);
      return [];
    }
    return [{ path: [...path], message: `another ${kind} has it already; use each one once` }];
  });
}

function findUnknown(kind: string, uses: readonly Named[], declared: readonly Named[]): Wrong[] {
  const known = new Set(declared.map(({ name }) => name));
  return uses
    .filter(({ name }) => !known.has(name))
    .map(({ path, name }) => {
      const guess = nearest(name, [...known]);
      const hint = guess ? `did you mean "${guess}"?` : `declare it under \`${kind}s\` of the organization`;
      return { path: [...path], message: `there is no such ${kind}; ${hint}` };
    });
}

function spacesOf({ spaces = [], sections = [] }: SeedSite | SeedSection, path: Path): Named[] {
  const used = spaces.map((use: string | SeedSiteSpace, index): Named => {
    const at = [...path, "spaces", index];
    return typeof use === "string" ? { path: at, name: use } : { path: [...at, "space"], name: use.space };
  });
  return [...used, ...sections.flatMap((inner, index) => spacesOf(inner, [...path, "sections", index]))];
}

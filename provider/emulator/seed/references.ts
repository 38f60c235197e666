import { nearest } from "../../text/mistakes";
import type { SeedSection, SeedSite, SeedSiteSpace } from "../sites/seed";
import { idPattern } from "../store/ids";
import type { SeedOrganization } from "./organization";

export interface Named {
  readonly path: readonly (string | number)[];
  readonly name: string;
}

export interface Wrong {
  readonly path: (string | number)[];
  readonly message: string;
}

/** Finds mistakes that the schema of a seed cannot express: duplicate ids, and ids of spaces that do not exist. */
export function findWrongReferences(organizations: Readonly<Record<string, SeedOrganization>>): Wrong[] {
  const all = Object.entries(organizations);
  // Paths such as /v1/spaces/<id> have no organization, so ids of spaces must be unique across organizations.
  const spaces = all.flatMap(([id, { spaces = [] }]) => listNames(spaces, [id, "spaces"], "id"));
  if (all.length === 0) return [{ path: [], message: "use at least one organization" }];
  return [
    ...all.flatMap(findWrongId),
    ...findDuplicates(spaces, "space"),
    ...all.flatMap(([id, organization]) => findWrongSites(id, organization)),
  ];
}

function findWrongId([id]: readonly [string, SeedOrganization]): Wrong[] {
  return idPattern.test(id) ? [] : [{ path: [id], message: "use only letters, digits, - and _ in its id" }];
}

function findWrongSites(id: string, { spaces = [], sites = [] }: SeedOrganization): Wrong[] {
  const known = spaces.map((space) => space.id);
  const used = sites.flatMap((site, index) => spacesOf(site, [id, "sites", index]));
  return [
    ...findDuplicates(listNames(sites, [id, "sites"], "id"), "site"),
    ...findDuplicates(listNames(sites, [id, "sites"], "basename"), "site"),
    ...used.filter(({ name }) => !known.includes(name)).map((use) => unknownSpace(use, known)),
  ];
}

function unknownSpace({ path, name }: Named, known: readonly string[]): Wrong {
  const guess = nearest(name, known);
  const hint = guess ? `did you mean "${guess}"?` : "declare it under `spaces` of the organization";
  return { path: [...path], message: `there is no such space; ${hint}` };
}

export function listNames<Key extends string>(
  items: readonly { [K in Key]?: string | undefined }[],
  path: Named["path"],
  key: Key,
) {
  return items.flatMap((item, index): Named[] => {
    const name = item[key];
    return name === undefined ? [] : [{ path: [...path, index, key], name }];
  });
}

export function findDuplicates(all: readonly Named[], kind: string): Wrong[] {
  const seen = new Set<string>();
  return all.flatMap(({ path, name }) => {
    if (!seen.has(name)) {
      seen.add(name);
      return [];
    }
    return [{ path: [...path], message: `another ${kind} has it already; use each one once` }];
  });
}

function spacesOf({ spaces = [], sections = [] }: SeedSite | SeedSection, path: Named["path"]): Named[] {
  const used = spaces.map((use: string | SeedSiteSpace, index): Named => {
    const at = [...path, "spaces", index];
    return typeof use === "string" ? { path: at, name: use } : { path: [...at, "space"], name: use.space };
  });
  return [...used, ...sections.flatMap((inner, index) => spacesOf(inner, [...path, "sections", index]))];
}

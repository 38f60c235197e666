import type { Document, Node } from "yaml";
import { z } from "zod";
import { DocsError } from "../../api/http/errors";
import { inOneLine, type Mistake, mistakesIn, nearest } from "../../text/mistakes";
import { unknownUser } from "../members/record";
import { peopleSeeds, peopleStateOf } from "../members/seed";
import { type SeedSection, type SeedSite, type SeedSiteSpace, seedSite, siteOf } from "../sites/seed";
import type { SeedPage } from "../spaces/edits";
import { byId } from "../spaces/record";
import { seedSpace, spaceOf } from "../spaces/seed";
import { newerIdPattern } from "../store/ids";
import type { OrganizationRecord, State } from "../store/state";
import { created, type SeedingContext } from "./fields";

export const organization = z.strictObject({
  title: z.string().min(2).max(255).optional().describe("Title, 2 to 255 characters; default: the id."),
  createdAt: created,
  spaces: z.array(seedSpace).optional().describe("Spaces with their content."),
  sites: z.array(seedSite).optional().describe("Sites."),
  ...peopleSeeds,
});
export type SeedOrganization = z.input<typeof organization>;

export const seed = z
  .strictObject({ organizations: z.record(z.string(), organization).describe("Organizations by their ids.") })
  .superRefine(({ organizations }, context) => {
    checkReferences(organizations, (path, message) => {
      context.addIssue({ code: "custom", path: ["organizations", ...path], message });
    });
  });
export type Seed = z.input<typeof seed>;

type Yaml = Pick<typeof import("yaml"), "isMap" | "isScalar">;

/** Parses the text of a seed file; the error lists each mistake with line and column. */
export async function seedFromYaml(text: string, file: string): Promise<Seed> {
  const yaml = await import("yaml");
  const lines = new yaml.LineCounter();
  const document = yaml.parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const atOffset = (one: Mistake) => ({ offset: offsetOf(yaml, document, one), text: inOneLine([one]) });
  const syntaxErrors = document.errors.map(({ pos, message }) => ({ offset: pos[0], text: message }));
  const content: unknown = syntaxErrors.length > 0 ? undefined : document.toJS();
  const mistakes = syntaxErrors.length > 0 ? syntaxErrors : mistakesIn(seed, content).map(atOffset);
  if (mistakes.length === 0) return content as Seed;
  const sentences = mistakes
    .sort((a, b) => a.offset - b.offset)
    .map(({ offset, text }) => {
      const { line, col } = lines.linePos(offset);
      return `${file}:${line}:${col}: ${text}`;
    });
  throw new DocsError(sentences.join("\n"));
}

/** Offset of the mistake: of a wrong value, of a wrong name, or of the nearest name above a missing property. */
function offsetOf({ isMap, isScalar }: Yaml, document: Document, { path, isAboutName }: Mistake): number {
  for (let depth = path.length; depth > 0; depth--) {
    const value = document.getIn(path.slice(0, depth), true) as Node | undefined;
    if (value === undefined) continue;
    if (depth === path.length && !isAboutName) return value.range?.[0] ?? 0;
    const above = document.getIn(path.slice(0, depth - 1), true);
    const names = isMap(above) ? above.items.map(({ key }) => key) : [];
    const name = names.find((one) => isScalar(one) && one.value === path[depth - 1]) as Node | undefined;
    return (name ?? value).range?.[0] ?? 0;
  }
  return 0;
}

type Path = readonly (string | number)[];
type Report = (path: Path, message: string) => void;

interface Named {
  readonly path: Path;
  readonly name: string;
}

/** Reports mistakes that the schema cannot express: duplicate ids, and ids of objects that do not exist. */
function checkReferences(organizations: Seed["organizations"], report: Report): void {
  const all = Object.entries(organizations);
  if (all.length === 0) report([], "use at least one organization");
  // Paths such as /v1/spaces/<id> have no organization, so ids of spaces must be unique across organizations.
  const spaceIds = all.flatMap(([id, { spaces = [] }]) => listNames(spaces, [id, "spaces"], "id"));
  checkDuplicates(spaceIds, report);
  for (const [id, organization] of all) {
    if (!newerIdPattern.test(id)) report([id], "use only letters, digits, - and _ in its id");
    checkOwnIds(organization, [id], report);
    for (const [index, space] of (organization.spaces ?? []).entries()) {
      checkOwnIds(space, [id, "spaces", index], report);
      checkDuplicates(listPages(space.pages, [id, "spaces", index, "pages"]), report);
    }
    checkUsedIds(organization, [id], report);
  }
}

/** Lists of organizations and spaces, with properties in which their items must differ. */
const unique = {
  members: ["userId", "email"],
  teams: ["id"],
  saml: ["id"],
  translations: ["id"],
  sites: ["id", "basename"],
  files: ["id"],
  reusableContents: ["id"],
  changeRequests: ["id"],
};

function checkOwnIds(owner: object, path: Path, report: Report): void {
  for (const [list, keys] of Object.entries(unique)) {
    const items = Reflect.get(owner, list) ?? [];
    for (const key of keys) checkDuplicates(listNames(items, [...path, list], key), report);
  }
}

function checkDuplicates(all: readonly Named[], report: Report): void {
  const seen = new Set<string>();
  for (const { path, name } of all) {
    if (seen.has(name)) report(path, "another one has it already; use each one once");
    seen.add(name);
  }
}

function listPages(pages: readonly SeedPage[] = [], path: Path): Named[] {
  const below = pages.flatMap((page, index) => listPages(page.pages, [...path, index, "pages"]));
  return [...listNames(pages, path, "id"), ...below];
}

function checkUsedIds(organization: SeedOrganization, path: Path, report: Report): void {
  const { members = [], teams = [], saml = [], translations = [], sites = [], spaces = [] } = organization;
  const users = teams.flatMap(({ members = {} }, index) => listKeys(members, [...path, "teams", index, "members"]));
  const usesOfSpaces = [
    ...members.flatMap(({ spaces = {} }, index) => listKeys(spaces, [...path, "members", index, "spaces"])),
    ...translations.flatMap(({ source }, index) => {
      return { path: [...path, "translations", index, "source", "space"], name: source.space };
    }),
    ...sites.flatMap((site, index) => spacesOf(site, [...path, "sites", index])),
  ];
  checkKnown("member", users, listNames(members, [], "userId"), report);
  checkKnown("team", listNames(saml, [...path, "saml"], "defaultTeam"), listNames(teams, [], "id"), report);
  checkKnown("space", usesOfSpaces, listNames(spaces, [], "id"), report);
}

function checkKnown(kind: string, uses: readonly Named[], declared: readonly Named[], report: Report): void {
  const known = new Set(declared.map(({ name }) => name));
  for (const { path, name } of uses) {
    if (known.has(name)) continue;
    const guess = nearest(name, [...known]);
    const hint = guess ? `did you mean "${guess}"?` : `declare it under \`${kind}s\` of the organization`;
    report(path, `there is no such ${kind}; ${hint}`);
  }
}

const listKeys = (roles: object, path: Path): Named[] =>
  Object.keys(roles).map((name) => ({ path: [...path, name], name }));

function listNames<Key extends string>(items: readonly { [K in Key]?: string | undefined }[], path: Path, key: Key) {
  return items.flatMap((item, index): Named[] => {
    const name = key === "email" ? item[key]?.toLowerCase() : item[key];
    return name === undefined ? [] : [{ path: [...path, index, key], name }];
  });
}

function spacesOf({ spaces = [], sections = [] }: SeedSite | SeedSection, path: Path): Named[] {
  const used = spaces.map((use: string | SeedSiteSpace, index): Named => {
    const at = [...path, "spaces", index];
    return typeof use === "string" ? { path: at, name: use } : { path: [...at, "space"], name: use.space };
  });
  return [...used, ...sections.flatMap((inner, index) => spacesOf(inner, [...path, "sections", index]))];
}

const month = 30 * 24 * 3600 * 1000;

/** Builds the state that a seed describes. Its objects are 30 days old by default. */
export function stateFromSeed({ organizations }: Seed, now: Date): State {
  const state: State = { sequence: 0, organizations: new Map() };
  const createdAt = new Date(now.getTime() - month).toISOString();
  const context = { createdAt, next: () => ++state.sequence };
  for (const [id, seed] of Object.entries(organizations))
    state.organizations.set(id, organizationOf(id, seed, context));
  return state;
}

function organizationOf(id: string, seed: SeedOrganization, context: SeedingContext): OrganizationRecord {
  const { title = id, createdAt = context.createdAt, members = [], sites = [] } = seed;
  const author = members.find(({ role }) => role === "admin")?.userId ?? unknownUser;
  const spaces = byId((seed.spaces ?? []).map((space) => spaceOf(space, context, author)));
  const people = peopleStateOf(seed, { ...context, spaces });
  const siteRecords = sites.map((site) => siteOf(site, { spaces }, context));
  return { id, title, createdAt, spaces, sites: byId(siteRecords), ...people };
}

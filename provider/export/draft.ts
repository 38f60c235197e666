import type { ReadOptions } from "../access/discovery";
import type { Notes } from "../organization/drafts/drafting";
import { PeopleNames } from "../organization/drafts/people";
import type { OrganizationFile } from "../organization/file/types";
import { type LiveOrganization, readOrganization } from "../organization/live/live";
import { type DetailsOf, type SectionName, type Sections, sectionList } from "../organization/sections";
import type { NamedObject } from "../organization/sections/section";
import { repeatedIn } from "../people/user";
import type { Context } from "../run/context";
import type { Properties } from "../run/properties";
import { slugOf } from "../text/slug";

export type LiveEverything = LiveOrganization & {
  readonly details: { readonly [Name in SectionName]: DetailsOf<Sections[Name]> };
};

export async function readEverything(context: Context, options: ReadOptions): Promise<LiveEverything> {
  const live = await readOrganization(context, options);
  const details: Record<string, unknown> = {};
  for (const { name, live: reading } of sectionList)
    details[name] = await reading.readDetails?.(context, { ...live, own: live[name] }, options);
  // The type says what each section reads.
  return { ...live, details: details as LiveEverything["details"] };
}

/** The content of an organization's file before it is written. */
export interface Draft {
  readonly organization: OrganizationFile;
  /** Contents of the files that the organization refers to, such as certificates. */
  readonly texts: ReadonlyMap<string, string>;
  /** Ids at the service by section and name in the file. */
  readonly ids: Readonly<Record<SectionName, ReadonlyMap<string, string>>>;
  readonly notes: Notes;
}

export function draftOf(live: LiveEverything, backend?: string): Draft {
  const notes: Notes = [];
  const people = new PeopleNames(live.members, live.teams);
  const texts = new Map<string, string>();
  const ids = new Map<SectionName, ReadonlyMap<string, string>>();
  const drafted: Record<string, Properties> = {};
  for (const { name, writing } of sectionList) {
    const [own, details] = [live[name], live.details[name]];
    const { kind, things } = writing.nameObjects?.(own, details) ?? { kind: "", things: [] };
    const names = namesOf(things, kind);
    ids.set(name, new Map([...names].map(([id, nameInFile]) => [nameInFile, id])));
    drafted[name] = writing.draft({ live: own, details, people, names, before: { ...drafted }, notes, texts });
  }
  const filled = Object.entries(drafted).filter(([, section]) => Object.keys(section).length > 0);
  return {
    // The schemas have checked each property. The loader checks the whole file later.
    organization: {
      organization: live.organizationId,
      ...(backend && { backend }),
      guards: guardsFor(live),
      ...Object.fromEntries(filled),
    } as OrganizationFile,
    texts,
    ids: Object.fromEntries(ids) as Draft["ids"],
    notes,
  };
}

/** Limits that a healthy organization fulfils. A single administrator cannot leave in any case. */
function guardsFor({ members }: LiveEverything): OrganizationFile["guards"] {
  const admins = members.filter(({ role, disabled }) => role === "admin" && !disabled);
  return { ...(admins.length >= 2 && { minAdmins: 2 }), maxRemovals: "25%" };
}

/** A name made from a title; empty if the title has no usable characters. */
export const nameFrom = (title: string): string => slugOf(title, "ASCII", 60);

/**
 * Names by id. Equal titles get the end of their id, so that names do not depend on the order of the service. `kind` replaces
 * a title without usable characters.
 */
export function namesOf(things: readonly NamedObject[], kind: string): Map<string, string> {
  const slugs = new Map(things.map(({ id, title }) => [id, nameFrom(title) || kind]));
  const repeated = repeatedIn([...slugs.values()]);
  const taken = new Set([...slugs.values()].filter((slug) => !repeated.has(slug)));
  const names = new Map<string, string>();
  for (const id of [...slugs.keys()].sort()) {
    const slug = slugs.get(id) as string;
    const name = repeated.has(slug) ? firstFree(slug, id, taken) : slug;
    taken.add(name.toLowerCase());
    names.set(id, name);
  }
  return names;
}

/** The first name that is not taken, ignoring case, because certificate files have this name. Slugs are in lower case already. */
function firstFree(slug: string, id: string, taken: ReadonlySet<string>): string {
  const characters = id.replace(/[^A-Za-z0-9]/g, "");
  for (const length of characters === "" ? [] : [6, 12, 30]) {
    const name = `${slug}-${characters.slice(-length)}`;
    if (!taken.has(name.toLowerCase())) return name;
  }
  for (let number = 2; ; number++) if (!taken.has(`${slug}-${number}`)) return `${slug}-${number}`;
}

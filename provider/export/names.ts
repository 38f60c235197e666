import type { Named } from "../organization/sections/section";
import { repeatedIn } from "../people/user";
import { slugOf } from "../text/slug";

/** A name made from a title; empty if the title has no usable characters. */
export const nameFrom = (title: string): string => slugOf(title, { keeps: "ASCII", longest: 60 });

/**
 * Names by id. Equal titles get the end of their id, so that names do not depend on the order of the service. `kind` replaces
 * a title without usable characters.
 */
export function namesOf(things: readonly Named[], kind: string): Map<string, string> {
  const slugs = new Map(things.map(({ id, title }) => [id, nameFrom(title) || kind]));
  const repeated = repeatedIn([...slugs.values()]);
  const alone = new Set([...slugs.values()].filter((slug) => !repeated.has(slug)));
  const taken = new Set(alone);
  const ids = [...slugs.keys()].sort();
  return new Map(
    ids.map((id) => {
      const slug = slugs.get(id) as string;
      const name = alone.has(slug) ? slug : firstFree(slug, id, taken);
      taken.add(name.toLowerCase());
      return [id, name];
    }),
  );
}

/** The first name that is not taken, ignoring case: certificate files have this name, and some file systems ignore case. */
function firstFree(slug: string, id: string, taken: ReadonlySet<string>): string {
  const end = id.replace(/[^A-Za-z0-9]/g, "");
  const ends = [end.slice(-6), end.slice(-12), end.slice(-30)].filter((text) => text !== "");
  for (const one of ends) if (!taken.has(`${slug}-${one}`.toLowerCase())) return `${slug}-${one}`;
  for (let number = 2; ; number++) if (!taken.has(`${slug}-${number}`)) return `${slug}-${number}`;
}

import { slugOf } from "../../text/slug";

/** Derives the path of a page or site from its title. */
export const pathFrom = (title: string): string => slugOf(title, { keeps: "all", longest: 90 }) || "untitled";

/** Creates a slug that is not in `taken`, and adds it there. */
export function uniqueSlug(title: string, taken: Set<string>): string {
  const slug = pathFrom(title);
  let candidate = slug;
  for (let number = 1; taken.has(candidate); number++) candidate = `${slug}-${number}`;
  taken.add(candidate);
  return candidate;
}

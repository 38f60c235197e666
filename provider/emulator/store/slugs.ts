import { slugOf } from "../../text/slug";

/** The path of a page or site with this title. */
export const pathFrom = (title: string): string => slugOf(title, { keeps: "all", longest: 90 }) || "untitled";

/** A slug that none of its siblings has; remembers it in `taken`. */
export function uniqueSlug(title: string, taken: Set<string>): string {
  const slug = pathFrom(title);
  let candidate = slug;
  for (let number = 1; taken.has(candidate); number++) candidate = `${slug}-${number}`;
  taken.add(candidate);
  return candidate;
}

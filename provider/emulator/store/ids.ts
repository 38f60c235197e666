import { randomBytes } from "node:crypto";
import { slugOf } from "../../text/slug";

/** Pattern of ids in paths, from version 0.202 of the service. */
export const newerIdPattern = /^[a-zA-Z0-9_-]+$/;

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** Creates an id like those of the service: a prefix and 20 random letters and digits. */
export function newId(prefix: string): string {
  return `${prefix}_${Array.from(randomBytes(20), (byte) => alphabet[byte % alphabet.length]).join("")}`;
}

/** Derives the path of a page or site from its title. */
export const pathFrom = (title: string): string => slugOf(title, "all", 90) || "untitled";

/** Creates a slug that is not in `taken`, and adds it there. */
export function uniqueSlug(title: string, taken: Set<string>): string {
  const slug = pathFrom(title);
  let candidate = slug;
  for (let number = 1; taken.has(candidate); number++) candidate = `${slug}-${number}`;
  taken.add(candidate);
  return candidate;
}

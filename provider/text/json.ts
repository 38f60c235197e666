import { escapedLines } from "./visible";

/**
 * The value as indented JSON. JSON itself leaves characters as they are that a terminal interprets or does not show; as escapes,
 * they mean the same to a program. `##[` would begin a command in the log of a GitHub job.
 */
export function jsonOf(value: unknown, replacer?: (key: string, value: unknown) => unknown): string {
  return `${escapedLines(JSON.stringify(value, replacer, 2)).replace(/##(?=\[)/g, "#\\u0023")}\n`;
}

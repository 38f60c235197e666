import { masked } from "./masking";
import { escapedLines } from "./visible";

/**
 * The value as indented JSON, without tokens. JSON itself leaves characters as they are that a terminal interprets or does not
 * show; as escapes, they mean the same to a program. `##[` would begin a command in the log of a GitHub job.
 */
export function jsonOf(value: unknown): string {
  const text = JSON.stringify(value, (_, one) => (typeof one === "string" ? masked(one) : one), 2);
  return `${escapedLines(text).replace(/##(?=\[)/g, "#\\u0023")}\n`;
}

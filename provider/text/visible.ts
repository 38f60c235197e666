import { masked } from "./masking";

/** Control, format, separator and default-ignorable characters: they can hide, reverse or break the text around them. */
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}]/gu;

const names: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/**
 * The text for a message: in one line, without tokens, and with at most `most` characters. Invisible characters are escaped: a line
 * break as `\n`, others by their code.
 */
export function visible(text: string, most = 200): string {
  const shown = masked(text).replace(invisible, (character) => {
    return names[character] ?? `\\u{${character.codePointAt(0)?.toString(16)}}`;
  });
  return clipped(shown, most);
}

/** Shortens a text that is too long, without cutting a character in half. */
export function clipped(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** Escapes invisible characters as JSON does, `\u200b`, so that a JSON text keeps its meaning. */
export function escaped(text: string): string {
  const unit = (one: string) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return text.replace(/(?! )[\s\p{C}\p{DI}]/gu, (one) => one.split("").map(unit).join(""));
}

/** As `escaped`, but line breaks stay. */
export const escapedLines = (text: string): string => text.split("\n").map(escaped).join("\n");

/**
 * Changes a line that GitHub's runner would execute: `::name::` at its beginning and `##[name]` anywhere are commands. A name in the
 * log of a job must not mask words or end a group.
 */
export const inert = (line: string): string =>
  line.replace(/^(\s*):(?=:)/, "$1\\u{3a}").replace(/##(?=\[)/g, "#\\u{23}");

/** Invisible characters, and characters that change the direction of the surrounding text. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}]/u;
const unseenButLayout = new RegExp(`(?![\\n\\t])${unseen.source}`, "gu");

/** Whether a text has characters that readers cannot see. */
export const hasUnseen = (text: string): boolean => text.search(unseenButLayout) >= 0;

/** Writes invisible characters as escapes. The text must have them only between double quotes. */
export function escaped(text: string, codeOf: (code: number) => string): string {
  return text.replace(unseenButLayout, (character) => codeOf(character.codePointAt(0) as number));
}

export const hex = (code: number, width: number): string => code.toString(16).toUpperCase().padStart(width, "0");

/** Writes invisible characters as escapes of YAML. The text must have them only between double quotes. */
export function escapedYaml(text: string): string {
  return escaped(text, (code) => (code > 0xffff ? `\\U${hex(code, 8)}` : `\\u${hex(code, 4)}`));
}

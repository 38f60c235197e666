/** Characters that can not be seen, or that turn the direction of what is around them. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\x85]/u;
const unseenButLayout = new RegExp(`(?![\\n\\t])${unseen.source}`, "gu");

/** Whether a text needs more than quotes to be read by people as it is. */
export const hasUnseen = (text: string): boolean => text.search(unseenButLayout) >= 0;

/** Writes out what can not be seen, in a text that has it only between double quotes. */
export function escaped(text: string, codeOf: (code: number) => string): string {
  return text.replace(unseenButLayout, (character) => codeOf(character.codePointAt(0) as number));
}

export const hex = (code: number, width: number): string => code.toString(16).toUpperCase().padStart(width, "0");

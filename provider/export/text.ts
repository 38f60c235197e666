/** Invisible characters, and characters that change the direction of the surrounding text, except those of the layout. */
const unseen = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}]/gu;

/** Whether a text has characters that readers cannot see. */
export const hasUnseen = (text: string): boolean => text.search(unseen) >= 0;

/** Writes invisible characters as escapes of YAML. The text must have them only between double quotes. */
export const escapedYaml = (text: string): string =>
  text.replace(unseen, (character) => {
    const code = character.codePointAt(0)?.toString(16).toUpperCase() ?? "";
    return code.length > 4 ? `\\U${code.padStart(8, "0")}` : `\\u${code.padStart(4, "0")}`;
  });

import { plain, type SafeText, safeText, trusted } from "./safe-text";

/** Scripts whose letters can be taken for others, or that e-mails often have. */
const scripts = ["Latin", "Cyrillic", "Greek", "Armenian", "Hebrew", "Arabic", "Han", "Hangul"].map(
  (name) => [name, new RegExp(`\\p{Script=${name}}`, "u")] as const,
);

/**
 * Marks an e-mail that has a character outside of ASCII: it may look exactly like the e-mail of another person. The first such
 * character is named, as in ` (with a Cyrillic а, U+0430)`; empty for all other texts.
 */
export function foreignMark(email: string): SafeText {
  const character = /[^\0-\x7f]/u.exec(email)?.[0];
  if (character === undefined || !/^\S+@\S+$/.test(email)) return [];
  const code = `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}`;
  const script = scripts.find(([, letters]) => letters.test(character))?.[0];
  if (script === undefined) return [` (with the character ${code})`];
  return safeText` (with a ${trusted(script)} ${character}, ${trusted(code)})`;
}

export const withMark = (email: string): string => email + plain(foreignMark(email));

/** The text with a mark behind each e-mail that has a character outside of ASCII. */
export function markForeign(text: SafeText): SafeText {
  return text.flatMap((part): SafeText => {
    if (typeof part === "string") return [part];
    if ("value" in part) return [part, ...foreignMark(part.value)];
    return [{ whole: markForeign(part.whole), short: markForeign(part.short) }];
  });
}

/** Text with values kept separate from its words, so that each format can escape the values. */
export type Words = readonly (string | Value | Long)[];

/** A text that a user has chosen: a title, a name, an e-mail. */
export interface Value {
  readonly value: string;
}

/** A text that is too long for the comment of a pull request, with a short form for it. */
export interface Long {
  readonly whole: Words;
  readonly short: Words;
}

/** A sentence with values: the strings of the template are words, and each format escapes the values. */
export function words(parts: TemplateStringsArray, ...values: readonly (string | number | Words)[]): Words {
  const all = parts.flatMap((part, index): Words => {
    const value = values[index];
    if (value === undefined) return [part];
    return [part, ...(typeof value === "object" ? value : [{ value: String(value) }])];
  });
  return all.filter((part) => part !== "");
}

/** Joins several texts, with words between them. */
export function joined(texts: readonly Words[], between = ", "): Words {
  return texts.flatMap((text, index): Words => (index === 0 ? text : [between, ...text]));
}

/** The text as one string, for formats without escapes. */
export const plain = (text: Words): string => rendered(text, "short", String, String);

/** Renders words and values as the format shows them, with the whole or the short form of long texts. */
export function rendered(
  text: Words,
  form: keyof Long,
  word: (text: string) => string,
  value: (text: string) => string,
): string {
  const one = (part: Words[number]): string => {
    if (typeof part === "string") return word(part);
    return "value" in part ? value(part.value) : rendered(part[form], form, word, value);
  };
  return text.map(one).join("");
}

/** `1 person`, `3 people`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`;
}

/** Lists the first names, and says how many more there are. */
export function some(names: readonly string[], most = 10): Words {
  const shown = joined(names.slice(0, most).map((name) => words`${name}`));
  return names.length > most ? [...shown, ` and ${counted(names.length - most, "other")}`] : shown;
}

/** Text whose values stand apart from its words, so that each format can show a value without letting it speak. */
export type Words = readonly (string | Value | Long)[];

/** Something that somebody has chosen: a title, a name, an e-mail. */
export interface Value {
  readonly value: string;
}

/** Too much for a comment, and what says it in short there. */
export interface Long {
  readonly whole: Words;
  readonly short: Words;
}

/** A sentence with values in it: strings of the template are words, the rest is escaped by whoever shows it. */
export function words(parts: TemplateStringsArray, ...values: readonly (string | number | Words)[]): Words {
  const all = parts.flatMap((part, index): Words => {
    const value = values[index];
    if (value === undefined) return [part];
    return [part, ...(typeof value === "object" ? value : [{ value: String(value) }])];
  });
  return all.filter((part) => part !== "");
}

/** Several texts one after another, with words between them. */
export function joined(texts: readonly Words[], between = ", "): Words {
  return texts.flatMap((text, index): Words => (index === 0 ? text : [between, ...text]));
}

/** As one string, for where nothing has to be escaped. */
export const plain = (text: Words): string => rendered(text, "short", String, String);

/** Words and values, each as the format shows them, and which side of what is too long for some of them. */
export function rendered(
  text: Words,
  side: keyof Long,
  word: (text: string) => string,
  value: (text: string) => string,
): string {
  const one = (part: Words[number]): string => {
    if (typeof part === "string") return word(part);
    return "value" in part ? value(part.value) : rendered(part[side], side, word, value);
  };
  return text.map(one).join("");
}

/** `1 person`, `3 people`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`;
}

/** The first few, and how many more there are. */
export function some(names: readonly string[], most = 10): Words {
  const shown = joined(names.slice(0, most).map((name) => words`${name}`));
  return names.length > most ? [...shown, ` and ${counted(names.length - most, "other")}`] : shown;
}

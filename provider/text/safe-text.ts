/** Text with values kept separate from its words, so that each format can escape the values. */
export type SafeText = readonly (string | Value | Long)[];

/** A text that a user has chosen: a title, a name, an e-mail. */
export interface Value {
  readonly value: string;
  /** Identifies what the value names: a page shows it on demand, other formats in parentheses. */
  readonly id?: string;
  /** Whether the value is an address to open. */
  readonly link?: true;
}

/** A text that is too long for the comment of a pull request, with a short form for it. */
export interface Long {
  readonly whole: SafeText;
  readonly short: SafeText;
}

/** A sentence with values: the strings of the template are words, and each format escapes the values. */
export function safeText(parts: TemplateStringsArray, ...values: readonly (string | number | SafeText)[]): SafeText {
  const all = parts.flatMap((part, index): SafeText => {
    const value = values[index];
    if (value === undefined) return [part];
    return [part, ...(typeof value === "object" ? value : [{ value: String(value) }])];
  });
  return all.filter((part) => part !== "");
}

/** A text of our own in a sentence: it is part of the words, and no format marks it as a value. */
export const trusted = (text: string): SafeText => [text];

export function joined(texts: readonly SafeText[], between = ", "): SafeText {
  return texts.flatMap((text, index): SafeText => (index === 0 ? text : [between, ...text]));
}

/** The text as one string, for formats without escapes. */
export const plain = (text: SafeText): string => rendered(text, { form: "short", word: String, value: String });

/** A name with the id that it stands for. */
export const identified = (value: string, id: string | undefined): SafeText =>
  id === undefined || id === value ? safeText`${value}` : [{ value, id }];

/**
 * A web address as a link, without backticks, which would end it. Other addresses are only shown: some schemes run code, and a user
 * name may look like a host.
 */
export function linked(address: string): SafeText {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isSafe = url && /^https?:$/.test(url.protocol) && url.username + url.password === "" && url.href.length < 2000;
  return isSafe ? [{ value: url.href.replaceAll("`", "%60"), link: true }] : safeText`${address}`;
}

/** How a format shows words and values. */
interface Rendering {
  /** Which form of a long text it shows. */
  readonly form: keyof Long;
  readonly word: (text: string) => string;
  readonly value: (text: string) => string;
  /** What only some formats have: links, and ids on demand. */
  readonly special?: (part: Value) => string | undefined;
}

export function rendered(text: SafeText, rendering: Rendering): string {
  const { form, word, value, special } = rendering;
  const valueText = (part: Value) => {
    const id = part.id === undefined ? "" : `${word(" (")}${value(part.id)}${word(")")}`;
    return special?.(part) ?? value(part.value) + id;
  };
  const partText = (part: SafeText[number]): string => {
    if (typeof part === "string") return word(part);
    return "value" in part ? valueText(part) : rendered(part[form], rendering);
  };
  return text.map(partText).join("");
}

/** `1 person`, `3 people`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`;
}

/** Joins the first parts, and counts the others: ` and 3 more places`. */
export function joinFirst(
  parts: readonly SafeText[],
  most: number,
  { other, others, separator }: { readonly other: string; readonly others?: string; readonly separator?: string },
): SafeText {
  const shown = joined(parts.slice(0, most), separator);
  return parts.length > most ? [...shown, ` and ${counted(parts.length - most, other, others)}`] : shown;
}

export const listFirst = (names: readonly (string | SafeText)[], most = 10): SafeText =>
  joinFirst(
    names.map((name) => safeText`${name}`),
    most,
    { other: "other" },
  );

import type { AnyDefinition } from "../../lifecycle/definition";
import { type Properties, secretValue } from "../../run/properties";
import { escaped } from "../../text/visible";
import type { ReceivedTexts } from "./values";

/** Shorter texts occur in messages that have nothing to do with the secret. */
const shortest = 4;
/** A short text is hidden as a whole word only: the role `view` is no part of "review". */
const shortestPart = 8;
/** A message may show the beginning of a long text only. */
const longestBeginning = 24;

/** What the engine marks as secret in the values of one call. */
export interface Secrets {
  /** The properties that contain a secret. */
  readonly names: ReadonlySet<string>;
  /** The texts in these secrets, also names in an object. */
  readonly texts: ReadonlySet<string>;
}

export const noSecrets: Secrets = { names: new Set(), texts: new Set() };

/** The names of the resource's own properties may occur in a secret object. Everybody knows them, and messages need them. */
export function secretsOf({ inputs }: AnyDefinition, values: readonly ReceivedTexts[]): Secrets {
  const texts = values.flatMap(({ secretTexts }) => [...secretTexts]);
  return {
    names: new Set(values.flatMap(({ secrets }) => [...secrets])),
    texts: new Set(texts.filter((text) => !Object.hasOwn(inputs.shape, text))),
  };
}

/**
 * The properties of a state that the engine must encrypt. With a secret input, these are all outputs: the service may derive any
 * of them from it, such as the e-mail of a secret user.
 */
export function secretsInState({ inputs, outputs }: AnyDefinition, { names }: Pick<Secrets, "names">): Set<string> {
  const isDerived = (name: string) => !(name in inputs.shape);
  const all = [...names].some((name) => name in inputs.shape) ? Object.keys(outputs.shape).filter(isDerived) : [];
  return new Set([...names, ...all]);
}

/** The message without the texts of secrets. */
export function withoutSecrets(message: string, { texts }: Pick<Secrets, "texts">): string {
  return withoutForms(message, [...texts].flatMap(formsOf));
}

/** The message without any of these forms, the longest first, because one may contain another. */
export function withoutForms(message: string, forms: readonly string[]): string {
  const searched = folded(message);
  const found = new Set(forms.filter((form) => searched.includes(beginningOf(folded(form)))));
  return [...found].sort((a, b) => b.length - a.length).reduce(withoutForm, message);
}

/** Runs a call, whose error must not show the texts of secrets. */
export async function concealing<T>(secrets: Pick<Secrets, "texts">, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && secrets.texts.size > 0) concealIn(error, secrets);
    throw error;
  }
}

function concealIn(error: Error & { reasons?: string[] }, secrets: Pick<Secrets, "texts">): void {
  const { message, stack = message, reasons } = error;
  const hide = (text: string) => withoutSecrets(text, secrets);
  const shown: Properties = { message: hide(message), stack: hide(stack) };
  Object.assign(error, shown, reasons && { reasons: reasons.map(hide) });
}

/** A text as messages contain it: as it is, quoted, with invisible characters escaped, and in a URL. */
export function formsOf(text: string): string[] {
  const quoted = JSON.stringify(text).slice(1, -1);
  // A half of a surrogate pair has no form in a URL.
  const encoded = encodeURIComponent(Buffer.from(text).toString());
  const forms = new Set([text, quoted, escaped(text), escaped(quoted), encoded]);
  return [...forms].filter((form) => form.length >= shortest);
}

/** Names of people are compared without case, so a message may contain another case than the program. */
function withoutForm(message: string, form: string): string {
  const wanted = folded(form);
  const searched = folded(message);
  const beginning = beginningOf(wanted);
  let result = "";
  let shown = 0;
  for (let at = searched.indexOf(beginning); at >= 0; at = searched.indexOf(beginning, Math.max(at + 1, shown))) {
    const end = endOfMatch(searched, at, wanted);
    if (form.length < shortestPart && isPartOfWord(message, at, end)) continue;
    result += message.slice(shown, at) + secretValue;
    shown = end;
  }
  return result + message.slice(shown);
}

const beginningOf = (form: string): string => form.slice(0, longestBeginning);

function endOfMatch(searched: string, start: number, wanted: string): number {
  let length = 0;
  while (length < wanted.length && searched[start + length] === wanted[length]) length += 1;
  return start + length;
}

const isPartOfWord = (message: string, start: number, end: number): boolean =>
  /\w/.test(message[start - 1] ?? "") || /\w/.test(message[end] ?? "");

/** In lower case, with the same length. */
const folded = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

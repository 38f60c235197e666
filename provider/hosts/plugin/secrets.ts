import * as definitions from "../../definitions";
import type { AnyDefinition } from "../../lifecycle/definition";
import { secretValue } from "../../run/properties";
import { escaped } from "../../text/visible";

/** Shorter texts occur in messages that have nothing to do with the secret. */
const shortest = 4;
/** A shorter text is hidden as a whole word only: the secret `view` must not hide a part of "review". */
const shortestPart = 8;
/** A message may show the beginning of a long text only. */
const longestBeginning = 24;
/** Messages show less of a value. */
const longestText = 1_000;

/** The names of properties may occur in a secret object. Everybody knows them, and messages need them. */
const propertyNames = new Set(Object.values(definitions).flatMap(({ inputs }) => Object.keys(inputs.shape)));

/**
 * The properties of a state that the engine must encrypt. With a secret input, these are all outputs: the service may derive any
 * of them from it, such as the e-mail of a secret user.
 */
export function secretsInState({ inputs, outputs }: AnyDefinition, names: ReadonlySet<string>): Set<string> {
  const isDerived = (name: string) => !(name in inputs.shape);
  const derived = [...names].some((name) => name in inputs.shape) ? Object.keys(outputs.shape).filter(isDerived) : [];
  return new Set([...names, ...derived]);
}

export function withoutSecrets(message: string, texts: ReadonlySet<string>): string {
  const hidden = [...texts].filter((text) => !propertyNames.has(text));
  return withoutForms(message, hidden.flatMap(formsOf));
}

/**
 * What the engine has marked as secret in any call of this process. A secret of one resource may be part of what the service
 * says about another one, so every message is searched for all of them.
 */
export class KnownSecrets {
  private readonly forms = new Map<string, readonly string[]>();

  /** Words in the `schema` of the package are no secrets outside the call: hiding `admin` would hide what a message says. */
  constructor(private readonly schema = "") {}

  add(texts: Iterable<string>): void {
    for (const whole of texts) {
      const text = whole.slice(0, longestText);
      if (this.forms.has(text) || this.schema.includes(JSON.stringify(text))) continue;
      this.forms.set(text, formsOf(text));
    }
  }

  hide(message: string): string {
    return withoutForms(message, [...this.forms.values()].flat());
  }
}

/** The message without any of these forms, the longest first, because one may contain another. */
function withoutForms(message: string, forms: readonly string[]): string {
  const searched = folded(message);
  const occurring = new Set(forms.filter((form) => searched.includes(beginningOf(folded(form)))));
  return [...occurring].sort((a, b) => b.length - a.length).reduce(withoutForm, message);
}

/** A text as messages contain it: as it is, quoted, with invisible characters escaped, and in a URL. */
function formsOf(text: string): string[] {
  const quoted = JSON.stringify(text).slice(1, -1);
  // A buffer replaces a half of a surrogate pair, for which `encodeURIComponent` would throw.
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
  let copiedTo = 0;
  for (let at = searched.indexOf(beginning); at >= 0; at = searched.indexOf(beginning, Math.max(at + 1, copiedTo))) {
    const end = endOfMatch(searched, at, wanted);
    if (form.length < shortestPart && isPartOfWord(message, at, end)) continue;
    result += message.slice(copiedTo, at) + secretValue;
    copiedTo = end;
  }
  return result + message.slice(copiedTo);
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

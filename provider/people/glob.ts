const longest = 401;
const mostStars = 20;

/** Says what to use instead if a text is not a valid pattern. */
export function patternMistake(pattern: string): string | undefined {
  if (pattern.length > longest) return `use at most ${longest} characters`;
  if (pattern.split("*").length - 1 > mostStars) return `use at most ${mostStars} stars in one pattern`;
  if (unsupported.test(pattern)) return "use *, ?, [abc], [^abc] and {a,b}, and no parentheses";
  if (invisible.test(pattern)) return "use a pattern without invisible characters";
  return undefined;
}

/** Groups such as `+(a|b)`, which need backtracking, and named classes such as `[[:alpha:]]`. */
const unsupported = /[()]|\[:/;
const invisible = /[\p{C}\p{Default_Ignorable_Code_Point}]/u;

type Accepts = (character: string) => boolean;
type Part = "star" | Accepts | { readonly either: readonly Part[][] };

/**
 * Builds a case-insensitive matcher for `*`, `?`, classes and braces; a `!` at the beginning negates. For every pattern, its
 * time is at most proportional to the product of both lengths: backtracking engines take minutes for a few stars.
 */
export function globOf(pattern: string): (text: string) => boolean {
  const [negations = ""] = /^!*/.exec(pattern) ?? [];
  const parts = partsOf(pattern.slice(negations.length));
  const negated = negations.length % 2 === 1;
  return (text) => {
    const folded = [...units(text)].map(fold);
    return ends(parts, folded, new Set([0])).has(folded.length) !== negated;
  };
}

/** All positions at which a match of the parts can end, if it begins at one of these positions. */
function ends(parts: readonly Part[], text: readonly string[], starts: ReadonlySet<number>): ReadonlySet<number> {
  let places = starts;
  for (const part of parts) {
    if (places.size === 0) return places;
    if (part === "star") places = positionsFrom(smallest(places), text.length);
    else if (typeof part === "function") places = positionsAfter(part, text, places);
    else places = either(part.either, text, places);
  }
  return places;
}

function either(options: readonly Part[][], text: readonly string[], starts: ReadonlySet<number>): ReadonlySet<number> {
  const places = new Set<number>();
  for (const option of options) for (const place of ends(option, text, starts)) places.add(place);
  return places;
}

function smallest(places: ReadonlySet<number>): number {
  let least = Number.POSITIVE_INFINITY;
  for (const place of places) least = Math.min(least, place);
  return least;
}

const positionsFrom = (first: number, last: number) =>
  new Set(Array.from({ length: last - first + 1 }, (_, i) => first + i));

function positionsAfter(accepts: Accepts, text: readonly string[], places: ReadonlySet<number>): ReadonlySet<number> {
  const next = new Set<number>();
  for (const place of places) {
    const character = text[place];
    if (character !== undefined && accepts(character)) next.add(place + 1);
  }
  return next;
}

/** A bracket or brace that does not form a class or alternatives is a literal character. */
function partsOf(pattern: string): Part[] {
  const parts: Part[] = [];
  for (let at = 0; at < pattern.length; ) {
    const [part, length] = bracesAt(pattern, at) ?? classAt(pattern, at) ?? characterAt(pattern, at);
    parts.push(part);
    at += length;
  }
  return parts;
}

type Read = readonly [part: Part, length: number];

function characterAt(pattern: string, at: number): Read {
  const character = pattern[at] ?? "";
  if (character === "*") return ["star", 1];
  if (character === "?") return [() => true, 1];
  const isEscape = character === "\\" && at + 1 < pattern.length;
  const literal = fold(isEscape ? (pattern[at + 1] ?? "") : character);
  return [(one) => one === literal, isEscape ? 2 : 1];
}

function classAt(pattern: string, at: number): Read | undefined {
  const [whole, not, content = ""] = /^\[([!^]?)(\]?(?:\\.|[^\]\\])*)\]/.exec(pattern.slice(at)) ?? [];
  if (whole === undefined || content === "") return undefined;
  const accepts = oneIn(content);
  return [not ? (one) => !accepts(one) : accepts, whole.length];
}

/** Builds the test of a class, such as `a-z_`. */
function oneIn(content: string): Accepts {
  const entries = content.match(/(?:\\.|[^\\])(?:-(?:\\.|[^\\]))?/g) ?? [];
  const ranges = entries.map((entry) => {
    const [first = "", last = first] = entry.replace(/\\(.)/g, "$1").split(/(?<=^.)-(?=.$)/);
    return [fold(first), fold(last)] as const;
  });
  return (one) => ranges.some(([first, last]) => first <= one && one <= last);
}

/** Reads `{a,b}`, which may be nested, and `{1..3}`. Braces without a comma are literal characters. */
function bracesAt(pattern: string, at: number): Read | undefined {
  if (pattern[at] !== "{") return undefined;
  const commas: number[] = [];
  let depth = 0;
  for (let end = at; end < pattern.length; end++) {
    const character = pattern[end];
    if (character === "\\") end++;
    else if (character === "{") depth++;
    else if (character === "," && depth === 1) commas.push(end);
    else if (character === "}" && --depth === 0) return bracesOf(pattern, [at, ...commas, end]);
  }
  return undefined;
}

function bracesOf(pattern: string, marks: readonly number[]): Read | undefined {
  const texts = marks.slice(1).map((end, index) => pattern.slice((marks[index] ?? 0) + 1, end));
  const length = (marks.at(-1) ?? 0) - (marks[0] ?? 0) + 1;
  if (texts.length > 1) return [{ either: texts.map(partsOf) }, length];
  const [, first, last] = /^(\w)\.\.(\w)$/.exec(texts[0] ?? "") ?? [];
  return first && last ? [oneIn([first, last].sort().join("-")), length] : undefined;
}

const units = (text: string): string[] => text.split("");

/** Folds case as a regular expression with the flag `i` does: a non-ASCII character never equals an ASCII one. */
function fold(character: string): string {
  const upper = character.toUpperCase();
  if (upper.length !== 1 || (character > "\x7f" && upper <= "\x7f")) return character;
  return upper;
}

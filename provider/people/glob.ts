const longest = 401;
const mostStars = 20;

/** Says what to use instead if a text is not a valid pattern. */
export function patternMistake(pattern: string): string | undefined {
  if (pattern.length > longest) return `use at most ${longest} characters`;
  if (pattern.split("*").length - 1 > mostStars) return `use at most ${mostStars} stars in one pattern`;
  if (unsupported.test(pattern)) return "use only the wildcards * and ?, and several patterns for alternatives";
  if (invisible.test(pattern)) return "use a pattern without invisible characters";
  return undefined;
}

/** What other globs give a meaning to: here it would silently match nobody. */
const unsupported = /[()[\]{}\\]/;
const invisible = /[\p{C}\p{Default_Ignorable_Code_Point}]/u;

/**
 * Builds a case-insensitive matcher for `*` and `?`; a `!` at the beginning negates. For every pattern, its time is at most
 * proportional to the product of both lengths: backtracking engines take minutes for a few stars.
 */
export function globOf(pattern: string): (text: string) => boolean {
  const isNegated = pattern.startsWith("!");
  const wanted = foldAll(isNegated ? pattern.slice(1) : pattern);
  return (text) => matches(wanted, foldAll(text)) !== isNegated;
}

/** After a mismatch, only the last star takes one more character: what an earlier one took need not change. */
function matches(pattern: readonly string[], text: readonly string[]): boolean {
  let [at, star, retry] = [0, -1, 0];
  for (let place = 0; place < text.length; ) {
    if (pattern[at] === "*") {
      star = at++;
      retry = place;
    } else if (pattern[at] === "?" || pattern[at] === text[place]) {
      at++;
      place++;
    } else {
      if (star < 0) return false;
      at = star + 1;
      place = ++retry;
    }
  }
  return pattern.slice(at).every((left) => left === "*");
}

const foldAll = (text: string): string[] => text.split("").map(fold);

/** Folds case as a regular expression with the flag `i` does: a non-ASCII character never equals an ASCII one. */
function fold(character: string): string {
  const upper = character.toUpperCase();
  if (upper.length !== 1 || (character > "\x7f" && upper <= "\x7f")) return character;
  return upper;
}

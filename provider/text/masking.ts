/**
 * Hides tokens in every text that leaves a process: errors, log lines, reports. A service, a proxy or a debug page may
 * repeat the Authorization header anywhere in its answers.
 *
 * Hidden is each piece of a token with at least 10 characters (a shorter token as a whole), in any case, also with
 * whitespace and invisible characters in between, and the same of its base64, percent-encoded and `\uXXXX` forms.
 * Shorter pieces stay: some services show the first characters of a token on purpose, to tell which one was used.
 */
const shortestPiece = 10;
/** A form that is shorter than this appears in texts that have nothing to do with the token. */
const shortestForm = 4;
const mask = "[token]";
/** Masking looks at no more than this of a text of which a few hundred characters are shown. */
const window = 8192;
/** More than any piece has, so that the end of a window cannot be half of one. */
const longestPiece = 6 * shortestPiece;

const tokens = new Set<string>();
/** The pieces to hide, by their length. */
const pieces = new Map<number, Set<string>>();

/** From here on, {@link masked} hides this token in every text of the process. */
export function hideToken(token: string): void {
  if (tokens.has(token)) return;
  tokens.add(token);
  for (const form of new Set(formsOf(token).map((form) => visibleLetters(form).letters))) {
    if (form.length < shortestForm) continue;
    const length = Math.min(form.length, Math.ceil((shortestPiece * form.length) / token.length));
    const known = pieces.get(length) ?? new Set();
    for (let at = 0; at + length <= form.length; at++) known.add(form.slice(at, at + length));
    pieces.set(length, known);
  }
}

/** The text without any token. */
export function masked(text: string): string {
  if (pieces.size === 0) return text;
  const { letters, places } = visibleLetters(text);
  const hidden = new Uint8Array(letters.length);
  for (const [length, known] of pieces) {
    for (let at = 0; at + length <= letters.length; at++) {
      if (known.has(letters.slice(at, at + length))) hidden.fill(1, at, at + length);
    }
  }
  return hidden.includes(1) ? withMasks(text, places, hidden) : text;
}

/** The beginning of a text of any length, without any token: fit to be changed further, and then to be {@link cut}. */
export function opening(text: string): string {
  return text.length > window ? masked(text.slice(0, window)).slice(0, -longestPiece) : masked(text);
}

/** At most this many characters of a text, without any token; masked first, since half a token would not be found. */
export function cut(text: string, most: number, end = ""): string {
  const safe = opening(text);
  if (safe.length <= most) return safe;
  return `${safe.slice(0, most - end.length).replace(/[\ud800-\udbff]$/, "")}${end}`;
}

function formsOf(token: string): string[] {
  const units = [...Buffer.from(token)].map((byte) => byte.toString(16).padStart(2, "0"));
  const base64 = [0, 1, 2].map((before) => base64Of(token, before)).filter((form) => form.length >= 2 * shortestForm);
  return [
    token,
    encodeURIComponent(token),
    JSON.stringify(token).slice(1, -1),
    units.map((unit) => `%${unit}`).join(""),
    units.map((unit) => `\\u00${unit}`).join(""),
    ...base64,
    ...base64.map((form) => form.replaceAll("+", "-").replaceAll("/", "_")),
  ];
}

/** The characters that base64 has for the token whatever stands around it, after so many bytes of a group of three. */
function base64Of(token: string, before: number): string {
  const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(token)]);
  const text = bytes.toString("base64").replaceAll("=", "");
  return text.slice([0, 2, 3][before], bytes.length % 3 === 0 ? undefined : -1);
}

/** Lower case of ASCII only: no other character takes the place of a token's. */
const folded = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** Whitespace and invisible characters as JSON and URLs write them. */
const writtenOut = /\\(?:[bfnrt]|u(?:00[01][0-9a-f]|00ad|200[b-f]|202[89a-e]|feff))|%(?:0[9ad]|20)/iy;

/** The text as it is compared, and where in the text each of these characters stands. */
function visibleLetters(text: string): { letters: string; places: number[] } {
  const places: number[] = [];
  let letters = "";
  for (let at = 0; at < text.length; at++) {
    const unit = text.charAt(at);
    if (unit === "\\" || unit === "%") {
      writtenOut.lastIndex = at;
      const [written = ""] = writtenOut.exec(text) ?? [];
      at += Math.max(0, written.length - 1);
      if (written !== "") continue;
    }
    const plain = unit > " " && unit < "\u007f";
    if (!plain && /[\s\p{C}]/u.test(unit)) continue;
    letters += unit;
    places.push(at);
  }
  return { letters: folded(letters), places };
}

function withMasks(text: string, places: readonly number[], hidden: Uint8Array): string {
  let result = "";
  let shown = 0;
  for (let at = 0; at < hidden.length; at++) {
    if (!hidden[at] || hidden[at - 1]) continue;
    let last = at;
    while (hidden[last + 1]) last++;
    result += text.slice(shown, places[at]) + mask;
    shown = (places[last] ?? 0) + 1;
  }
  return result + text.slice(shown);
}

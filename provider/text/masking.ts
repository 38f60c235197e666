/**
 * Hides tokens in every text that leaves a process: errors, log lines, reports. A service, a proxy or a debug page may
 * repeat the Authorization header anywhere in its answers.
 *
 * Every piece of at least 10 characters of a token is hidden (a shorter token only as a whole), in upper and lower case:
 * - as it is;
 * - its bytes as base64, base64url or hexadecimal digits;
 * - with characters escaped as in URLs (`%41`) or JSON (`\u0041`), also escaped twice.
 *
 * Shorter pieces stay: some services show the first characters of a token on purpose, to tell which one was used.
 */
const shortestPiece = 10;
/** Shorter forms are not hidden, because they also occur in texts that have nothing to do with the token. */
const shortestForm = 4;
const mask = "[token]";
/** The number of characters of a long text that are masked. Messages show only a few hundred of them. */
const window = 8192;
/** The text itself, and the escapes in it, which may be nested: JSON in JSON, JSON in a URL. */
const mostLayers = 3;
/** No piece is longer: 2 hexadecimal digits a character, each escaped twice (`%5Cu0041`). A window may end with half a piece. */
const longestPiece = 30 * shortestPiece;

const tokens = new Set<string>();
/** The pieces to hide, by their length. */
const pieces = new Map<number, Set<string>>();
/** Whether a piece begins with this pair of characters. At nearly each place of a text, none does, so nothing is compared there. */
const beginnings = new Uint8Array(65_536);

/** No request has a longer token: services accept headers of 8 to 16 KB. */
export const longestToken = 8_000;

/** From here on, {@link masked} hides this token in every text of the process; of a token that is too long to be sent, the beginning. */
export function hideToken(wholeToken: string): void {
  const token = wholeToken.slice(0, longestToken);
  if (tokens.has(token)) return;
  tokens.add(token);
  for (const form of formsOf(token).map(folded)) {
    if (form.length < shortestForm) continue;
    // An encoded piece is longer than the characters that it stands for.
    hidePieces(form, Math.min(form.length, Math.ceil((shortestPiece * form.length) / token.length)));
  }
}

/** For tests, which share a process: what one of them hides may be an ordinary word of the next. */
export function forgetTokens(): void {
  tokens.clear();
  pieces.clear();
  beginnings.fill(0);
}

function hidePieces(form: string, length: number): void {
  const ofLength = pieces.get(length) ?? new Set();
  for (let at = 0; at + length <= form.length; at++) {
    ofLength.add(form.slice(at, at + length));
    beginnings[pairAt(form, at)] = 1;
  }
  pieces.set(length, ofLength);
}

/** A number for two characters. Pairs with a character outside of ASCII may share one. */
const pairAt = (text: string, at: number): number => ((text.charCodeAt(at) << 8) ^ text.charCodeAt(at + 1)) & 0xffff;

/** The text without any token. */
export function masked(text: string): string {
  const hidden = new Uint8Array(text.length);
  let reading: Reading = { letters: text, placeOf: (at) => at };
  hide(reading, hidden);
  for (let layer = 1; layer < mostLayers && /[\\%]/.test(reading.letters); layer++) {
    reading = resolveEscapes(reading);
    hide(reading, hidden);
  }
  return hidden.includes(1) ? withMasks(text, hidden) : text;
}

function hide({ letters, placeOf }: Reading, hidden: Uint8Array): void {
  const compared = folded(letters);
  for (const [length, known] of pieces) {
    for (let at = 0; at + length <= compared.length; at++) {
      if (!beginnings[pairAt(compared, at)]) continue;
      if (known.has(compared.slice(at, at + length))) hidden.fill(1, placeOf(at), placeOf(at + length));
    }
  }
}

/** The beginning of a text of any length, without any token. It may be edited before it is {@link cut}. */
export function maskedOpening(text: string): string {
  return text.length > window ? masked(text.slice(0, window)).slice(0, -longestPiece) : masked(text);
}

/** At most this many characters of a text, without any token; masked first, since half a token would not be found. */
export function cut(text: string, most: number, end = ""): string {
  const safe = maskedOpening(text);
  if (safe.length <= most) return safe;
  return `${safe.slice(0, most - end.length).replace(/[\ud800-\udbff]$/, "")}${end}`;
}

function formsOf(token: string): string[] {
  const bytes = Buffer.from(token);
  const base64 = [0, 1, 2].map((before) => base64Of(bytes, before));
  const url = base64.map((form) => form.replaceAll("+", "-").replaceAll("/", "_"));
  const encoded = [bytes.toString("hex"), ...base64, ...url];
  // Encoded, a token of 4 characters has 6 to 8. Forms shorter than 8 also occur by chance.
  return [token, ...encoded.filter((form) => form.length >= 2 * shortestForm)];
}

/** The base64 characters that depend on the token alone, if it follows `before` bytes (0 to 2) in a group of three. */
function base64Of(token: Buffer, before: number): string {
  const bytes = Buffer.concat([Buffer.alloc(before), token]);
  const text = bytes.toString("base64").replaceAll("=", "");
  // A byte before fills the first character and a part of the second, and two bytes a part of the third.
  const begin = before === 0 ? 0 : before + 1;
  // Bytes after the token may change its last character.
  const end = bytes.length % 3 === 0 ? text.length : -1;
  return text.slice(begin, end);
}

/** Lower case of ASCII only: `toLowerCase()` would also turn the Kelvin sign into a `k`. */
const folded = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** A text in the form that is compared with tokens: its escapes may be resolved. */
interface Reading {
  readonly letters: string;
  /** Where a letter begins in the text, which is where the letter before it ends. */
  placeOf(at: number): number;
}

/** A character as it is, or escaped: by its code as in URLs or JSON, or by a backslash. */
const character = /%([0-7][0-9a-f])|\\u([0-9a-f]{4})|\\(["\\/])|[\s\S]/gi;

function resolveEscapes({ letters: text, placeOf }: Reading): Reading {
  const places: number[] = [];
  let letters = "";
  for (const match of text.matchAll(character)) {
    const [written, percent, unicode, sign = written] = match;
    const code = percent ?? unicode;
    letters += code === undefined ? sign : String.fromCharCode(Number.parseInt(code, 16));
    places.push(match.index);
  }
  places.push(text.length);
  return { letters, placeOf: (at) => placeOf(places[at] ?? 0) };
}

function withMasks(text: string, hidden: Uint8Array): string {
  let result = "";
  let position = 0;
  for (let at = hidden.indexOf(1); at >= 0; at = hidden.indexOf(1, position)) {
    const end = hidden.indexOf(0, at);
    result += text.slice(position, at) + mask;
    position = end < 0 ? text.length : end;
  }
  return result + text.slice(position);
}

/** Parameters of an address that are secret, such as the signature of a container. `password_file` is not: it only names a file. */
const secretParameter =
  /^(?:\w*pass(?:word|wd|phrase)?|pwd|sig|\w*(?:secret|token|signature|credential|(?:account|access)_?key)\w*)$/i;

/** The address without what is secret in it. The user of a database stays; any other user may be a token. */
export function withoutPassword(url: string): string {
  if (url.startsWith("file:")) return url;
  // The password may have an unescaped `/`, `?` or `@`, so it ends at the last `@`.
  const parts = /^([^:/]*:\/\/)(?:([^:/?#]*)(?::.*)?@)?([^?]*)\??(.*)/s.exec(url);
  if (!parts) return url;
  const [, scheme = "", user, address, parameters = ""] = parts;
  const nameOf = (parameter: string) => [...new URLSearchParams(parameter).keys()].join();
  const shown = parameters.split("&").filter((one) => !secretParameter.test(nameOf(one)));
  const query = shown.join("&");
  const end = query === "" ? "" : `?${query}`;
  const name = user && scheme.startsWith("postgres") ? `${user}@` : "";
  return `${scheme}${name}${address}${end}`;
}

/** A text of the engine, which quotes the address of a backend that it cannot open (seen in 3.259). */
export function withoutPasswordOf({ PULUMI_BACKEND_URL: url }: NodeJS.ProcessEnv, text: string): string {
  return url ? text.replaceAll(url, () => withoutPassword(url)) : text;
}

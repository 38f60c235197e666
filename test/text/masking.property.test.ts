import fc from "fast-check";
import { expect, it } from "vitest";
import { hideToken, masked } from "../../provider/text/masking";

const token = "TOKENLEAKCANARY1234/+xyZ";

// 19 hexadecimal digits are fewer than 10 characters of the token, so they stay.
it.each(["\\u00", "\\", "%5", "%", "\\u0041", "%41", Buffer.from(token).toString("hex").slice(0, 19)])(
  "masking 200,000 characters of %s takes time in proportion to the length",
  (piece) => {
    hideToken(token);
    const text = piece.repeat(200_000 / piece.length);
    // With a time that grows with the square of the length, this would take minutes.
    expect(masked(text)).toBe(text);
  },
);

/** What a browser, a URL or JSON makes of a text: an oracle that knows nothing of the way in which tokens are found. */
const decoded = (text: string): string =>
  text
    .replace(/%([0-9a-f]{2})/gi, (_, digits) => String.fromCharCode(Number.parseInt(digits, 16)))
    .replace(/\\u00([0-9a-f]{2})/gi, (_, digits) => String.fromCharCode(Number.parseInt(digits, 16)))
    .replace(/\\(["\\/])/g, "$1");

const written: readonly ((one: string) => string)[] = [
  (one) => one,
  (one) => `%${hexOf(one)}`,
  (one) => `\\u00${hexOf(one)}`,
  (one) => (/["/]/.test(one) ? `\\${one}` : one),
];
const hexOf = (one: string): string => one.charCodeAt(0).toString(16).padStart(2, "0");

it("no 10 characters in a row of a token are left, however they are written out", () => {
  // Letters that "Bearer " does not have, without % and \: a token that has an escape, such as %41, is hidden only as it is.
  const letters = fc.constantFrom(..."QWXZJKVqwxzjkv0123456789/+=&\"'");
  const tokens = fc.string({ unit: letters, minLength: 20, maxLength: 60 });
  const choices = fc.array(fc.nat(written.length - 1), { minLength: 60, maxLength: 60 });
  const surroundings = fc.constantFrom("", " ", "Bearer ", '"', "%", "\\", "é🙂");
  fc.assert(
    fc.property(tokens, choices, surroundings, surroundings, (secret, choice, start, end) => {
      hideToken(secret);
      const text = [...secret].map((one, index) => written[choice[index] ?? 0]?.(one) ?? one).join("");
      const left = decoded(masked(`${start}${text}${end}`));
      for (let at = 0; at + 10 <= secret.length; at++) expect(left).not.toContain(secret.slice(at, at + 10));
    }),
    { numRuns: 100 },
  );
});

import { expect, it } from "vitest";
import { markForeign, withMark } from "../../provider/text/foreign";
import { plain, safeText } from "../../provider/text/safe-text";

it.each([
  ["аda@acme.test", " (with a Cyrillic а, U+0430)"],
  ["ada@аcme.test", " (with a Cyrillic а, U+0430)"],
  ["ο.k@acme.test", " (with a Greek ο, U+03BF)"],
  ["jörg@acme.test", " (with a Latin ö, U+00F6)"],
  ["jo\u0308rg@acme.test", " (with the character U+0308)"],
  ["a\u200bda@acme.test", " (with the character U+200B)"],
  ["ada@acme.test", ""],
  ["Handbuch für аlle", ""],
])("marks %s with%s", (email, mark) => {
  expect(withMark(email)).toBe(email + mark);
  expect(plain(markForeign(safeText`${email} becomes an owner`))).toBe(`${email}${mark} becomes an owner`);
});

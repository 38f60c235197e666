import { describe, expect, it } from "vitest";
import { z } from "zod";
import { adaptiveJsonSchema, siteSettings } from "../../provider/api/groups/sites";
import { dotted, inOneLine, mistakesIn, nearest } from "../../provider/text/mistakes";

const settings = z.strictObject(siteSettings).partial();
const said = (schema: z.ZodType, value: unknown) => inOneLine(mistakesIn(schema, value));

describe("a mistake says what was found, what is allowed and what to do", () => {
  it.each([
    [{ title: "a" }, 'title: found "a" (1 character); use 2 to 128 characters'],
    [{ title: "x".repeat(129) }, /^title: found "x{57}\.\.\." \(129 characters\); use 2 to 128 characters$/],
    [{ title: 5 }, "title: found 5; use a string"],
    [{ title: null }, "title: found null; use a string"],
    [{ title: [] }, "title: found []; use a string"],
    [
      { visibility: "publik" },
      'visibility: found "publik"; use one of "public", "unlisted", "share-link", "visitor-auth"; did you mean "public"?',
    ],
    [{ titel: "Handbook" }, 'titel: there is no such property; did you mean "title"?'],
    [
      { proxy: "https://www.acme.test/docs" },
      'proxy: found "https://www.acme.test/docs"; use a host name with a path and without "https://", such as "www.acme.test/docs"',
    ],
    [{ adaptiveContent: {} }, "adaptiveContent.enabled: missing; use a boolean"],
    [
      { adaptiveContent: { enabled: true, on: 1 } },
      "adaptiveContent.on: there is no such property; remove it or use one of enabled",
    ],
    [{ spaces: ["space_a", ""] }, 'spaces[1]: found "" (0 characters); use at least 1 character'],
    [{ title: "a", basename: "" }, /title: .*; basename: .*use 1 to 100 characters/],
  ])("%j", (value, text) => {
    const found = said(settings, value);
    if (text instanceof RegExp) expect(found).toMatch(text);
    else expect(found).toBe(text);
  });

  it("reports nothing about a correct value", () => {
    expect(mistakesIn(settings, { title: "Handbook", proxy: null, visibility: "public" })).toEqual([]);
  });

  it("follows the intended alternative of a union", () => {
    const schema = { type: "object", additionalProperties: false, properties: { beta: { type: "boolean" } } };
    expect(said(adaptiveJsonSchema, schema)).toBe("properties.beta.description: missing; use a string");
    const other = { ...schema, properties: { beta: { type: "integer", description: "" } } };
    expect(said(adaptiveJsonSchema, other)).toMatch(
      /^properties\.beta\.type: found "integer"; use one of "boolean", "string"/,
    );
  });
});

describe("names", () => {
  it("writes a path as a program would", () => {
    expect(dotted(["a", "b", 2, "c-d"])).toBe('a.b[2]["c-d"]');
  });

  it("suggests only similar names", () => {
    expect(nearest("titel", ["title", "type"])).toBe("title");
    expect(nearest("Title", ["title"])).toBe("title");
    expect(nearest("colour", ["title", "type"])).toBeUndefined();
  });
});

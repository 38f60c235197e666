import { describe, expect, it } from "vitest";
import { z } from "zod";
import { adaptiveJsonSchema, siteSettings } from "../../provider/api/groups/sites";
import { dotted, inOneLine, mistakesIn, nearest } from "../../provider/text/mistakes";

const settings = z.strictObject(siteSettings).partial();
const said = (schema: z.ZodType, value: unknown) => inOneLine(mistakesIn(schema, value));

describe("a mistake says what was found, what is allowed and what to do", () => {
  it.each([
    ["a text that is too short", { title: "a" }],
    ["a text that is too long", { title: "x".repeat(129) }],
    ["a number instead of a text", { title: 5 }],
    ["null instead of a text", { title: null }],
    ["a list instead of a text", { title: [] }],
    ["another word", { visibility: "publik" }],
    ["a misspelt property", { titel: "Handbook" }],
    ["an address instead of a host", { proxy: "https://www.acme.test/docs" }],
    ["a missing property", { adaptiveContent: {} }],
    ["an unknown property", { adaptiveContent: { enabled: true, on: 1 } }],
    ["an empty text in a list", { spaces: ["space_a", ""] }],
    ["two mistakes", { title: "a", basename: "" }],
  ])("%s", (name, value) => {
    expect(said(settings, value)).toHaveWording(name);
  });

  it("reports nothing about a correct value", () => {
    expect(mistakesIn(settings, { title: "Handbook", proxy: null, visibility: "public" })).toEqual([]);
  });

  it("follows the intended alternative of a union", () => {
    const schema = { type: "object", additionalProperties: false, properties: { beta: { type: "boolean" } } };
    expect(said(adaptiveJsonSchema, schema)).toMatch(/^properties\.beta\.description: missing;/);
    const other = { ...schema, properties: { beta: { type: "integer", description: "" } } };
    expect(said(adaptiveJsonSchema, other)).toMatch(/^properties\.beta\.type: found "integer"; use .*"boolean"/);
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

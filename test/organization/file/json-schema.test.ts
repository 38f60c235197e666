import { readFileSync } from "node:fs";
import Ajv from "ajv";
import addFormats from "ajv-formats";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { organizationJsonSchema } from "../../../scripts/json-schema";

const ajv = addFormats(new Ajv({ allErrors: true, allowUnionTypes: true }));
ajv.addVocabulary(["patternErrorMessage", "markdownDescription"]);
const valid = ajv.compile({ $id: "organization.schema.json", ...organizationJsonSchema() });

/** As an editor reads it that knows the tag. */
function inEditor(text: string): unknown {
  return parse(text, { customTags: [{ tag: "!include", resolve: (pattern: string) => pattern }] });
}

test("the schema in the package is up to date", () => {
  // Mend it with: npm run schema
  expect(JSON.parse(readFileSync("organization.schema.json", "utf8"))).toEqual(organizationJsonSchema());
});

test.each(["organization.yaml", "large/organization.yaml"])("the example %s is valid", (name) => {
  const text = readFileSync(`examples/organization-file/${name}`, "utf8");
  expect(text).toMatch(/^# yaml-language-server: \$schema=(?:\.\.\/)+organization\.schema\.json\n/);
  valid(inEditor(text));
  expect(valid.errors).toBeNull();
});

test.each(["members.yaml", "teams/docs.yaml", "teams/platform.yaml"])("the included example %s is valid", (name) => {
  const text = readFileSync(`examples/organization-file/large/${name}`, "utf8");
  const [, place = ""] =
    /^# yaml-language-server: \$schema=(?:\.\.\/)+organization\.schema\.json(#\/.*)\n/.exec(text) ?? [];
  const included = ajv.compile({ $ref: `organization.schema.json${place}` });
  included(inEditor(text));
  expect(included.errors).toBeNull();
  expect(included(inEditor("team_a: { members: { ada@acme.test: boss } }"))).toBe(false);
});

test.each([
  ["nothing", "{}"],
  ["an unknown section", "{ organization: o, member: {} }"],
  ["a wrong role", "{ organization: o, members: { a: reed } }"],
  ["no role", "{ organization: o, members: { a: { sso: true } } }"],
  ["an impossible day", "{ organization: o, members: { a: { role: read, expires: { on: 2027-02-30, then: read } } } }"],
  ["a pattern as member", "{ organization: o, members: { '*@acme.test': read } }"],
  ["a strange name", "{ organization: o, sites: { 'a b': {} } }"],
  ["an include of another kind", "{ organization: o, members: !include members.txt }"],
  ["no share", "{ organization: o, guards: { maxRemovals: 101% } }"],
  ["a claim without a type", "{ organization: o, sites: { s: { adaptiveSchema: { claims: { a: {} } } } } }"],
])("the editor finds %s", (_, text) => {
  expect(valid(inEditor(text))).toBe(false);
});

test("editors show sentences, not regular expressions, and descriptions as they are written", () => {
  const look = (schema: unknown): void => {
    if (typeof schema !== "object" || schema === null) return;
    const { pattern, patternErrorMessage, description, markdownDescription } = schema as Record<string, unknown>;
    // With a format, editors would report a mistake twice, the second time in their own words.
    if (typeof pattern === "string") expect(schema).not.toHaveProperty("format");
    if (typeof pattern === "string") expect(patternErrorMessage, pattern).toMatch(/^(?:use|a) /);
    if (typeof description === "string" && description.includes("`")) expect(markdownDescription).toBe(description);
    Object.values(schema).forEach(look);
  };
  look(organizationJsonSchema());
  // An editor repeats the title of the whole file above the description of each property.
  expect(organizationJsonSchema()).not.toHaveProperty("title");
});

test("every property has a description", () => {
  const silent: string[] = [];
  const look = (schema: unknown, path: string): void => {
    if (typeof schema !== "object" || schema === null) return;
    for (const [key, inner] of Object.entries(schema)) {
      const isProperty =
        path.endsWith(".properties") && !/\.(?:claims|unsignedClaims|jsonSchema|instructions|definitions)\b/.test(path);
      if (isProperty && !("description" in inner)) silent.push(`${path}.${key}`);
      look(inner, `${path}.${key}`);
    }
  };
  look(organizationJsonSchema(), "");
  expect(silent).toEqual([]);
});

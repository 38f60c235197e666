import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { Instance } from "../provider/hosts/plugin/instance";
import { failuresOf, unknownValue } from "../provider/run/properties";
import {
  exampleIn,
  isFile,
  isList,
  isObject,
  isReference,
  type Value,
} from "../scripts/package-schema/examples/example";
import { snake } from "../scripts/package-schema/examples/python";
import { exampleTexts } from "../scripts/package-schema/examples/texts";
import type { PackageSpec } from "../scripts/package-schema/spec";
import { readReference } from "../scripts/reference/resources";

// test/reference.test.ts compares the file with the definitions.
const text = readFileSync("plugin/schema.json", "utf8");
const schema: PackageSpec = JSON.parse(text);
const { resources, readings } = readReference();
const named = resources.map((resource) => [resource.name, resource] as const);

/** Every object in the schema that has this key. */
function* partsWith(key: string, value: unknown = schema): Generator<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return;
  if (key in value) yield value as Record<string, unknown>;
  for (const inner of Object.values(value)) yield* partsWith(key, inner);
}

describe("the package schema", () => {
  it("has every resource, every function and the component", () => {
    const tokens = [...resources.map(({ name }) => name), "Organization"].map((name) => `docs:index:${name}`);
    expect(Object.keys(schema.resources).sort()).toEqual(tokens.sort());
    expect(Object.keys(schema.functions)).toEqual(readings.map(({ name }) => `docs:index:${name}`));
  });

  it("refers to types that it has, and has no type that nothing refers to", () => {
    const referred = [...partsWith("$ref")].map(({ $ref }) => String($ref)).filter((ref) => ref.startsWith("#"));
    const types = Object.keys(schema.types).map((token) => `#/types/${token}`);
    expect(referred.filter((ref) => !types.includes(ref))).toEqual([]);
    // Results of functions, which repeat the properties of the type.
    const result = "docs:index:LiveSite docs:index:Member docs:index:PublishedSite".split(" ");
    const unused = types.filter((type) => !referred.includes(type));
    expect(unused.filter((type) => !result.includes(type.replace("#/types/", "")))).toEqual([]);
  });

  it("has an alias to the type of the dynamic host for each resource", () => {
    for (const { name } of resources) {
      const type = `pulumi-nodejs:dynamic/docs:${name}`;
      expect(schema.resources[`docs:index:${name}`]?.aliases).toEqual([{ type }]);
    }
  });

  it("describes every property, every type and every value, and says what pulumi schema check asks for", () => {
    const { provider, config, types, functions, publisher, version } = schema;
    const { inputProperties } = provider;
    const objects = Object.values(types).map((type) => ("enum" in type ? {} : type.properties));
    const results = Object.values(functions).map(({ outputs }) => outputs.properties);
    const listed = [...objects, ...results, inputProperties, config.variables].flatMap(Object.entries);
    const missing = listed.filter(([, one]) => !one.description);
    expect(missing.map(([name]) => name)).toEqual([]);
    expect(Object.keys(types).filter((name) => !types[name]?.description)).toEqual([]);
    const values = Object.values(types).flatMap((type) => ("enum" in type ? type.enum : []));
    expect(values.filter(({ description }) => !/^.+\.$/.test(description))).toEqual([]);
    expect({ publisher, version }).toEqual({ publisher: "pulumi-docs-org", version: "0.0.0" });
  });

  it("describes every property of resources and every argument of functions", () => {
    const all = Object.entries(schema.resources).flatMap(([token, { inputProperties, properties }]) =>
      [...Object.entries(inputProperties), ...Object.entries(properties)].map(([name, one]) => ({ token, name, one })),
    );
    const args = Object.entries(schema.functions).flatMap(([token, { inputs }]) =>
      Object.entries(inputs.properties).map(([name, one]) => ({ token, name, one })),
    );
    expect(
      [...all, ...args].filter(({ one }) => !one.description).map(({ token, name }) => `${token} ${name}`),
    ).toEqual([]);
  });

  it("says what is a secret, what replaces and what is required", () => {
    expect(schema.provider.inputProperties).toMatchObject({ token: { secret: true }, tokens: { secret: true } });
    expect(schema.provider.inputProperties.baseUrl).not.toHaveProperty("secret");
    const { inputProperties, requiredInputs } = schema.resources["docs:index:TeamMembers"] ?? {};
    expect(inputProperties?.teamId).toMatchObject({ type: "string", willReplaceOnChanges: true });
    expect(requiredInputs).toEqual(["teamId", "members"]);
  });

  it("names shared and recursive types", () => {
    const claim = { additionalProperties: { $ref: "#/types/docs:index:Claim" } };
    expect(schema.types["docs:index:Claim"]).toMatchObject({
      properties: { items: { $ref: "#/types/docs:index:Claim" }, properties: claim },
      required: ["type", "description"],
    });
    expect(schema.resources["docs:index:SiteAdaptiveSchema"]?.inputProperties.claims).toMatchObject(claim);
    expect(schema.types["docs:index:OrderNode"]).toMatchObject({
      properties: { order: { items: { oneOf: [{ type: "string" }, { $ref: "#/types/docs:index:OrderNode" }] } } },
    });
    expect(schema.types["docs:index:Role"]).toMatchObject({ type: "string" });
  });

  it("answers a function that lists with an object", () => {
    const { outputs } = schema.functions["docs:index:getSites"] ?? {};
    expect(outputs).toMatchObject({ properties: { items: { type: "array" } }, required: ["items"] });
  });

  it("gets its version from the plugin", () => {
    const instance = new Instance({ version: "9.8.7", schema: text, environment: {} });
    expect(JSON.parse(instance.schema())).toEqual({ ...schema, version: "9.8.7" });
  });
});

/** The value as a program passes it; what is known later is unknown. */
function plain(value: Value): unknown {
  if (typeof value !== "object") return value;
  if (isReference(value) || isFile(value)) return unknownValue;
  if (isList(value)) return value.map(plain);
  return isObject(value)
    ? Object.fromEntries(Object.entries(value.object).map(([key, one]) => [key, plain(one)]))
    : undefined;
}

describe("the example", () => {
  it.each(named)("of %s is valid, and refers to outputs that exist", (name, { tags }) => {
    const example = exampleIn(name, tags.get("example") ?? "");
    for (const { type, properties } of example.resources) {
      const definition = resources.find((one) => one.name === type)?.definition;
      expect(definition && failuresOf(definition.inputs, plain({ object: properties }) as never)).toEqual([]);
      for (const value of Object.values(properties).filter(isReference)) {
        const declared = example.resources.find(({ variable }) => variable === value.variable);
        const outputs = schema.resources[`docs:index:${declared?.type}`]?.properties;
        expect(["id", ...Object.keys(outputs ?? {})]).toContain(value.property);
      }
    }
  });

  it.each(named)("of %s says the same in every language", (name, { tags }) => {
    const example = exampleIn(name, tags.get("example") ?? "");
    const texts = exampleTexts(schema, example);
    const inYaml: { type: string }[] = Object.values(parse(texts.yaml).resources);
    expect(inYaml.map(({ type }) => type)).toEqual(example.resources.map(({ type }) => `docs:${type}`));
    for (const { type, name: own, properties } of example.resources) {
      expect(texts.typescript).toContain(`new docs.${type}("${own}", {`);
      expect(texts.python).toContain(`docs.${type}(\n    "${own}",\n`);
      expect(texts.go).toContain(`docs.New${type}(ctx, "${own}", &docs.${type}Args{`);
      for (const property of Object.keys(properties)) {
        expect(texts.python).toContain(`    ${snake(property)}=`);
        expect(texts.go).toContain(`\t${property.replace(/^./, (first) => first.toUpperCase())}: `);
      }
    }
    expect(schema.resources[`docs:index:${name}`]?.description).toContain(texts.python);
  });

  it("is refused if other languages could not say it", () => {
    expect(() => exampleIn("Site", '```ts\nnew docs.Site("a", { title: [1, 2].join("") });\n```')).toThrow(
      /other languages because of "\[1, 2\]\.join\(""\)"/,
    );
    expect(() => exampleIn("Site", '```ts\nnew docs.Translation("a", {});\n```')).toThrow(/declares no Site/);
  });
});

import type { z } from "zod";
import { configuration } from "../../provider/hosts/plugin/configuration";
import { outputPaths } from "../../provider/organization/output-paths";
import { organizationFile } from "../../provider/organization/sections/schema";
import { typeIn } from "../../provider/run/urn";
import { type Declaration, oneLine } from "../reference/declarations";
import type { Reading, Reference, Resource } from "../reference/resources";
import { exampleIn } from "./examples/example";
import { exampleTexts } from "./examples/texts";
import { packageNames } from "./names";
import {
  type FunctionSpec,
  type ObjectSpec,
  type PackageSpec,
  type PropertySpec,
  type ResourceSpec,
  tokenOf,
} from "./spec";
import { bare, Types } from "./types";

/** What the schema says of the package itself, as package.json has it. */
interface Manifest {
  readonly description: string;
  readonly keywords: readonly string[];
  readonly license: string;
}

/** The schema of the package, from which the engine and the languages know it. */
export function packageSchema({ resources, readings, component }: Reference, manifest: Manifest): PackageSpec {
  const inputs = new Types("input");
  const results = new Types("result", inputs.named);
  const settings = withSecrets(configuration, inputs.properties(configuration, "Provider"));
  const described = resources.map((one) => [tokenOf(one.name), resourceOf(one, inputs, results)] as const);
  const organization = componentOf(component, inputs);
  const functions = readings.map((one) => [tokenOf(one.name), functionOf(one, inputs, results)] as const);
  const { description, keywords, license } = manifest;
  const schema: PackageSpec = {
    name: "docs",
    // A check of the file alone asks for a version. The plugin puts its own in the place of this one.
    version: "0.0.0",
    displayName: "Docs organization",
    description,
    keywords: keywords.filter((word) => word !== "dynamic-provider"),
    license,
    publisher: "pulumi-docs-org",
    // The generated module for Go has a go.mod.
    meta: { supportPack: true },
    config: { variables: settings },
    provider: {
      description:
        "A connection to one organization. Without one, resources use the configuration of the stack (`docs:baseUrl`, " +
        "`docs:organizationId`, `docs:token`) and the environment.",
      inputProperties: settings,
      requiredInputs: [],
      properties: settings,
      required: [],
    },
    types: Object.fromEntries([...inputs.named].sort().map(([name, type]) => [tokenOf(name), type])),
    resources: { ...Object.fromEntries(described), [tokenOf(component.name)]: organization },
    functions: Object.fromEntries(functions),
    language: {
      nodejs: { packageName: packageNames.typescript, respectSchemaVersion: true },
      python: { packageName: packageNames.python, pyproject: { enabled: true }, respectSchemaVersion: true },
      go: { importBasePath: packageNames.go, respectSchemaVersion: true },
    },
  };
  return { ...schema, resources: withExamples(schema, [...resources, component]) };
}

function resourceOf({ name, summary, tags, definition }: Resource, inputs: Types, results: Types): ResourceSpec {
  const inputProperties = inputs.properties(definition.inputs, name);
  return {
    description: [summary, ...paragraphsOf(tags.get("remarks"))].join("\n\n"),
    inputProperties,
    requiredInputs: inputs.required(definition.inputs),
    properties: { ...withoutReplacements(inputProperties), ...results.properties(definition.outputs, name) },
    required: [...results.required(definition.inputs), ...results.required(definition.outputs)],
    // A stack of the dynamic host keeps its resources when its program moves to the plugin.
    aliases: [{ type: typeIn("dynamic", name) }],
  };
}

function componentOf({ name, summary, tags, members }: Declaration, inputs: Types): ResourceSpec {
  const { organization, ...sections } = inputs.properties(organizationFile, name);
  const file: PropertySpec = {
    type: "string",
    description: "Path of the file that declares the organization, such as `organization.yaml`. Use it alone.",
  };
  const outputs = Object.keys(outputPaths);
  const comments = members();
  const values = outputs.map((output): [string, PropertySpec] => [
    output,
    { type: "object", additionalProperties: { type: "string" }, description: comments.get(output) ?? "" },
  ]);
  return {
    description: [summary, ...paragraphsOf(tags.get("remarks"))].join("\n\n"),
    isComponent: true,
    inputProperties: { file, ...(organization && { organization }), ...sections },
    requiredInputs: [],
    properties: Object.fromEntries(values),
    required: outputs,
  };
}

function functionOf({ name, summary, lookup }: Reading, inputs: Types, results: Types): FunctionSpec {
  const typeName = name.replace(/^get/, "Get");
  return {
    description: summary,
    inputs: inputs.object(lookup.arguments, typeName),
    outputs: resultOf(lookup.result, results, typeName),
  };
}

/** For the engine, the result of a function is an object, so a list becomes a property of one. */
function resultOf(result: z.ZodType, results: Types, typeName: string): ObjectSpec {
  const type = results.type(result, typeName);
  if (type.type !== "array") return results.objectNamed(type);
  const description = result.description ?? "What was found.";
  return { type: "object", properties: { items: { ...type, description } }, required: ["items"] };
}

function withoutReplacements(properties: Readonly<Record<string, PropertySpec>>): Record<string, PropertySpec> {
  const entries = Object.entries(properties);
  return Object.fromEntries(entries.map(([name, { willReplaceOnChanges: _, ...property }]) => [name, property]));
}

/** The settings that are concealed in messages are secrets. */
function withSecrets({ shape }: z.ZodObject, properties: Readonly<Record<string, PropertySpec>>) {
  const entries = Object.entries(properties).map(([name, property]): [string, PropertySpec] => {
    const { concealed } = bare(shape[name] as z.ZodType).meta() ?? {};
    return [name, { ...property, ...(concealed && { secret: true }) }];
  });
  return Object.fromEntries(entries);
}

const paragraphsOf = (text = ""): string[] =>
  text
    .split(/\n\s*\n/)
    .map(oneLine)
    .filter(Boolean);

/** Adds the example of each resource in every language, and how it is imported, to its description. */
function withExamples(schema: PackageSpec, declarations: readonly Declaration[]): PackageSpec["resources"] {
  const entries = Object.entries(schema.resources).map(([token, spec]) => {
    const declaration = declarations.find(({ name }) => tokenOf(name) === token);
    if (!declaration) throw new Error(`${token} has no doc comment with an example`);
    const parts = [spec.description, usageOf(schema, declaration), ...(spec.isComponent ? [] : [importOf(token)])];
    return [token, { ...spec, description: parts.join("\n\n") }];
  });
  return Object.fromEntries(entries);
}

const importOf = (token: string): string => `## Import\n\n\`\`\`sh\npulumi import ${token} NAME ID\n\`\`\``;

function usageOf(schema: PackageSpec, { name, tags }: Declaration): string {
  const texts = exampleTexts(schema, exampleIn(name, tags.get("example") ?? ""));
  const blocks = Object.entries(texts).map(([language, text]) => `\`\`\`${language}\n${text}\n\`\`\``);
  return [
    "{{% examples %}}",
    "## Example Usage",
    "{{% example %}}",
    ...blocks,
    "{{% /example %}}",
    "{{% /examples %}}",
  ].join("\n\n");
}

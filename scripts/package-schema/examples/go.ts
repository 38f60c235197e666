import { packageNames } from "../names";
import type { PackageSpec, TypeSpec } from "../spec";
import { capitalized } from "../types";
import { type Example, type ExampleResource, isFile, isList, isReference, type Value } from "./example";
import { resolveType, resourceIn, typeInside } from "./lookup";

export function goText(spec: PackageSpec, { resources }: Example): string {
  const files = resources.flatMap(({ properties }) => Object.values(properties).filter(isFile));
  const body = [
    ...files.map(({ file }) => `${variableOf(file)}, err := os.ReadFile(${JSON.stringify(file)})\n${onError}`),
    ...resources.map((one) => declaration(spec, one)),
  ].join("\n");
  const text = `pulumi.Run(func(ctx *pulumi.Context) error {\n${indented(body)}\n\treturn nil\n})`;
  const imports = [
    ...(files.length > 0 ? ['"os"', ""] : []),
    '"github.com/pulumi/pulumi/sdk/v3/go/pulumi"',
    `${JSON.stringify(packageNames.go)}`,
  ];
  return `package main\n\nimport (\n${indented(imports.join("\n"))}\n)\n\nfunc main() {\n${indented(text)}\n}`;
}

const onError = "if err != nil {\n\treturn err\n}";
const indented = (text: string): string => text.replace(/^(?=.)/gm, "\t");
const variableOf = (file: string): string => file.replace(/\W+(\w)/g, (_, first: string) => first.toUpperCase());

function declaration(spec: PackageSpec, { type, name, variable = "_", properties }: ExampleResource): string {
  const { inputProperties } = resourceIn(spec, type);
  const args = Object.entries(properties).map(([key, value]) => {
    return `${capitalized(key)}: ${valueText(spec, inputProperties[key], value)},\n`;
  });
  const made = `docs.New${type}(ctx, ${JSON.stringify(name)}, &docs.${type}Args{\n${indented(args.join(""))}})`;
  // Go refuses a second `_, err :=` in one block, because it declares nothing new. An `if` is a block of its own.
  return variable === "_"
    ? `if _, err := ${made}; err != nil {\n\treturn err\n}`
    : `${variable}, err := ${made}\n${onError}`;
}

function valueText(spec: PackageSpec, type: TypeSpec | undefined, value: Value): string {
  const target = resolveType(spec, type);
  if (target?.$ref === "pulumi.json#/Any") return `pulumi.Any(${JSON.stringify(value)})`;
  if (target && "enum" in target) return `docs.${nameOf(type)}(${JSON.stringify(value)})`;
  if (typeof value === "string") return `pulumi.String(${JSON.stringify(value)})`;
  if (typeof value === "boolean") return `pulumi.Bool(${value})`;
  if (typeof value === "number") return `pulumi.${target?.type === "number" ? "Float64" : "Int"}(${value})`;
  if (isReference(value)) return `${value.variable}.${outputName(value.property)}`;
  if (isFile(value)) return `pulumi.String(string(${variableOf(value.file)}))`;
  if (isList(value)) {
    const items = value.map((item) => `${valueText(spec, typeInside(spec, type, item), item)},\n`);
    return `${collection(spec, type?.items, "Array")}{\n${indented(items.join(""))}}`;
  }
  const isMap = target?.additionalProperties !== undefined;
  const items = Object.entries(value.object).map(([key, one]) => {
    return `${isMap ? JSON.stringify(key) : capitalized(key)}: ${valueText(spec, typeInside(spec, type, one, key), one)},\n`;
  });
  const made = isMap ? collection(spec, target?.additionalProperties, "Map") : `&docs.${nameOf(type)}Args`;
  return `${made}{\n${indented(items.join(""))}}`;
}

const outputName = (property: string): string => (property === "id" ? "ID()" : capitalized(property));
const nameOf = (type: TypeSpec | undefined): string => type?.$ref?.split(":").at(-1) ?? "";

/** The type of a list or a map: of texts, of a named type, or of anything. */
function collection(spec: PackageSpec, item: TypeSpec | undefined, kind: "Array" | "Map"): string {
  if (nameOf(item) !== "" && item?.$ref !== "pulumi.json#/Any") return `docs.${nameOf(item)}${kind}`;
  const simple = { string: "String", boolean: "Bool", integer: "Int", number: "Float64" };
  const type = resolveType(spec, item)?.type;
  return `pulumi.${type && type in simple ? simple[type as keyof typeof simple] : ""}${kind}`;
}

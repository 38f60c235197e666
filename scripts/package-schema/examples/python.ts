import { packageNames } from "../names";
import type { PackageSpec, TypeSpec } from "../spec";
import { type Example, type ExampleResource, isFile, isList, isObject, isReference, type Value } from "./example";
import { resourceIn, typeInside } from "./lookup";

export function pythonText(spec: PackageSpec, { resources }: Example): string {
  const body = resources.map((one) => declaration(spec, one)).join("\n\n");
  const imports = [body.includes("Path(") ? "from pathlib import Path\n" : "", `import ${packageNames.python} as docs`];
  return `${imports.filter(Boolean).join("\n")}\n\n${body}`;
}

function declaration(spec: PackageSpec, { type, name, variable, properties }: ExampleResource): string {
  const { inputProperties } = resourceIn(spec, type);
  const args = Object.entries(properties).map(
    ([key, value]) => `    ${snake(key)}=${valueText(spec, inputProperties[key], value, "    ")},\n`,
  );
  const made = `docs.${type}(\n    ${JSON.stringify(name)},\n${args.join("")})`;
  return variable === undefined ? made : `${variable} = ${made}`;
}

function valueText(spec: PackageSpec, type: TypeSpec | undefined, value: Value, indent: string): string {
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "object") return JSON.stringify(value);
  if (isReference(value)) return `${value.variable}.${snake(value.property)}`;
  if (isFile(value)) return `Path(${JSON.stringify(value.file)}).read_text()`;
  const inner = `${indent}    `;
  if (isList(value)) {
    const items = value.map((item) => valueText(spec, typeInside(spec, type, item), item, inner));
    return lines("[", items, "]", indent);
  }
  if (!isObject(value)) return "None";
  const isMap = type?.additionalProperties !== undefined;
  const items = Object.entries(value.object).map(([key, one]) => {
    const text = valueText(spec, typeInside(spec, type, one, key), one, inner);
    return `${JSON.stringify(isMap ? key : snake(key))}: ${text}`;
  });
  return lines("{", items, "}", indent);
}

/** In one line if it is short. */
function lines(open: string, items: readonly string[], close: string, indent: string): string {
  const line = `${open}${items.join(", ")}${close}`;
  if (line.length <= 60 && !line.includes("\n")) return line;
  return `${open}\n${items.map((item) => `${indent}    ${item},\n`).join("")}${indent}${close}`;
}

/** The name that the code generator for Python gives to a property. */
export const snake = (name: string): string =>
  name
    .replace(/([a-z\d])([A-Z])/g, "$1_$2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .toLowerCase();

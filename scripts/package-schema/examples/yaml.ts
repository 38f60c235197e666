import { Document } from "yaml";
import { type Example, type ExampleResource, isFile, isList, isObject, isReference, type Value } from "./example";

export function yamlText({ resources }: Example): string {
  const keys = keysOf(resources);
  const declared = resources.map(({ type, name, properties }, index) => {
    const key = keys[index] ?? name;
    const renamed = key === name ? {} : { name };
    return [key, { type: `docs:${type}`, ...renamed, properties: plain({ object: properties }) }];
  });
  const document = new Document({ resources: Object.fromEntries(declared) });
  return document.toString({ lineWidth: 0 }).trimEnd();
}

/**
 * Every resource has a key of its own: the variable by which others refer to it, otherwise the name. A taken key gets a suffix;
 * no example gives a variable that an earlier resource has as its name.
 */
function keysOf(resources: readonly ExampleResource[]): string[] {
  const taken = new Set<string>();
  return resources.map(({ type, name, variable = name }) => {
    const key = taken.has(variable)
      ? `${variable}${type.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
      : variable;
    taken.add(key);
    return key;
  });
}

function plain(value: Value): unknown {
  if (typeof value !== "object") return value;
  if (isReference(value)) return `\${${value.variable}.${value.property}}`;
  if (isFile(value)) return { "fn::readFile": `./${value.file}` };
  if (isList(value)) return value.map(plain);
  if (isObject(value)) return Object.fromEntries(Object.entries(value.object).map(([key, one]) => [key, plain(one)]));
  return undefined;
}

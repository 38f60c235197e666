import { z } from "zod";
import { type AnyDefinition, idOutput } from "../lifecycle/definition";
import type { Properties } from "../run/properties";

/** Mocked outputs of a resource: its id, an address with that id, and otherwise the emptiest possible values. */
export function outputsOfMock({ name, outputs, mocked }: AnyDefinition, id: string, inputs: Properties): Properties {
  const filled: Properties = { [idOutput(name)]: id, createdAt, ...mocked?.(id, inputs) };
  const all = Object.entries(outputs.shape).flatMap(([output, schema]) => {
    if (output in filled) return [[output, filled[output]]];
    return schema instanceof z.ZodOptional ? [] : [[output, emptyOf(schema as z.ZodType)]];
  });
  return Object.fromEntries(all);
}

const createdAt = "2026-01-01T00:00:00.000Z";

function emptyOf(schema: z.ZodType): unknown {
  const { def } = (schema as unknown as z.core.$ZodTypes)._zod;
  if (def.type === "string") return "format" in def && def.format === "datetime" ? createdAt : "mocked";
  if (def.type === "number") return 0;
  if (def.type === "boolean") return false;
  if (def.type === "array") return [];
  if (def.type === "record") return {};
  if (def.type === "literal") return def.values[0];
  if (def.type === "enum") return Object.values(def.entries)[0];
  if (def.type === "union") return emptyOf(def.options[0] as z.ZodType);
  if (def.type !== "object") return null;
  const required = Object.entries(def.shape).filter(([, inner]) => !(inner instanceof z.ZodOptional));
  return Object.fromEntries(required.map(([key, inner]) => [key, emptyOf(inner as z.ZodType)]));
}

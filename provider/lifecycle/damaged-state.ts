import { z } from "zod";
import { enumerated } from "../access/bulk";
import { DocsError } from "../api/http/errors";
import { tolerant } from "../api/schema/tolerant";
import { containsUnknown, type Properties } from "../run/properties";
import type { AnyDefinition } from "./definition";

/**
 * Refuses a state whose properties do not have the types that every release has written: somebody has edited it, or it is
 * damaged. Its other properties may be wrong as well, so nothing is sent. Values are not checked, because a service may have new ones.
 */
export function refuseDamaged({ name, inputs, outputs }: AnyDefinition, state: Properties): Properties {
  const wrong = [
    ...Object.entries(inputs.shape).filter(([key, schema]) => !fits(schema as z.ZodType, state[key])),
    // States of older versions, and of creations that failed, do not have all outputs.
    ...Object.entries(outputs.shape).filter(([key, schema]) => key in state && !fits(schema as z.ZodType, state[key])),
  ].map(([key]) => key);
  if (wrong.length === 0) return state;
  throw new DocsError(
    `${name}: ${enumerated([...new Set(wrong)])} of its state ${wrong.length === 1 ? "is" : "are"} missing or of a wrong type, so the state was edited by hand or is damaged: ` +
      "nothing is changed; restore an earlier state with pulumi stack import, or remove the resource from the state with pulumi state delete and import it again",
  );
}

function fits(schema: z.ZodType, value: unknown): boolean {
  if (containsUnknown(value)) return true;
  if (value === undefined || value === null) {
    const accepts =
      schema.safeParse(undefined).success || schema instanceof z.ZodOptional || schema instanceof z.ZodDefault;
    return accepts || (value === null && schema.safeParse(null).success);
  }
  return tolerant(schema).safeParse(value).success;
}

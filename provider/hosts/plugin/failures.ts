import { z } from "zod";
import type { Failure } from "../../run/properties";

/**
 * The engine shows the value of the property that a failure names. A failure of a property whose value must not be shown names
 * it in its reason instead.
 */
export function withoutConcealedValues(
  { shape }: z.ZodObject,
  failures: readonly Failure[],
  secrets: ReadonlySet<string> = new Set(),
): Failure[] {
  return failures.map(({ property, reason }) => {
    const [name = ""] = /^\w+/.exec(property) ?? [];
    const isHidden = secrets.has(name) || isConcealed(shape[name]);
    return isHidden ? { property: "", reason: `${property}: ${reason}` } : { property, reason };
  });
}

function isConcealed(schema: z.core.$ZodType | undefined): boolean {
  if (schema instanceof z.ZodOptional) return isConcealed(schema.unwrap());
  return schema instanceof z.ZodType && schema.meta()?.concealed === true;
}

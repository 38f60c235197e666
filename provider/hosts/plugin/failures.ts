import { z } from "zod";
import type { Failure } from "../../run/properties";
import { noSecrets, type Secrets, withoutSecrets } from "./secrets";

/**
 * The engine shows the value of the property that a failure names. A failure of a property whose value must not be shown names
 * it in its reason instead.
 */
export function withoutConcealedValues(
  { shape }: z.ZodObject,
  failures: readonly Failure[],
  secrets: Secrets = noSecrets,
): Failure[] {
  return failures.map(({ property, reason: text }) => {
    const [name = ""] = /^\w+/.exec(property) ?? [];
    const reason = withoutSecrets(text, secrets);
    const isHidden = secrets.names.has(name) || isConcealed(shape[name]);
    return isHidden ? { property: "", reason: `${property}: ${reason}` } : { property, reason };
  });
}

function isConcealed(schema: z.core.$ZodType | undefined): boolean {
  if (schema instanceof z.ZodOptional) return isConcealed(schema.unwrap());
  return schema instanceof z.ZodType && schema.meta()?.concealed === true;
}

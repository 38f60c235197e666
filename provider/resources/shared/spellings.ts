import type { z } from "zod";
import { userKey } from "../../people/user";

/** Refuses a map whose keys name one person twice: `Writer@acme.test` and `writer@acme.test`. */
export function refuseSpellings(map: object, name: string, context: z.RefinementCtx): void {
  const spellings = new Map<string, string>();
  for (const user of Object.keys(map)) {
    const other = spellings.get(userKey(user));
    if (other !== undefined) {
      context.addIssue({
        code: "custom",
        path: [name, user],
        message: `use one of ${other} and ${user}: both are one person`,
      });
    }
    spellings.set(userKey(user), user);
  }
}

import { z } from "zod";
import { givenId } from "../../api/groups/shared";
import { patternMistake } from "../../people/patterns";
import { userKey } from "../../people/user";
import type { Properties } from "../../run/properties";

/** The declared organization. The output `organizationId` has the live one. */
export const organizationId = givenId
  .describe(
    "Id of the organization. By default, the one from the settings (DOCS_ORGANIZATION_ID or docs:organizationId), which the resource then keeps. Changing the declaration replaces the resource.",
  )
  .meta({ replacesUnlessLive: "organizationId" });

export const allowReplace = z
  .boolean()
  .describe("Allow replacement and accept the losses listed in the error.")
  .meta({ option: true });

export const allowDuplicate = z
  .boolean()
  .describe(
    "Allow the creation of a duplicate. Otherwise, a creation is refused if the service has the same object already and this stack does not manage it, or records it under a name that the program no longer declares.",
  )
  .meta({ option: true });

/**
 * A declared name with a blank or an invisible character would match nobody, and the person would be removed. Besides
 * control and format characters (`C`), the default-ignorable characters of Unicode (`DI`) are invisible, such as U+3164.
 */
export const userName = z
  .string()
  .regex(
    /^(?:[^\s\p{C}\p{DI}@*?<>,;]{1,100}|[^\s\p{C}\p{DI}@*?<>,;]{1,200}@[^\s\p{C}\p{DI}@*?<>,;]{1,200})$/u,
    "use a user id or an e-mail of one person, without spaces and wildcards",
  )
  .describe("User id, or e-mail in any case.");

/** A user id, or a glob on e-mails. */
export const userPattern = z
  .string()
  .min(1)
  .superRefine((pattern, context) => {
    const mistake = patternMistake(pattern);
    if (mistake !== undefined) context.addIssue({ code: "custom", message: mistake });
  });

/** The excluded characters would break the id of a membership, or a URN. */
export const teamId = z
  .string()
  .regex(
    /^[^\s\p{C}\p{DI}:/]{1,100}$/u,
    "use the id of a team: at most 100 characters without spaces, colons and slashes",
  )
  .describe("Id of the team. The API cannot create teams: create them in the app.");

/** Lists the texts among these properties with their names: `title "Handbook"`. */
export function identitiesIn(properties: Properties, names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const value = properties[name];
    return typeof value === "string" && value !== "" ? [`${name} ${JSON.stringify(value)}`] : [];
  });
}

/** Refuses a map whose keys name one person twice: `Writer@acme.test` and `writer@acme.test`. */
export function refuseRepeatedUsers(byUser: object, property: string, context: z.RefinementCtx): void {
  const spellings = new Map<string, string>();
  for (const user of Object.keys(byUser)) {
    const other = spellings.get(userKey(user));
    spellings.set(userKey(user), user);
    if (other === undefined) continue;
    const message = `use one of ${other} and ${user}: both are one person`;
    context.addIssue({ code: "custom", path: [property, user], message });
  }
}

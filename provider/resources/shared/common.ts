import { z } from "zod";
import { patternMistake } from "../../access/glob";
import { identifier } from "../../api/groups/shared";
import type { Context } from "../../run/context";
import type { Properties } from "../../run/properties";

/** What several resources have: inputs, and the beginning of every path. */

export const organizationId = identifier
  .describe(
    "Id of the organization; left out, it is the one of the settings (DOCS_ORGANIZATION_ID or docs:organizationId) and stays with the resource. Changing the declaration replaces the resource.",
  )
  .meta({ replaces: "organizationId" });

export const allowReplace = z
  .boolean()
  .describe("Allows a change that replaces the resource, with the loss that the refusal names.")
  .meta({ option: true });

export const allowTwin = z
  .boolean()
  .describe(
    "Allows the creation although something that looks the same was made within the last hour and is not managed by this stack, or is recorded in this stack under a name that leaves the program.",
  )
  .meta({ option: true });

/**
 * A blank or an invisible character would make a stranger of somebody, who is then removed. Beside control and format
 * characters (`C`) these are the ones that Unicode calls default-ignorable (`DI`), such as the letter U+3164.
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

/** What is left out here would break the id of a membership, or a URN. */
export const teamId = z
  .string()
  .regex(
    /^[^\s\p{C}\p{DI}:/]{1,100}$/u,
    "use the id of a team: at most 100 characters without spaces, colons and slashes",
  )
  .describe("Id of the team. The API can not make teams: they are made in the app.");

/** The texts among these properties, in words: `title "Handbook"`. */
export function identitiesIn(properties: Properties, names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const value = properties[name];
    return typeof value === "string" ? [`${name} ${JSON.stringify(value)}`] : [];
  });
}

/** The parameter of the path that every call of the organization has. */
export const organization = ({ organizationId }: Context) => ({ organizationId });

import { z } from "zod";
import { identifier } from "../../api/groups/shared";
import { withoutPassword } from "../../text/masking";
import { guardSettings } from "../guards/guards";
import { sectionList, sections } from ".";
import { joinedShape } from "./parts";

/** The schema of the organization, as a file or as an object in a program. Properties of resources come from their definitions. */

/** The address of a backend, for a file that is committed. */
export const backendUrl = z
  .string()
  .max(500)
  .regex(/^[a-z][a-z0-9+.-]*:\/\/\S+$/, "use the URL of a backend, such as s3://BUCKET or postgres://HOST/DATABASE")
  .refine((url) => withoutPassword(url) === url, {
    error: "it has a password, and this file is committed; remove the password, and set a variable such as PGPASSWORD",
  })
  .refine((url) => !url.includes("${"), {
    error: "it has a variable; use one address for all organizations, because a backend keeps a project of each",
  })
  .describe(
    "Backend that keeps the state of the commands, for every clone of the file. `docs-org state move` writes it. A program ignores it.",
  )
  .meta({ concealed: true });

export const organizationFile = z.strictObject({
  organization: identifier.describe(
    `Id of the organization. \`\${DOCS_ORGANIZATION_ID}\` takes it from this environment variable, so that one file can be for several organizations.`,
  ),
  backend: backendUrl.optional(),
  guards: guardSettings
    .describe("Guards: limits that no change may violate, checked at preview and again at up.")
    .optional(),
  ...joinedShape(Object.values(sections).map(({ shape }) => shape)),
});

/** Whether `!include` may be used at the path: for a whole section, and for the people of a team. */
export function isIncludable(path: readonly PropertyKey[]): boolean {
  const [name, , inside] = path;
  const section = sectionList.find((one) => one.name === name);
  if (section === undefined || path.length === 1) return section !== undefined;
  return path.length === 3 && section.includable?.includes(String(inside)) === true;
}

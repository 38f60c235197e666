import { z } from "zod";
import { identifier } from "../../api/groups/shared";
import { guardSettings } from "../guards/guards";
import { sectionList, sections } from ".";
import { joinedShape } from "./parts";

/** The organization as one reviewed file, or as the same object in a program. What resources have, they describe. */

export const organizationFile = z.strictObject({
  organization: identifier.describe("Id of the organization."),
  guards: guardSettings.describe("What no change may do; checked at preview and again at up.").optional(),
  ...joinedShape(Object.values(sections).map(({ shape }) => shape)),
});

/** Where `!include` may stand: for a whole section, and for the people of a team. */
export function isIncludable(path: readonly PropertyKey[]): boolean {
  const [name, , inside] = path;
  const section = sectionList.find((one) => one.name === name);
  return (
    section !== undefined &&
    (path.length === 1 || (path.length === 3 && !!section.includable?.includes(String(inside))))
  );
}

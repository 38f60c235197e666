import { mistakesIn } from "../../text/mistakes";
import { guards } from "../guards/guards";
import { sectionList } from ".";
import { type Finding, fieldsIn } from "./checks";
import { organizationFile } from "./schema";

/**
 * Finds all mistakes in an organization at the given time. If only a part of the file could be read, missing values are not
 * reported: they may be in the other part.
 */
export function findingsIn(organization: unknown, now: Date, partial: boolean): Finding[] {
  const file = fieldsIn(organization);
  const wrong = [
    ...mistakesIn(organizationFile, organization),
    ...sectionList.flatMap((one) => one.findMistakes(file)),
  ];
  if (partial) return wrong;
  const refused = guards.flatMap((guard) => guard.findMissing?.(file, now) ?? []);
  return [...wrong, ...refused, ...sectionList.flatMap((one) => one.findMissing?.(file) ?? [])];
}

import { mistakesIn } from "../../text/mistakes";
import { guards } from "../guards/guards";
import { sectionList } from ".";
import { type Finding, fieldsIn } from "./checks";
import { organizationFile } from "./schema";

/**
 * Everything that is wrong with an organization at that time. If only a part of it could be read, nothing is said about what
 * may be in the other.
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

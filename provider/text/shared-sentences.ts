import { withMark } from "./foreign";
import { visible } from "./visible";

/** Stands at the end of an error that fails many resources, in all but the first one, which explains it. */
export const explainedElsewhere = "(the error of another resource says what to do)";

/** Begins the warning about losses of people who become managed. A review leaves it out, and lists each loss beside the person. */
export const lossesOfNewPeople = "people who become managed by this stack lose access";

/** Begins the warning about a certificate of a SAML provider. A review leaves it out, and lists the change as a risk. */
export const certificateChange = "a change of the certificate";

/** Begins the warning about administrators that the file does not declare. A review leaves it out, and lists a risk. */
export const undeclaredAdministrators = "administrators that no line declares";

/** Follows the people who have left and are declared; the component of an organization says it before a review does. */
export const leftOrganization = (lines: number): string =>
  `left the organization; ${lines === 1 ? "the line" : "the lines"} can go`;

/** The refusal by `others` (of a file, or of a resource) of members that nothing declares, with the lines to write. */
export const refusalOfOthers = (people: readonly (readonly [name: string, role: string])[], property: string): string =>
  `refuses members whose role is not declared; add a line for each to ${property}, or name the person in others.ignore:\n${people.map(([name, role]) => `  ${withMark(name)}: ${visible(role)}`).join("\n")}`;

/** The first line of a refusal to create what exists. The review of a refused preview begins with it. */
export const firstLineOfExisting = /^[^\n]*\balready exists?[^\n]*(?=:\n)/;

/** Instead of the day on which somebody was last seen. */
export const notSeen = "not known";

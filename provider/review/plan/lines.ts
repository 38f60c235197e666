import type { Plan, PlannedAccess, PlannedResource } from "../../access/plan-file";
import { protections, unplannedProperties } from "../../access/planned-changes";
import { nothing, unknown } from "../../access-plan/place";
import { idAmong, isEmail, withoutAnonymousMark } from "../../people/user";
import { isComponentAt, resourceAt } from "../../resources/urns";
import { plain } from "../../text/safe-text";
import { inert, visible } from "../../text/visible";
import { ofSettings } from "../model/declarations";
import { levelWords, placeWords } from "../model/sentences";

/** The changes of a plan in lines, for lists on a terminal. */

export const printable = (line: string): string => inert(visible(line, 500));

const titles: Partial<Record<PlannedAccess["change"], string>> = { gains: "gain", loses: "loss" };

/** The place has its organization if the plan is about several. */
export const lineOfAccess =
  ({ organizations }: Pick<Plan, "organizations">) =>
  (one: PlannedAccess): string =>
    `${(titles[one.change] ?? "change").padEnd(10)}${whoOf(one)}: ${outcomeOf(one, organizations)}`;

function whoOf({ user: { keys } }: PlannedAccess): string {
  const subject = keys.find(isEmail) ?? idAmong(keys) ?? keys[0] ?? "";
  const others = keys.filter((key) => key !== subject);
  return others.length > 0 ? `${subject} (${others.join(", ")})` : withoutAnonymousMark(subject);
}

function outcomeOf(one: PlannedAccess, organizations: readonly string[]): string {
  const { place, before, after, change, end = "", options } = one;
  const where = placeWords(place, { organizations, teams: {} });
  const isBeforeShown = ![unknown, nothing, after].includes(before);
  const from = isBeforeShown ? [...levelWords(before, place.kind), " → "] : [];
  const level = plain([...where, " ", ...from, ...levelWords(after, place.kind)]);
  if (change === "left") return `${level}, no longer managed`;
  if (change === "accepted") return `${level}, as it was changed by hand`;
  if (change === "end") return `${plain(where)}: granted ${end}`;
  if (change !== "options") return `${level} ${end}`.trimEnd();
  return `${plain(where)}: ${options === "{}" ? "declared without release options" : `declared with ${options}`}`;
}

/** The operation, and each property that differs. */
export function linesOfResource(one: PlannedResource): string[] {
  const texts = one.changed.map((name) => propertyText(name, one));
  return [...(isListed(one) ? [operationText(one)] : []), ...texts].map((text) => lineOf(one, text));
}

/** The lines that the same resource in a reviewed plan does not have. The rest of a creation that was interrupted counts as reviewed. */
export function unreviewedLines(one: PlannedResource, reviewed: PlannedResource): string[] {
  // A protection may be added without another review.
  const isAdded = (name: string) => protections.includes(name) && reviewed.properties[name] === undefined;
  const names = unplannedProperties(reviewed, one, isAdded);
  const isReviewed = hasOperation(reviewed, one) || (completes(one, reviewed) && names.length === 0);
  const texts = names.map((name) => comparedText(name, one, reviewed));
  return [...(isListed(one) && !isReviewed ? [operationText(one)] : []), ...texts].map((text) => lineOf(one, text));
}

/** The parts of a resource that cannot be compared. `listsPeople`: hidden people have lines of their own. */
export function hiddenLines(one: PlannedResource, listsPeople: boolean): string[] {
  if (one.unseen && one.hidden.length === 0)
    return [printable(lineOf(one, `${one.operation}, and the preview does not show of what`))];
  const hidden = one.hidden.filter((name) => !(listsPeople && propertiesOfPeople.includes(name)));
  return hidden.map((name) => {
    const line = lineOf(one, propertyText(name, one));
    // The text for an organization that only settings name has the reason already.
    return line.includes(ofSettings) ? printable(line) : withReason(line);
  });
}

/** Adds the reason why a line cannot be compared, after a long line was cut. */
export const withReason = (line: string): string => `${printable(line)} (secret, or known only during the up)`;

/** Properties with people. If hidden people have lines of their own, these properties need none. */
const propertiesOfPeople = ["user", "role", "roles", "members"];

const lineOf = ({ type, name }: PlannedResource, text: string): string => `resource  ${type} ${name}: ${text}`;

/** Whether the operation has a line. The notes of a component, and an update that changes only people, are listed with the people. */
function isListed({ urn, operation, changed, unseen }: PlannedResource): boolean {
  if (isComponentAt(urn)) return false;
  return operation !== "update" || changed.length > 0 || unseen === true;
}

const operationText = ({ operation, retained }: PlannedResource): string =>
  retained ? `${operation}, and the old one stays (${retained})` : operation;

const propertyText = (name: string, { properties }: PlannedResource): string =>
  `${name}: ${properties[name] ?? "no longer declared"}`;

function comparedText(name: string, one: PlannedResource, reviewed: PlannedResource): string {
  const before = reviewed.properties[name];
  const isShown = before !== undefined && before !== one.properties[name] && !reviewed.hidden.includes(name);
  return isShown ? `${propertyText(name, one)} (${before} was reviewed)` : propertyText(name, one);
}

const hasOperation = (reviewed: PlannedResource, one: PlannedResource): boolean =>
  isListed(reviewed) && reviewed.id === one.id && operationText(reviewed) === operationText(one);

/** Whether the change can be the rest of a reviewed creation that was interrupted. The caller compares what both declare. */
const completes = ({ urn, operation, hidden }: PlannedResource, reviewed: PlannedResource): boolean =>
  resourceAt(urn) !== undefined && reviewed.operation === "create" && operation === "update" && hidden.length === 0;

import type { Plan, PlannedAccess, PlannedResource } from "../../access/plan-file";
import { protections, unplannedProperties } from "../../access/planned-changes";
import { idAmong } from "../../people/user";
import { resourceAt } from "../../resources/urns";
import { plain } from "../../text/safe-text";
import { inert, visible } from "../../text/visible";
import { ofSettings, organizationKey } from "../model/declarations";
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
  const subject = idAmong(keys) ?? keys[0] ?? "";
  const others = keys.filter((key) => key !== subject);
  // Without the mark of a hidden person.
  return others.length > 0 ? `${subject} (${others.join(", ")})` : subject.replace(/^\?/, "");
}

function outcomeOf(one: PlannedAccess, organizations: readonly string[]): string {
  const { place, after, change, end = "", options = "{}" } = one;
  const where = placeWords(place, { organizations, teams: {} });
  const level = plain([...where, " ", ...levelWords(after, place.kind)]);
  if (change === "left") return `${level}, no longer managed`;
  if (change === "accepted") return `${level}, as it was changed by hand`;
  if (change === "end") return `${plain(where)}: granted ${end}`;
  if (change !== "options") return `${level} ${end}`.trimEnd();
  return `${plain(where)}: ${options === "{}" ? "declared without release options" : `declared with ${options}`}`;
}

/**
 * The operation, and each property that differs. With the same resource in a reviewed plan, only what that one does not have: if a
 * part of the change was already made outside Pulumi, the rest still counts as reviewed.
 */
export function linesOfResource(one: PlannedResource, reviewed?: PlannedResource): string[] {
  // A protection may be added without another review.
  const isAdded = (name: string) => protections.includes(name) && reviewed?.properties[name] === undefined;
  const names = reviewed ? unplannedProperties(reviewed, one, isAdded) : one.changed;
  const isReviewed = reviewed && (hasOperation(reviewed, one) || (completes(one, reviewed) && names.length === 0));
  const texts = names.map((name) => propertyText(name, one, reviewed));
  return [...(isListed(one) && !isReviewed ? [operationText(one)] : []), ...texts].map((text) => lineOf(one, text));
}

/** What of a resource cannot be compared. Hidden people may be listed by themselves. */
export function hiddenLines(one: PlannedResource, listsPeople: boolean): string[] {
  if (one.unseen && one.hidden.length === 0)
    return [printable(lineOf(one, `${one.operation}, and the preview does not show of what`))];
  const hidden = one.hidden.filter((name) => !(listsPeople && ofPeople.includes(name)));
  return hidden.map((name) => {
    const text = propertyText(name, one);
    const saysWhy = name === organizationKey && text.includes(ofSettings);
    return saysWhy ? printable(lineOf(one, text)) : withReason(lineOf(one, text));
  });
}

/** Why a line cannot be compared; the length of the line does not cut it off. */
export const withReason = (line: string): string => `${printable(line)} (secret, or known only during the up)`;

/** Properties of access resources that are listed with the people, unless they are hidden. */
const ofPeople = ["user", "role", "roles", "members"];

const lineOf = ({ type, name }: PlannedResource, text: string): string => `resource  ${type} ${name}: ${text}`;

/** An update of people is listed with them, and the notes of a component are as well. */
function isListed({ urn, operation, changed, unseen }: PlannedResource): boolean {
  const isComponent = resourceAt(urn) === undefined && urn.includes("docs:index:");
  return !isComponent && (operation !== "update" || changed.length > 0 || unseen === true);
}

const operationText = ({ operation, retained }: PlannedResource): string =>
  retained ? `${operation}, and the old one stays (${retained})` : operation;

function propertyText(name: string, { properties }: PlannedResource, reviewed?: PlannedResource): string {
  const [before, now] = [reviewed?.properties[name], properties[name]];
  const isShown = before !== undefined && before !== now && !reviewed?.hidden.includes(name);
  return `${name}: ${now ?? "no longer declared"}${isShown ? ` (${before} was reviewed)` : ""}`;
}

const hasOperation = (reviewed: PlannedResource, one: PlannedResource): boolean =>
  isListed(reviewed) && reviewed.id === one.id && operationText(reviewed) === operationText(one);

/** Whether the change is the rest of a reviewed creation that was interrupted, if it declares exactly the same. */
const completes = ({ urn, operation, hidden }: PlannedResource, reviewed: PlannedResource): boolean =>
  resourceAt(urn) !== undefined && reviewed.operation === "create" && operation === "update" && hidden.length === 0;

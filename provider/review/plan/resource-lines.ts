import type { PlannedResource } from "../../access/plan-file";
import { resourceAt } from "../../resources/urns";
import { organizationKey } from "../model/declarations";

export function differencesOf(reviewed: readonly PlannedResource[], fresh: readonly PlannedResource[]) {
  const [before, now] = [byUrn(reviewed), byUrn(fresh)];
  return {
    unreviewed: fresh.flatMap((one) => unreviewedIn(one, before.get(one.urn))),
    missing: reviewed.flatMap((one) => {
      const later = now.get(one.urn);
      const told = later ? redeclared(one, later).map(([name]) => name) : [];
      return pointsOf(one)
        .filter(({ text, name }) => !told.includes(name ?? "") && !has(later, text, one))
        .map(({ text }) => lineOf(one, text));
    }),
  };
}

export const linesOfResource = (one: PlannedResource): string[] => pointsOf(one).map(({ text }) => lineOf(one, text));

/** What of a resource cannot be compared. Hidden people may be listed by themselves. */
export function hiddenLines(one: PlannedResource, listsPeople: boolean): string[] {
  const hidden = one.hidden.filter((name) => !(listsPeople && ofPeople.includes(name)));
  const points = one.unseen && one.hidden.length === 0 ? [one.operation] : hidden;
  return points.map((point) => lineOf(one, point));
}

/** Changing resources whose organization is unknown in one of the plans. */
export function ofUnknownOrganization(
  reviewed: readonly PlannedResource[],
  fresh: readonly PlannedResource[],
): string[] {
  const before = byUrn(reviewed);
  const isUnknown = ({ properties }: PlannedResource) => properties[organizationKey] === undefined;
  const found = fresh.filter((one) => {
    const known = before.get(one.urn);
    return (
      known &&
      resourceAt(one.urn) &&
      [known, one].every((each) => each.operation !== "delete") &&
      [known, one].some(isUnknown)
    );
  });
  return found.map(({ type, name }) => `${type} ${name}`);
}

const byUrn = (all: readonly PlannedResource[]) => new Map(all.map((one) => [one.urn, one]));

const lineOf = ({ type, name }: PlannedResource, text: string): string => `resource  ${type} ${name}: ${text}`;

interface Point {
  readonly text: string;
  /** The property that it is about. */
  readonly name?: string;
}

/**
 * The operation, and each property that differs: if a part of the change was already made outside Pulumi, the rest still counts
 * as reviewed. An update of people has no points: they are listed by themselves, as are the notes of a component.
 */
function pointsOf(one: PlannedResource): Point[] {
  const { operation, retained, changed, unseen } = one;
  const isComponent = resourceAt(one.urn) === undefined && one.urn.includes("docs:index:");
  const isListed = !isComponent && (operation !== "update" || changed.length > 0 || unseen);
  const what = retained ? `${operation}, and the old one stays (${retained})` : operation;
  return [...(isListed ? [{ text: what }] : []), ...changed.map((name) => ({ name, text: propertyText(one, name) }))];
}

const propertyText = ({ properties }: PlannedResource, name: string): string =>
  `${name}: ${properties[name] ?? "no longer declared"}`;

/** Whether a plan has the point for the same object. */
function has(known: PlannedResource | undefined, text: string, { id, hidden }: PlannedResource): boolean {
  if (!known || known.id !== id) return false;
  const name = text.split(": ", 1)[0] ?? "";
  return hidden.includes(name) === known.hidden.includes(name) && pointsOf(known).some((point) => point.text === text);
}

function unreviewedIn(one: PlannedResource, known: PlannedResource | undefined): string[] {
  if (known && completesCreation(one, known)) return [];
  const points = pointsOf(one).filter(({ text }) => !has(known, text, one));
  const told = points.map(({ name }) => name);
  const others = known ? redeclared(known, one).filter(([name]) => !told.includes(name)) : [];
  return [...points.map(({ text }) => text), ...others.map(([, text]) => text)].map((text) => lineOf(one, text));
}

/** Properties that may be added without another review: they only stop the engine from deleting something. */
const protections = ["protect", "retainOnDelete"];
/** Properties of access resources that are listed with the people, unless they are hidden. */
const ofPeople = ["user", "role", "roles", "members"];

/** The properties that a resource declares differently than at the review, each with a text. */
function redeclared(known: PlannedResource, one: PlannedResource): [name: string, text: string][] {
  if (one.operation === "delete") return [];
  const names = Object.keys(known.properties).filter((name) => isRedeclared(name, known, one));
  return names.map((name) => {
    const reviewed = known.hidden.includes(name) ? "" : ` (${known.properties[name]} was reviewed)`;
    return [name, propertyText(one, name) + reviewed];
  });
}

function isRedeclared(name: string, known: PlannedResource, one: PlannedResource): boolean {
  const [before, now] = [known.properties[name], one.properties[name]];
  if (now === undefined) return name !== organizationKey && !(known.hidden.includes(name) && ofPeople.includes(name));
  if ([known, one].some(({ hidden }) => hidden.includes(name)) || protections.includes(name)) return false;
  return before !== now;
}

/** Whether the change completes a reviewed creation that was interrupted: it declares exactly the same. */
function completesCreation(one: PlannedResource, known: PlannedResource): boolean {
  const isSame = JSON.stringify(one.properties) === JSON.stringify(known.properties);
  const isVisible = one.hidden.length + known.hidden.length === 0;
  return (
    resourceAt(one.urn) !== undefined &&
    known.operation === "create" &&
    one.operation === "update" &&
    isSame &&
    isVisible
  );
}

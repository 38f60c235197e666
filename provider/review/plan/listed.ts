import type { Entry } from "../../access/plan-file";
import { secret, unknown } from "../../access-plan/place";
import type { PropertyChange } from "../../lifecycle/review";
import { resourceAt } from "../../resources/urns";
import { unknownValue } from "../../run/properties";
import { organizationType, typesIn } from "../../run/urn";
import { type Access, isAccepted, isLeft } from "../model/access";
import { signInInputs } from "../model/definitions";
import { resourceIn } from "../model/preview";
import type { ResourceChange } from "../model/properties";
import type { Review } from "../model/review";

/** Whether the access has an entry in the plan. */
export const isListed = (one: Access): boolean => one.effect !== "none" || isLeft(one) || isAccepted(one);

/** Whether a part of the access is a secret or known only during the up. `person` is true if the person is hidden. */
export const isHidden = ({ after, place }: Access, person: boolean): boolean =>
  person || [after, place.team].some((level) => level === secret || level === unknown);

/**
 * Returns a function that says whether an unseen property has an entry: a hidden one, or one that identifies the value in
 * another way. Other unseen properties cannot be compared.
 */
export function isListedUnseen(review: Review, entries: readonly Entry[]): (urn: string, name: string) => boolean {
  const hidden = entries.filter((entry) => entry.hidden && entry.urn !== undefined);
  const changes = [...review.sites, ...review.translations, ...review.others];
  const newSites = changes.filter((change) => change.properties.some((one) => isOfNewSite(one, change)));
  const resources = resourcesOfHidden(review);
  return (urn, name) =>
    hidden.some((entry) => entry.urn === urn && isAbout(entry, name)) ||
    (name === "siteId" && newSites.some((change) => change.urn === urn)) ||
    (peopleProperties.includes(name) && resources.has(resourceIn(urn) ?? ""));
}

/** Whether a hidden entry is about the property. An entry of the operation covers all properties of the resource. */
function isAbout({ kind, what }: Entry, name: string): boolean {
  if (what.startsWith("first sign-in: ")) return signInInputs.includes(name);
  return what.startsWith(`${name}: `) || (kind === "resource" && !what.includes(": "));
}

/** Properties of access resources that the entries of people contain. */
const peopleProperties: readonly string[] = ["user", "role", "roles", "members", "teamId"];

/** The resources that declare access with an unseen part, by type and name. */
function resourcesOfHidden({ people }: Review): ReadonlySet<string> {
  const access = people.flatMap(({ access, hidden }) => access.filter((one) => isListed(one) && isHidden(one, hidden)));
  return new Set(access.flatMap(({ to }) => to));
}

/**
 * Whether the property is the id of a new site of the same component. Only the component is trusted to pass the id as it is: in
 * another program, an unknown value may be computed from any output of the site.
 */
export function isOfNewSite({ name, after, sources = [] }: PropertyChange, { urn }: ResourceChange): boolean {
  const [site = ""] = sources;
  const isSite = sources.length === 1 && isOfComponent(site) && resourceAt(site) === "Site";
  return isOfComponent(urn) && isSite && stackIn(site) === stackIn(urn) && name === "siteId" && after === unknownValue;
}

/** A resource of an organization's component at the top of a stack. */
const isOfComponent = (urn: string): boolean =>
  typesIn(urn).length === 2 && typesIn(urn)[0] === organizationType && resourceAt(urn) !== undefined;

const stackIn = (urn: string): string => urn.split("::").slice(0, 2).join("::");

import { secret, unknown } from "../../access/holding";
import type { Entry } from "../../access/plan-file";
import type { PropertyChange } from "../../lifecycle/review";
import { organizationType, resourceAt, typesIn } from "../../resources/urns";
import { unknownValue } from "../../run/properties";
import { type Access, isAccepted, isLeft } from "../model/access";
import { signInInputs } from "../model/definitions";
import { resourceIn } from "../model/preview";
import type { ResourceChange } from "../model/properties";
import type { Review } from "../model/review";

/** The access has an entry in the plan. */
export const isListed = (one: Access): boolean => one.effect !== "none" || isLeft(one) || isAccepted(one);

/** A part of the access is a secret or known only during the up; `person` tells whether the person is. */
export const isHidden = ({ after, place }: Access, person: boolean): boolean =>
  person || [after, place.team].some((level) => level === secret || level === unknown);

/**
 * Tells whether an unseen property has an entry: one that is hidden, or one that names the value in another way. Every other
 * one cannot be compared.
 */
export function listedUnseen(review: Review, entries: readonly Entry[]): (urn: string, name: string) => boolean {
  const hidden = entries.filter((entry) => entry.hidden && entry.urn !== undefined);
  const changes = [...review.sites, ...review.translations, ...review.others];
  const newSites = changes.filter((change) => change.properties.some((one) => isOfNewSite(one, change)));
  const resources = resourcesOfHidden(review);
  return (urn, name) =>
    hidden.some((entry) => entry.urn === urn && isAbout(entry, name)) ||
    (name === "siteId" && newSites.some((change) => change.urn === urn)) ||
    (peopleProperties.includes(name) && resources.has(resourceIn(urn) ?? ""));
}

/** An entry of the operation is hidden for everything that the resource declares. */
function isAbout({ kind, what }: Entry, name: string): boolean {
  if (what.startsWith("first sign-in: ")) return signInInputs.includes(name);
  return what.startsWith(`${name}: `) || (kind === "resource" && !what.includes(": "));
}

/** What of an access resource stands with the people. */
const peopleProperties: readonly string[] = ["user", "role", "roles", "members", "teamId"];

/** The resources that declare an access of which a part is unseen, as an access names them. */
function resourcesOfHidden({ people }: Review): ReadonlySet<string> {
  const access = people.flatMap(({ access, hidden }) => access.filter((one) => isListed(one) && isHidden(one, hidden)));
  return new Set(access.flatMap(({ to }) => to));
}

/**
 * The component gives a resource the id of the site that it has just declared. In a program, an unknown value may be made of
 * anything that the resource named as its source has.
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

import { keyOfPlace, type Place } from "../access-plan/place";
import { userKey } from "../people/user";

interface SitePlace {
  readonly kind: "site";
  readonly site: string;
  readonly organization: string;
}

export type SubjectPlace = Place | SitePlace;

/** What at most one resource manages: the access of a person in a place, or a part of a site. */
export interface Subject {
  readonly place: SubjectPlace;
  /** A user id or an e-mail, or the part. */
  readonly name: string;
}

export const sitePart = (organization: string, site: string, name: string): Subject => {
  return { place: { kind: "site", site, organization }, name };
};

export const keyOfSubjectPlace = (place: SubjectPlace): string =>
  place.kind === "site" ? `${place.organization} site ${place.site}` : keyOfPlace(place);

export const keyOfSubject = ({ place, name }: Subject): string => `${keyOfSubjectPlace(place)} ${userKey(name)}`;

export function describeSubject({ place, name }: Subject): string {
  if (place.kind === "site") return `the ${name} of site ${place.site}`;
  return place.team === undefined ? `the role of ${name}` : `the place of ${name} in team ${place.team}`;
}

import { userKey } from "../people/user";

/**
 * What at most one resource manages: the role of a person in the organization, a person's place in a team, or a part of a
 * site that exists once.
 */
export type Subject = RoleSubject | MembershipSubject | SitePartSubject;
interface RoleSubject {
  readonly kind: "role";
  readonly user: string;
}
interface MembershipSubject {
  readonly kind: "membership";
  readonly teamId: string;
  readonly user: string;
}
interface SitePartSubject {
  readonly kind: "site part";
  readonly siteId: string;
  readonly part: string;
}

/** A group of subjects: the roles of the organization, the memberships of one team, the parts of one site. */
export type Area = Omit<RoleSubject, "user"> | Omit<MembershipSubject, "user"> | Omit<SitePartSubject, "part">;
/** An area whose subjects are people. */
export type PeopleArea = Exclude<Area, { readonly kind: "site part" }>;

export const roleArea = { kind: "role" } as const;
export const teamArea = (teamId: string) => ({ kind: "membership", teamId }) as const;

/** The subjects of a resource that manages one person: by the declared name, and by the recorded id. */
export function subjectsOf(
  area: PeopleArea,
  { user, userId }: { readonly user: string; readonly userId?: string | null | undefined },
): Subject[] {
  return (userId ? [user, userId] : [user]).map((name) => ({ ...area, user: name }));
}

/** The name of a subject in its area; an e-mail in lower case. */
export const nameOfSubject = (subject: Subject): string => ("part" in subject ? subject.part : userKey(subject.user));

/** Names an area in an organization. */
export function keyOfArea(organizationId: string, area: Area): string {
  const within = area.kind === "membership" ? area.teamId : area.kind === "site part" ? area.siteId : "";
  return JSON.stringify([organizationId, area.kind, within]);
}

export const keyOfSubject = (organizationId: string, subject: Subject): string =>
  JSON.stringify([keyOfArea(organizationId, subject), nameOfSubject(subject)]);

/** Names a subject in a message. */
export function describeSubject(subject: Subject): string {
  if (subject.kind === "role") return `the role of ${subject.user}`;
  if (subject.kind === "membership") return `the place of ${subject.user} in team ${subject.teamId}`;
  return `the ${subject.part} of site ${subject.siteId}`;
}

/** Names an area in a message. */
export function describeArea(area: PeopleArea): string {
  return area.kind === "role" ? "the roles" : `team ${area.teamId}`;
}

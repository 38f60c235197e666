import type { LivePeople as AllPeople, ReadOptions, ShowProgress } from "../../access/discovery";
import type { AccessInput } from "../../access-plan/input";
import { spelledRole } from "../../access-plan/place";
import type { Context } from "../../run/context";
import type { Properties } from "../../run/properties";
import { PeopleNames } from "../drafts/people";
import { type LiveOf, type SectionName, type Sections, sectionList } from "../sections";
import type { Guarded, Section } from "../sections/section";

export type LiveOrganization = { readonly organizationId: string } & {
  readonly [Name in SectionName]: LiveOf<Sections[Name]>;
};

/** The live data of the sections that guards judge. */
export type GuardedLive = {
  readonly [Name in SectionName as Sections[Name]["live"] extends { readGuarded: unknown } ? Name : never]: LiveOf<
    Sections[Name]
  >;
};

/** Teams are read afterwards, with the help of these lists. */
type Lists = Omit<LiveOrganization, "teams">;

/** Reads the whole organization without changing it: in pages of 1,000, with about two requests for each team. */
export async function readOrganization(context: Context, options: ReadOptions = {}): Promise<LiveOrganization> {
  const { organizationId } = context;
  const listed = await readEach(({ live }) => live.list?.(context), options.progress);
  // The sections say the types, which `readEach` does not know.
  const lists = { organizationId, ...listed } as unknown as Lists;
  return { ...lists, ...(await readEach(({ live }) => live.readAfter?.(context, lists, options))) } as LiveOrganization;
}

export type OrganizationPeople = Pick<AllPeople, "members" | "teams"> & { readonly organizationId: string };

export async function readGuarded(context: Context, change: Guarded): Promise<GuardedLive> {
  return (await readEach(({ live }) => live.readGuarded?.(context, change))) as unknown as GuardedLive;
}

/** Waits for the readings of all sections, and reports how many are done. */
async function readEach(
  read: (section: Section) => Promise<unknown> | undefined,
  progress?: ShowProgress,
): Promise<Properties> {
  const reads = sectionList.flatMap((section) => {
    const reading = read(section);
    return reading === undefined ? [] : [reading.then((live) => [section.name, live] as const)];
  });
  let done = 0;
  await Promise.all(reads.map((one) => one.then(() => progress?.(++done, reads.length, "lists"))));
  return Object.fromEntries(await Promise.all(reads));
}

/** As `liveAccess`, without the e-mails that several members have: they do not say who is meant. */
export function unambiguousAccess({ organizationId, members, teams }: OrganizationPeople) {
  const access = liveAccess(organizationId, { members, teams });
  const names = new PeopleNames(members, []);
  const people = access.people.map((one) => (names.isShared(one.email ?? "") ? { ...one, email: undefined } : one));
  return { ...access, people };
}

/** Who has what in an organization that was read completely, as input of the access plan. */
export function liveAccess(
  organization: string,
  { members, teams }: Pick<GuardedLive, "members" | "teams">,
): Pick<AccessInput, "people" | "arePeopleComplete" | "places"> {
  const roles = members.map(({ user, role }) => [user.id, spelledRole(role)] as const);
  const marks = members.flatMap(({ user, sso }) => (sso ? [[user.id, "sso"] as const] : []));
  const inTeams = teams.map(({ id: team, people }) => {
    const levels = new Map(people.map(({ userId, role }) => [userId, role]));
    return { place: { kind: "team", team, organization } as const, levels, isComplete: true };
  });
  return {
    people: members.map(({ user: { id, email }, disabled }) => ({ userId: id, email, isDisabled: disabled })),
    arePeopleComplete: true,
    places: [
      { place: { kind: "role", organization }, levels: new Map(roles), isComplete: true },
      { place: { kind: "sso", organization }, levels: new Map(marks), isComplete: true },
      ...inTeams,
    ],
  };
}

import { enumerated } from "../../access/bulk";
import { howPeopleJoin } from "../../access/members";
import { isEmail } from "../../access/user";
import type { Member } from "../../api/groups/members";
import { isPublic } from "../../api/groups/sites";
import { replacing } from "../../lifecycle/diff";
import { site as siteDefinition } from "../../resources/site/site";
import { nearestUser } from "../../text/mistakes";
import { visible } from "../../text/visible";
import { counted } from "../../text/words";
import type { Path } from "../file/places";
import type { RecordedChild } from "../projection/recorded";
import { type Loss, nameOf, type Standing } from "../projection/roles";
import { childName } from "../sections/children";
import { declaredIn } from "../sections/grants";
import type { OrganizationFile } from "../sections/schema";
import type { Change, Outlook, Violation } from "./change";
import { otherPeople } from "./reviewed-people";
import { teamViolationsIn } from "./teams";

/** What the guards of an organization refuse, given what is live and what the stack has managed so far. */
export function violationsIn(change: Outlook): Violation[] {
  const { organization, recorded } = change;
  const elsewhere = [...otherOrganization(organization, recorded), ...otherName(change)];
  if (elsewhere.length > 0) return elsewhere;
  return [
    ...otherPeople(change),
    ...people(change),
    ...teamViolationsIn(change),
    ...administrators(change),
    ...removals(change),
    ...lastProvider(change),
    ...publicSites(change),
  ];
}

/** Everything would be given up in the one before, where nothing else here looks. */
function otherOrganization({ organization }: OrganizationFile, recorded: readonly RecordedChild[]): Violation[] {
  const roles = recorded.filter(({ resource }) => resource === "MemberRoles");
  const before = roles.map(({ outputs }) => outputs.organizationId).find((id) => id && id !== organization);
  if (before === undefined) return [];
  const text = `the stack manages organization "${before}" here, and "${organization}" would take its place: everybody in "${before}" would lose what was declared; keep "${before}", and use a stack or a component of its own for the other`;
  return [{ path: ["organization"], text }];
}

/** What was found at first would be lost with the resources that have it, and sites would be made anew. */
function otherName({ organization, former = [] }: Change): Violation[] {
  return former.map((urn) => ({
    path: ["organization"],
    text: `the stack manages "${organization.organization}" as ${urn.split("::").slice(3).join("::")} so far, which is not in the program any more: where it was renamed or moved, add the option aliases: [${JSON.stringify(urn)}] to it, so that nothing is lost`,
  }));
}

/** What would fail in the middle of an up: people whom nobody can give a role, and one person under two names. */
function people({ organization: { members = {}, teams = {} }, standing }: Outlook): Violation[] {
  const strangers = Object.keys(members)
    .filter((user) => !standing.member(user) && standing.isGranted(user))
    .map((user) => ({ path: ["members", user], text: strangerText(user, standing) }));
  const maps = [
    [["members"], members, undefined] as const,
    ...Object.entries(teams).map(([id, team]) => {
      const { property, people } = declaredIn(team);
      return [["teams", id, property], people, id] as const;
    }),
  ];
  const idOf = (user: string, teamId: string | undefined) => standing.member(user, teamId)?.user.id;
  return [...strangers, ...maps.flatMap(([path, map, teamId]) => namedTwice(path, map, (user) => idOf(user, teamId)))];
}

/** Whoever is meant loses the role where the line is removed, so that comes last. */
function strangerText(user: string, standing: Standing): string {
  const guess = nearestUser(user, isEmail(user) ? standing.emails() : standing.ids());
  const ways = [
    ...(guess === undefined ? [] : [`did you mean "${guess}"? Else`]),
    ...(standing.hidesEmails() && isEmail(user) ? ["use the user id of somebody who hides the e-mail, or"] : []),
    `remove the line: ${howPeopleJoin}`,
  ];
  return `${user} is not a member of the organization; ${ways.join(" ")}`;
}

function namedTwice(path: Path, map: object, idOf: (user: string) => string | undefined): Violation[] {
  const names = new Map<string, string>();
  return Object.keys(map).flatMap((user): Violation[] => {
    const id = idOf(user);
    const first = id === undefined ? undefined : names.get(id);
    if (id !== undefined) names.set(id, first ?? user);
    if (first === undefined) return [];
    return [{ path: [...path, user], text: `${user} is the same person as ${first}; keep one of them` }];
  });
}

function administrators({ organization: { guards = {} }, standing, elsewhere = [] }: Outlook): Violation[] {
  const { minAdmins = 0, requiredAdmins = [] } = guards;
  if (standing.locksEverybodyOut()) {
    const text = `nobody would be an administrator any more (${enumerated(standing.administratorsBefore().map(nameOf).sort())} until now); make somebody else an administrator first, who is a member already`;
    return [{ path: ["members"], text }];
  }
  // Another resource may take the role from them in this run.
  const isElsewhere = ({ user: { id } }: Member) => elsewhere.includes(id) && !standing.isGranted(id);
  const all = standing.administrators();
  const uncertain = all.filter(isElsewhere);
  const admins = all.filter((one) => !isElsewhere(one));
  // Who is disabled can not help anybody.
  const able = admins.filter(({ disabled }) => !disabled);
  const names = able.length === 0 ? "nobody" : enumerated(able.map(nameOf).sort());
  const some = able.length === admins.length ? "" : " who can sign in";
  const others =
    uncertain.length === 0 ? "" : ` (not counted: ${enumerated(uncertain.map(nameOf).sort())}, ${managedByOther})`;
  const few = `the organization would have ${counted(able.length, "administrator")}${some} (${names}) and needs ${minAdmins}${others}; make somebody else an administrator first, who is a member already`;
  const ids = new Set(admins.map(({ user }) => user.id));
  const missing = requiredAdmins.flatMap((user, index): Violation[] => {
    const member = standing.member(user);
    if (member && ids.has(member.user.id)) return [];
    const text = member
      ? uncertain.includes(member)
        ? `${user} may not be an administrator any more, ${managedByOther}`
        : `${user} would not be an administrator`
      : `${user} is not a member of the organization, and so no administrator; ${howPeopleJoin}`;
    return [{ path: ["guards", "requiredAdmins", index], text }];
  });
  return [...(able.length < minAdmins ? [{ path: ["guards", "minAdmins"], text: few }] : []), ...missing];
}

const managedByOther = "whose role another resource of this stack manages, so declare it in members instead";

function removals({ organization, standing, rosters }: Outlook): Violation[] {
  const { maxRemovals } = organization.guards ?? {};
  if (maxRemovals === undefined) return [];
  const people = byPerson([...standing.losses(), ...rosters.losses()]);
  const holders = new Set([...standing.withRoles(), ...rosters.people()]).size;
  const most = mostRemovals(maxRemovals, holders);
  if (people.size <= most) return [];
  const share = typeof maxRemovals === "string" ? `${maxRemovals} of ${counted(holders, "person", "people")} are` : "";
  const lines = [...people].map(([person, losses]) => `  ${person}: ${losses.join(", ")}`);
  return [
    {
      path: ["guards", "maxRemovals"],
      text:
        `${counted(people.size, "person", "people")} would lose a role or a membership, and ${share || "at most"} ${most}` +
        `${share ? " at most" : ""}; raise it in the same change if that is meant:\n${lines.join("\n")}`,
    },
  ];
}

/** A share is rounded down, and is at least 1. */
export function mostRemovals(maxRemovals: number | string, holders: number): number {
  if (typeof maxRemovals === "number") return maxRemovals;
  return Math.max(1, Math.floor((Number.parseInt(maxRemovals, 10) * holders) / 100));
}

function byPerson(losses: readonly Loss[]): Map<string, string[]> {
  const people = new Map<string, string[]>();
  for (const { person, what } of losses) people.set(person, [...(people.get(person) ?? []), what]);
  return people;
}

/** With the last provider that is active, nobody who signs in by single sign-on can do so: one that is new knows nobody yet. */
function lastProvider({ name, organization, live, recorded, standing }: Outlook): Violation[] {
  const staying = new Set(Object.keys(organization.saml ?? {}).map((key) => childName(name, key)));
  const leaving = recorded
    .filter(({ resource, name }) => resource === "SamlProvider" && !staying.has(name))
    .map(({ outputs }) => outputs.samlProviderId);
  const active = live.saml.filter(({ status }) => status === "active");
  const gone = active.filter(({ id }) => leaving.includes(id));
  if (gone.length === 0 || gone.length < active.length) return [];
  const people = live.members.filter((member) => standing.signsInBySso(member)).map(nameOf);
  if (people.length === 0) return [];
  const labels = gone.map(({ label }) => `"${visible(label)}"`).join(", ");
  return [
    {
      path: ["saml"],
      text: `${labels} would go, which is the last SAML provider that people can sign in with, and ${counted(people.length, "member")} would not be able to: ${enumerated(people)}; keep it, and let it go in a later change, once another one is active`,
    },
  ];
}

function publicSites({ name, organization, live, recorded }: Change): Violation[] {
  return Object.entries(organization.sites ?? {}).flatMap(([key, declared]): Violation[] => {
    const known = recorded.find((one) => one.resource === "Site" && one.name === childName(name, key));
    // Of another site in its place, only what is declared is known.
    const { type, spaces } = declared;
    const fixed = { ...(type !== undefined && { type }), ...(spaces !== undefined && { spaces }) };
    const stays = known && replacing(siteDefinition, known.outputs, fixed).length === 0;
    const site = stays ? live.sites.find(({ id }) => id === known.outputs.siteId) : undefined;
    // The API document does not say what a site is that was created without it; it may be public.
    const { visibility = site?.visibility ?? "public", published = site?.published ?? false } = declared;
    // Whoever opened it by hand has not declared it yet, and whoever closed it may have had a reason.
    const last = { ...site, ...(stays && known.outputs) };
    const before = isPublic(last) && site !== undefined && isPublic(site);
    if (visibility !== "public" || !published || before || declared.allowPublic) return [];
    const path = ["sites", key, ...(declared.visibility === undefined ? [] : ["visibility"])];
    const chosen =
      declared.visibility === undefined ? " (the service may choose that where visibility is left out)" : "";
    const text = `site "${declared.title ?? key}" would become public, for everybody to read and for search engines${chosen}; declare allowPublic: true if that is meant, or another visibility`;
    return [{ path, text }];
  });
}

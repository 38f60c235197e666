import { enumerated } from "../../access/bulk";
import { sameUser } from "../../access/user";
import type { RecordedChild } from "../projection/recorded";
import { declaredIn, memberGrant, teamGrant, teamRoleAt } from "../sections/grants";
import type { OrganizationFile } from "../sections/schema";
import type { Change, Outlook, Violation } from "./change";

/** What the guards of an organization refuse of its teams. */
export function teamViolationsIn(change: Outlook): Violation[] {
  return [...unknownTeams(change), ...rostersIn(change), ...otherSpellings(change), ...teamsThatLeave(change)];
}

/** Teams that are read and not there: another id would give somebody else's team its people. */
function unknownTeams({ organization, live, recorded, now }: Change): Violation[] {
  const known = new Set(live.teams.map(({ id }) => id));
  return teamsToRead(organization, recorded, now)
    .filter((id) => !known.has(id))
    .map((id) => ({
      path: ["teams", id],
      text: `organization ${organization.organization} has no team "${id}"; use the id of a team, as its address in the app shows it`,
    }));
}

/** What would fail in the middle of an up, or ask somebody back who has just been removed. */
function rostersIn({ organization: { teams = {} }, standing, rosters }: Outlook): Violation[] {
  return Object.entries(teams).flatMap(([id, team]): Violation[] => {
    const { property, people } = declaredIn(team);
    const others = rosters.undeclaredIn(id);
    const undeclared = `has people who are not declared: ${enumerated(others)}; declare them, name them in ignore, or declare removeExisting: true to remove them`;
    const owners = rosters.lastOwnersOf(id);
    const unowned = `would have no owner: ${enumerated(owners)} would go; declare another owner, or allowNoOwner: true`;
    const dropped = Object.keys(people).filter((user) => {
      const member = standing.member(user, id);
      return member && standing.isDropped(member);
    });
    return [
      ...(others.length > 0 ? [{ path: ["teams", id], text: undeclared }] : []),
      ...(owners.length > 0 ? [{ path: ["teams", id, "members"], text: unowned }] : []),
      ...dropped.map((user) => ({
        path: ["teams", id, property, user],
        text: `${user} is no longer in members and would be removed from the organization (onRemoval: remove); remove this line as well, or keep the other one`,
      })),
    ];
  });
}

/** Who is removed from the organization at the end of a grant leaves the teams with it, which is known by the name alone. */
function otherSpellings({ organization: { members = {}, teams = {} }, standing }: Outlook): Violation[] {
  const removed = Object.entries(members).filter(([, grant]) => memberGrant(grant).expires?.then === "remove");
  const names = new Map(
    removed.map(([user, grant]) => [standing.keyOf(user), { user, ...memberGrant(grant).expires }]),
  );
  return Object.entries(teams).flatMap(([id, team]) =>
    Object.entries(declaredIn(team).people).flatMap(([user, grant]): Violation[] => {
      const { user: name, on = "" } = names.get(standing.keyOf(user, id)) ?? {};
      const { expires } = teamGrant(grant);
      // Whose place in the team ends by then as well, leaves it by itself.
      const ends = expires !== undefined && (expires.then ?? "remove") === "remove" && expires.on <= on;
      if (name === undefined || sameUser(name, user) || ends) return [];
      const text = `${user} is the same person as ${name} in members, who is removed from the organization when that grant ends; write the person in the same way here`;
      return [{ path: ["teams", id, declaredIn(team).property, user], text }];
    }),
  );
}

/** What a deletion does is decided by what was declared until now: the file can not allow it any more. */
function teamsThatLeave({ organization, rosters }: Outlook): Violation[] {
  const single = rosters.membershipsThatLeaveNoOwner().map(({ id, team, owners }) => ({
    path: organization.teams?.[id] ? ["teams", id] : ["teams"],
    text: `team ${team} would have no owner: ${enumerated(owners)} would go; make somebody else an owner of the team first`,
  }));
  const whole = rosters.ownersThatLeave().map(({ team, owners }) => ({
    path: ["teams"],
    text: `team ${team} is not in the file any more, which takes out everybody whom it declared, and ${enumerated(owners)} would be the last owner to go; put it back with onDestroy: leave, run pulumi up and then take it out, which changes nothing for anybody, or with allowNoOwner: true, which removes them all`,
  }));
  return [...whole, ...single];
}

type TeamDeclared = NonNullable<OrganizationFile["teams"]>[string];

const hasOwner = (members: NonNullable<TeamDeclared["members"]>, now: Date): boolean =>
  Object.values(members).some((declared) => teamRoleAt(declared, now) === "owner");

/**
 * The declared teams that the guards need to know: all of them to count removals, or to compare titles; else those that the
 * stack has not managed yet, and those without an owner.
 */
export function teamsToRead(
  { guards, teams = {} }: OrganizationFile,
  recorded: readonly RecordedChild[],
  now: Date,
): string[] {
  const managed = new Set(
    recorded.flatMap(({ resource, outputs }) => (resource === "TeamMembers" ? outputs.teamId : [])),
  );
  const counts = guards?.maxRemovals !== undefined;
  const needed = ([id, { title, members, memberships }]: [string, TeamDeclared]) =>
    title !== undefined ||
    memberships !== undefined ||
    (members !== undefined && (counts || !managed.has(id) || !hasOwner(members, now)));
  return Object.entries(teams)
    .filter(needed)
    .map(([id]) => id);
}

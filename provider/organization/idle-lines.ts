import { momentWords, phaseOf, type Term } from "../access-plan/grants";
import type { Place } from "../access-plan/place";
import { userKey } from "../people/user";
import type { Path } from "./file/places";
import type { OrganizationFile } from "./file/types";
import { declaredTeammates, type MemberGrant, memberGrant, peopleRemovedBy, teamGrant } from "./sections/grants";

/** What the state has of people after a refresh. */
export interface RecordedNames {
  /** Whether the person has left the organization. */
  isAbsent(place: Place, key: string): boolean;
  /** The recorded level, if any resource manages the person in the place. */
  levelOf(place: Place, key: string): string | undefined;
}

type Grant = Term<string> & Pick<MemberGrant, "sso" | "allowRaise">;

export interface IdleLine {
  readonly path: Path;
  readonly reason: string;
  /** What the line becomes: the level that has followed the grant. Without it, the line goes. */
  readonly value?: string;
}

/**
 * The lines of people who have left, and of grants that an up has ended. Those of teams are first: without the line in `members`,
 * nothing says that the person was removed, and a line in a team would wait for somebody with the same e-mail.
 */
export function findIdleLines(file: OrganizationFile, now: Date, recorded: RecordedNames): IdleLine[] {
  const { organization, members = {}, teams = {}, others } = file;
  const removed = peopleRemovedBy(file, now);
  // Without the line, `others` would decide about the person who got the previous role back.
  const idleEnds = (others?.members ?? "keep") === "keep" ? ["remove", "restore"] : ["remove"];
  const findIdle = (path: Path, place: Place, user: string, grant: Grant): IdleLine[] => {
    const { expires } = grant;
    const key = userKey(user);
    if (recorded.isAbsent(place, key)) return [{ path, reason: "left the organization" }];
    const end = expires !== undefined && phaseOf(grant, now) === "ended" ? expires : undefined;
    const reason = `the grant ended ${momentWords(end?.on ?? "")}`;
    const level = recorded.levelOf(place, key);
    if (level !== undefined) return level === end?.then ? [{ path, reason, value: lineWith(level, grant) }] : [];
    if (end && idleEnds.includes(end.then)) return [{ path, reason }];
    return place.kind === "team" && removed.has(key) ? [{ path, reason: "the grant in members has ended" }] : [];
  };
  const idle: IdleLine[] = [];
  for (const [team, declared] of Object.entries(teams)) {
    const { property, people } = declaredTeammates(declared);
    const place = { kind: "team", team, organization } as const;
    for (const [user, one] of Object.entries(people))
      idle.push(...findIdle(["teams", team, property, user], place, user, teamGrant(one)));
  }
  for (const [user, declared] of Object.entries(members))
    idle.push(...findIdle(["members", user], { kind: "role", organization }, user, memberGrant(declared)));
  return idle;
}

/** A line without its grant. The mark of single sign-on and `allowRaise` hold for the level that follows, too. */
function lineWith(role: string, { sso, allowRaise }: Grant): string {
  const options = Object.entries({ sso, allowRaise }).filter(([, value]) => value !== undefined);
  return options.length === 0 ? role : `{ ${[["role", role], ...options].map((one) => one.join(": ")).join(", ")} }`;
}

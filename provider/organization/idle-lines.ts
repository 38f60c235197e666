import { momentWords, phaseOf, type Term } from "../access-plan/grants";
import type { Place } from "../access-plan/place";
import { userKey } from "../people/user";
import type { Path } from "./file/places";
import type { OrganizationFile } from "./file/types";
import { declaredPeople, memberGrant, peopleRemovedBy, teamGrant } from "./sections/grants";

/** What the state has of people after a refresh. */
export interface RecordedNames {
  /** Whether the person has left the organization. */
  isAbsent(place: Place, key: string): boolean;
  isRecorded(place: Place, key: string): boolean;
}

export interface IdleLine {
  readonly path: Path;
  readonly reason: string;
}

/** The lines of people who have left, and of grants that have ended and released the person already. */
export function findIdleLines(file: OrganizationFile, now: Date, recorded: RecordedNames): IdleLine[] {
  const { organization, members = {}, teams = {}, others } = file;
  const removed = peopleRemovedBy(file, now);
  const idle = (path: Path, place: Place, user: string, { expires }: Term): IdleLine[] => {
    const key = userKey(user);
    if (recorded.isAbsent(place, key)) return [{ path, reason: "left the organization" }];
    if (recorded.isRecorded(place, key)) return [];
    // Without the line, `others` would decide about the person who got the previous role back.
    const idleEnds = ["remove", ...((others?.members ?? "keep") === "keep" ? ["restore"] : [])];
    const hasEnded = expires && phaseOf({ expires }, now) === "ended" && idleEnds.includes(String(expires.then));
    if (hasEnded) return [{ path, reason: `the grant ended ${momentWords(expires.on)}` }];
    return place.kind === "team" && removed.has(key) ? [{ path, reason: "the grant in members has ended" }] : [];
  };
  return [
    ...Object.entries(members).flatMap(([user, declared]) =>
      idle(["members", user], { kind: "role", organization }, user, memberGrant(declared)),
    ),
    ...Object.entries(teams).flatMap(([team, declared]) => {
      const { property, people } = declaredPeople(declared);
      return Object.entries(people).flatMap(([user, one]) =>
        idle(["teams", team, property, user], { kind: "team", team, organization }, user, teamGrant(one)),
      );
    }),
  ];
}

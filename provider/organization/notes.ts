import type { Note, ReviewNotes, TeamNotes } from "../review/model/notes";
import type { OrganizationFile } from "./file/types";
import { declaredPeople, type MemberGrant, memberGrant, type TeamGrant, teamGrant } from "./sections/grants";

/**
 * What a review shows beside the access: the reason and the end of a grant, the titles of teams, and the guards. The notes are
 * an input of a component, so they must not depend on the current day: otherwise they would change although the file does not.
 */
export function reviewNotes({
  organization,
  guards,
  members = {},
  teams = {},
  sites = {},
}: OrganizationFile): ReviewNotes {
  const allowPublic = Object.keys(sites).filter((key) => sites[key]?.allowPublic);
  const all = { ...guards, ...(allowPublic.length > 0 && { allowPublic }) };
  const ofTeams = Object.entries(teams).flatMap(([id, team]): [string, TeamNotes][] => {
    const { title } = team;
    const people = collectNotes(declaredPeople(team).people, teamGrant);
    const notes = { ...(title !== undefined && { title }), ...(Object.keys(people).length > 0 && { people }) };
    return Object.keys(notes).length > 0 ? [[id, notes]] : [];
  });
  return {
    organization,
    people: collectNotes(members, memberGrant),
    teams: Object.fromEntries(ofTeams),
    ...(Object.keys(all).length > 0 && { guards: all }),
  };
}

type Grant = Pick<MemberGrant | TeamGrant, "reason" | "expires">;

/** The notes on people whose grant has a reason or an end. */
function collectNotes<Declared>(people: Readonly<Record<string, Declared>>, grantOf: (declared: Declared) => Grant) {
  const notes = Object.entries(people).flatMap(([user, declared]): [string, Note][] => {
    const { reason, expires } = grantOf(declared);
    const note: Note = {
      ...(reason !== undefined && { reason }),
      ...(expires && { expires: expires.on, then: expires.then ?? "remove" }),
    };
    return Object.keys(note).length > 0 ? [[user, note]] : [];
  });
  return Object.fromEntries(notes);
}

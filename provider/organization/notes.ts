import type { Note, ReviewNotes } from "../review/notes";
import { memberGrant, teamGrant } from "./grants";
import type { MemberGrant, OrganizationFile, TeamGrant } from "./schema";

/**
 * What a review shows beside the access: why somebody has it and until when, the titles of teams, and the guards. It is the component's
 * input, so it says nothing that changes with the day.
 */
export function reviewNotes({ guards, members = {}, teams = {} }: OrganizationFile): ReviewNotes {
  const people: Record<string, Note> = {};
  const add = (user: string, { reason, expires }: Pick<MemberGrant | TeamGrant, "reason" | "expires">, team = "") => {
    const on = team && ` in ${team}`;
    const said: Note = {
      ...(reason !== undefined && { reason: `${reason}${on}` }),
      ...(expires && { expires: `${expires.on}${on}`, then: expires.then ?? "remove" }),
    };
    people[user] = { ...said, ...people[user] };
  };
  for (const [user, declared] of Object.entries(members)) add(user, memberGrant(declared));
  for (const [id, { title = id, members: people = {} }] of Object.entries(teams)) {
    for (const [user, declared] of Object.entries(people)) add(user, teamGrant(declared), title);
  }
  const noted = Object.entries(people).filter(([, note]) => Object.keys(note).length > 0);
  const titled = Object.entries(teams).flatMap(([id, { title }]) => (title === undefined ? [] : [[id, { title }]]));
  return { people: Object.fromEntries(noted), teams: Object.fromEntries(titled), ...(guards && { guards }) };
}

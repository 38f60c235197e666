import type { Path } from "../file/places";
import { declaredPeople } from "../sections/grants";
import type { Violation } from "./change";
import type { Guard } from "./guard";

/** Refuses two names for one person: the up would fail after other changes. */
export const samePerson: Guard = {
  findViolations({ organization: { members = {}, teams = {} }, roleProjection }) {
    const idIn = (teamId?: string) => (user: string) => roleProjection.findMember(user, teamId)?.user.id;
    return [
      ...namedTwice(["members"], members, idIn()),
      ...Object.entries(teams).flatMap(([id, team]) => {
        const { property, people } = declaredPeople(team);
        return namedTwice(["teams", id, property], people, idIn(id));
      }),
    ];
  },
};

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

import { keyOfPlace } from "../../access-plan/place";
import { placeIn, type Violation } from "./change";
import type { Guard } from "./guard";

/** Refuses two names for one person: the up would fail after other changes. */
export const samePerson: Guard = {
  findViolations(change) {
    const names = new Map<string, string>();
    return change.lines.flatMap(({ path, user, team, person }): Violation[] => {
      const key = `${keyOfPlace(placeIn(change.organization, team))} ${person.id}`;
      const first = names.get(key);
      names.set(key, first ?? user);
      if (first === undefined) return [];
      return [{ path, text: `${user} is the same person as ${first}; keep one of them` }];
    });
  },
};

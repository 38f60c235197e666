import { sameUser } from "../../people/user";
import { declaredPeople, memberGrant, teamGrant } from "../sections/grants";
import type { Violation } from "./change";
import type { Guard } from "./guard";
import { personNamed } from "./people";

/**
 * When the end of a grant removes a person from the organization, the teams of the file no longer declare the person either. They
 * are compared by the declared name alone, so the file must use one name for the person.
 */
export const otherSpellings: Guard = {
  findViolations(change) {
    const { members = {}, teams = {} } = change.organization;
    const removed = Object.entries(members).filter(([, grant]) => memberGrant(grant).expires?.then === "remove");
    const names = new Map(
      removed.map(([user, grant]) => [personNamed(change, user).id, { user, ...memberGrant(grant).expires }]),
    );
    return Object.entries(teams).flatMap(([id, team]) =>
      Object.entries(declaredPeople(team).people).flatMap(([user, grant]): Violation[] => {
        const { user: name, on = "" } = names.get(personNamed(change, user, id).id) ?? {};
        const { expires } = teamGrant(grant);
        // If the grant in the team ends earlier, the names may differ.
        const ends = expires !== undefined && (expires.then ?? "remove") === "remove" && expires.on <= on;
        if (name === undefined || sameUser(name, user) || ends) return [];
        const text = `${user} is the same person as ${name} in members, who is removed from the organization when that grant ends; use the same name here`;
        return [{ path: ["teams", id, declaredPeople(team).property, user], text }];
      }),
    );
  },
};

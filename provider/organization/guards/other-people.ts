import { otherPerson } from "../../access/reviewed";
import { userKey } from "../../people/user";
import type { Guard } from "./guard";
import { personNamed } from "./people";

/** Refuses an e-mail that belonged to another person when the plan was reviewed. */
export const otherPeople: Guard = {
  findViolations(change) {
    const { organization, guards = {} } = change.organization;
    const required = (guards.requiredAdmins ?? []).map((user, index) => {
      return { path: ["guards", "requiredAdmins", index], user, person: personNamed(change, user) };
    });
    return [...change.lines, ...required].flatMap(({ path, user, person }) => {
      const text = otherPerson(change.reviewed, organization, userKey(user), person.live?.userId);
      return text === undefined ? [] : [{ path, text }];
    });
  },
};

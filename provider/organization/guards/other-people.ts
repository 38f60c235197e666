import { otherPerson } from "../../access/reviewed";
import { userKey } from "../../people/user";
import type { Path } from "../file/places";
import type { Guard } from "./guard";

/** Refuses an e-mail that belonged to another person when the plan was reviewed. */
export const otherPeople: Guard = {
  findViolations({ organization, roleProjection, plan }) {
    const { members = {}, teams = {}, guards = {} } = organization;
    const declared: [path: Path, user: string, teamId?: string][] = [
      ...Object.keys(members).map((user): [Path, string] => [["members", user], user]),
      ...Object.entries(teams).flatMap(([id, team]) =>
        Object.keys(team.members ?? {}).map((user): [Path, string, string] => [
          ["teams", id, "members", user],
          user,
          id,
        ]),
      ),
      ...(guards.requiredAdmins ?? []).map((user, index): [Path, string] => [
        ["guards", "requiredAdmins", index],
        user,
      ]),
    ];
    return declared.flatMap(([path, user, teamId]) => {
      const text = otherPerson(
        plan,
        organization.organization,
        userKey(user),
        roleProjection.findMember(user, teamId)?.user.id,
      );
      return text === undefined ? [] : [{ path, text }];
    });
  },
};

import { enumerated } from "../../access/bulk";
import { declaredPeople } from "../sections/grants";
import type { Violation } from "./change";
import type { Guard } from "./guard";

/** Checks the people of declared teams: otherwise an up would fail half-way, or add a person again who was just removed. */
export const teamMembers: Guard = {
  findViolations({ organization: { teams = {} }, roleProjection, teamProjection }) {
    return Object.entries(teams).flatMap(([id, team]): Violation[] => {
      const { property, people } = declaredPeople(team);
      const others = teamProjection.unmanagedMembers(id);
      const undeclared = `has unmanaged members: ${enumerated(others)}; declare them, add them to ignore, or declare removeExisting: true to remove them`;
      const owners = teamProjection.lostLastOwners(id);
      const unowned = `would lose its last owner: ${enumerated(owners)}; declare another owner, or allowNoOwner: true`;
      const dropped = Object.keys(people).filter((user) => {
        const member = roleProjection.findMember(user, id);
        return member && roleProjection.isDropped(member);
      });
      return [
        ...(others.length > 0 ? [{ path: ["teams", id], text: undeclared }] : []),
        ...(owners.length > 0 ? [{ path: ["teams", id, "members"], text: unowned }] : []),
        ...dropped.map((user) => ({
          path: ["teams", id, property, user],
          text: `${user} is no longer in members and would be removed from the organization (onRemoval: remove); remove this line as well, or keep the one in members`,
        })),
      ];
    });
  },
};

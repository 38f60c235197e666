import { enumerated } from "../../access/bulk";
import { declaredIn } from "../sections/grants";
import type { Violation } from "./change";
import type { Guard } from "./guard";

/** People of declared teams: an up would fail half-way, or bring back a person who has just been removed. */
export const teamMembers: Guard = {
  findViolations({ organization: { teams = {} }, roleProjection, teamProjection }) {
    return Object.entries(teams).flatMap(([id, team]): Violation[] => {
      const { property, people } = declaredIn(team);
      const others = teamProjection.unmanagedMembers(id);
      const undeclared = `has people who are not declared: ${enumerated(others)}; declare them, name them in ignore, or declare removeExisting: true to remove them`;
      const owners = teamProjection.lostLastOwners(id);
      const unowned = `would have no owner: ${enumerated(owners)} would go; declare another owner, or allowNoOwner: true`;
      const dropped = Object.keys(people).filter((user) => {
        const member = roleProjection.member(user, id);
        return member && roleProjection.isDropped(member);
      });
      return [
        ...(others.length > 0 ? [{ path: ["teams", id], text: undeclared }] : []),
        ...(owners.length > 0 ? [{ path: ["teams", id, "members"], text: unowned }] : []),
        ...dropped.map((user) => ({
          path: ["teams", id, property, user],
          text: `${user} is no longer in members and would be removed from the organization (onRemoval: remove); remove this line as well, or keep the other one`,
        })),
      ];
    });
  },
};

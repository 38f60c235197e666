import { enumerated } from "../../access/bulk";
import { declaredPeople } from "../sections/grants";
import type { PlannedChange, Violation } from "./change";
import type { Guard } from "./guard";
import { nameOf, personNamed } from "./people";

/** Checks the people of declared teams: otherwise an up would fail half-way, or add a person again who was just removed. */
export const teamMembers: Guard = {
  findViolations: (change) => [...findUnmanaged(change), ...findDropped(change)],
};

function findUnmanaged(change: PlannedChange): Violation[] {
  const { teams = {} } = change.organization;
  return change.findings.flatMap((finding): Violation[] => {
    if (finding.kind !== "undeclared members") return [];
    const { team: id = "" } = finding.manager.area ?? {};
    const named = Object.keys(declaredPeople(teams[id] ?? {}).people);
    const ended = new Set(named.map((user) => personNamed(change, user, id).id));
    const people = finding.people.map((one) => `${nameOf(one)}${ended.has(one.id) ? " (whose grant has ended)" : ""}`);
    const text = `has unmanaged members: ${enumerated(people)}; declare them, add them to ignore, or declare removeExisting: true to remove them`;
    return [{ path: ["teams", id], text }];
  });
}

/** People in teams who leave the organization because their line in `members` was removed. The end of a grant there has its own guard. */
function findDropped(change: PlannedChange): Violation[] {
  const named = new Set(Object.keys(change.organization.members ?? {}).map((user) => personNamed(change, user).id));
  return change.lines
    .filter(({ person, planned }) => planned?.cause === "left" && !named.has(person.id))
    .map(({ path, user }) => ({
      path,
      text: `${user} is no longer in members and would be removed from the organization (onRemoval: remove); remove this line as well, or keep the one in members`,
    }));
}

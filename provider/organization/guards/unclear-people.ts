import type { AccessFinding } from "../../access-plan/findings";
import { unknown } from "../../access-plan/place";
import { isEmail, userKey } from "../../people/user";
import { withMark } from "../../text/foreign";
import type { PlannedChange, Violation } from "./change";
import type { Guard } from "./guard";
import { nameOf } from "./people";

/** Refuses changes of people who cannot be told from others. The resources refuse them as well, after other changes. */
export const unclearPeople: Guard = {
  findViolations: (change) =>
    change.findings.flatMap((finding): Violation[] => {
      const text = describe(finding, change);
      return text === undefined ? [] : [{ path: pathOf(finding, change), text }];
    }),
};

function describe(finding: AccessFinding, { lines }: PlannedChange): string | undefined {
  if (finding.kind === "unrecorded name") {
    const { email, person, recordedAs } = finding;
    return `${withMark(email)} belongs to ${person.id} now, and the state has this person as ${recordedAs}; name this person as ${recordedAs}, and any other person by user id`;
  }
  if (finding.kind === "cannot be told") {
    const { person, mayBe = [] } = finding.change;
    return `${nameOf(person)} hides the e-mail, and may be ${mayBe.join(" or ")}; name this person by user id`;
  }
  if (finding.kind !== "two people") return undefined;
  const { change, email, owner } = finding;
  const line = lines.find(({ planned }) => planned === change);
  // In a team that was not read, nobody knows whether anything changes.
  if ((line && !isEmail(line.user)) || change.before === unknown) return undefined;
  return `the state has ${change.person.id} as ${withMark(email)}, which belongs to ${owner.id} now, so nothing can be changed for either; name both by user id`;
}

function pathOf(finding: AccessFinding, { organization: { members = {} } }: PlannedChange): Violation["path"] {
  if (finding.kind === "unrecorded name") {
    const name = Object.keys(members).find((user) => userKey(user) === finding.email);
    return ["members", ...(name === undefined ? [] : [name])];
  }
  const { team } = "change" in finding ? finding.change.place : {};
  return team === undefined ? ["members"] : ["teams", team];
}

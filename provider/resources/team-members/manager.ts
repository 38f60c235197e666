import { entriesIn, type OrganizationGiver, stringsIn, textIn } from "../../access/assignments";
import type { RecordedAssignment } from "../../access-plan/input";
import { unknown } from "../../access-plan/place";
import { userKey } from "../../people/user";
import { type Properties, propertiesIn } from "../../run/properties";

export const managed = {
  review: { access: { assignments: assignmentsInTeam } },
  wholeTeam: true as const,
};

export function assignmentsInTeam(
  { teamId, members, pending, found, userIds }: Properties,
  giver: OrganizationGiver,
): RecordedAssignment[] {
  const place = { kind: "team", team: textIn(teamId), organization: giver.organization } as const;
  const waiting = new Set(stringsIn(pending).map(userKey));
  const undeclared = new Set(stringsIn(found));
  const ids = propertiesIn(userIds);
  const listed = entriesIn(giver, members).map(([user, role]): RecordedAssignment => {
    const key = userKey(user);
    const isFound = undeclared.has(String(ids[key] ?? key));
    return { place, user, level: textIn(role), isPending: waiting.has(key), ...(isFound && { isFound }) };
  });
  // A change that failed may have sent these e-mails to the service.
  const names = new Set(listed.map(({ user }) => userKey(user)));
  const doubtful = [...waiting].filter((user) => !names.has(user));
  return [...listed, ...doubtful.map((user) => ({ place, user, level: unknown, isPending: true }))];
}

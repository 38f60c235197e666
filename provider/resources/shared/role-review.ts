import { entriesByUser, type Giver, roleText, stringsIn, userIn } from "../../access/assignments";
import type { RecordedAssignment } from "../../access-plan/input";
import { isSameRole } from "../../access-plan/place";
import { occasionsOf } from "../../access-plan/release";
import { optionsIn } from "../../lifecycle/manager";
import type { Finding, ReviewedChange, ReviewPart } from "../../lifecycle/review";
import { matchable, matcherOf } from "../../people/patterns";
import { isEmail, userKey } from "../../people/user";
import { type Properties, propertiesIn } from "../../run/properties";
import { counted, listFirst, safeText, trusted } from "../../text/safe-text";

type Assignments = NonNullable<ReviewPart["access"]>;

/** `countChanged` counts the people who have another role than their previous one. */
const reviewOf = (type: string, access: Assignments, countChanged: (outputs: Properties) => number): ReviewPart => ({
  access,
  risks: (change) => [
    ...removalRisks(type, change),
    ...forgettingRisks(type, change, countChanged(change.live?.outputs ?? {})),
    ...raisingRisks(type, change),
  ],
});

export const reviewOfOne = reviewOf("MemberRole", assignmentsOfOne, ({ previousRole, role }) =>
  previousRole === undefined || isSameRole(previousRole, role) ? 0 : 1,
);

export const reviewOfMany = reviewOf(
  "MemberRoles",
  assignmentsOfMany,
  ({ previousRoles }) => Object.keys(propertiesIn(previousRoles)).length,
);

function assignmentsOfOne(
  { user, userId, role, sso, releasing, previousRole, pending, absent }: Properties,
  giver: Giver,
): RecordedAssignment[] {
  const who = userIn(giver, user, userId);
  const places = placesOf(giver);
  const previousUsers = Array.isArray(releasing) ? releasing.map(propertiesIn) : [];
  return [
    {
      ...roleAssignment(places, who, role),
      ...previousIn(previousRole),
      ...awayIn({ isPending: pending === true, hasId: typeof userId === "string", isAbsent: absent === true }),
    },
    ...(sso === true ? [markAssignment(places, who)] : []),
    ...previousUsers.map((one) => ({
      ...roleAssignment(places, String(one.userId), one.role),
      ...previousIn(one.previousRole),
    })),
  ];
}

function assignmentsOfMany(
  { roles, sso, ignore, userIds, previousRoles, pending, absent, found }: Properties,
  giver: Giver,
): RecordedAssignment[] {
  const isIgnored = matcherOf(stringsIn(ignore));
  const isManaged = (user: string) => !isIgnored(matchable(user));
  const places = placesOf(giver);
  const ids = propertiesIn(userIds);
  const idOf = (user: string) => (isEmail(user) ? ids[userKey(user)] : user);
  const listed = propertiesIn(previousRoles);
  // The previous role of a person who is not in `previousRoles` equals the recorded role.
  const previousOf = (user: string, role: unknown) => {
    const id = idOf(user);
    if (previousRoles === undefined || id === undefined) return {};
    // Null is listed, too: it is the role of a guest.
    return previousIn(Object.hasOwn(listed, String(id)) ? listed[String(id)] : role);
  };
  const pendingKeys = new Set(stringsIn(pending));
  const absentKeys = new Set(stringsIn(absent));
  const awayOf = (user: string) => {
    const key = userKey(user);
    return awayIn({ isPending: pendingKeys.has(key), hasId: idOf(user) !== undefined, isAbsent: absentKeys.has(key) });
  };
  const foundIds = new Set<unknown>(stringsIn(found));
  const managed = entriesByUser(giver, roles).filter(([user]) => isManaged(user));
  const withRole = managed.map(([user, role]) => ({
    ...roleAssignment(places, user, role),
    ...previousOf(user, role),
    ...awayOf(user),
    ...(foundIds.has(idOf(user) ?? user) && { isFound: true }),
  }));
  const marked = stringsIn(sso).filter(isManaged);
  return [...withRole, ...marked.map((user) => ({ ...markAssignment(places, user), ...awayOf(user) }))];
}

/** A pending person whose id is recorded has joined since. */
const awayIn = ({ isPending, hasId, isAbsent }: Record<"isPending" | "hasId" | "isAbsent", boolean>) => ({
  ...(isPending && (hasId ? { isNew: true } : { isPending })),
  ...(isAbsent && { isAbsent }),
});

/** A declaration has no previous role. */
const previousIn = (role: unknown): Pick<RecordedAssignment, "previous"> =>
  role === undefined ? {} : { previous: roleText(role) };

/** One object for each place: a resource may have thousands of people. */
const placesOf = ({ organization }: Giver) =>
  ({ role: { kind: "role", organization }, sso: { kind: "sso", organization } }) as const;
type Places = ReturnType<typeof placesOf>;

const roleAssignment = ({ role: place }: Places, user: string, role: unknown): RecordedAssignment => ({
  place,
  user,
  level: roleText(role),
});

const markAssignment = ({ sso: place }: Places, user: string): RecordedAssignment => ({ place, user, level: "sso" });

/** After this change, a release may give people a higher role than they have by then. */
function raisingRisks(type: string, { name, live, declared }: ReviewedChange): Finding[] {
  const before = new Set(stringsIn(live?.inputs.allowRaiseOf).map(userKey));
  const people = stringsIn(declared?.allowRaiseOf).filter((user) => !before.has(userKey(user)));
  const isForEverybody = declared?.allowRaise === true && live?.inputs.allowRaise !== true;
  if (!isForEverybody && people.length === 0) return [];
  const who = isForEverybody ? safeText`people` : listFirst(people);
  const text = safeText`${who} of ${trusted(type)} ${name} may get a higher previous role back when they are released (allowRaise)`;
  return [{ kind: "raise-on-release", severity: "medium", text }];
}

/** After this change, deleting a person from the program removes the person from the organization. */
function removalRisks(type: string, { name, live, declared }: ReviewedChange): Finding[] {
  const before = occasionsOf(optionsIn(live?.inputs ?? {}));
  const after = occasionsOf(optionsIn(declared ?? {}));
  const occasions = ["destroy", "removal"] as const;
  const removesNow = occasions.some((one) => after[one] === "remove" && before[one] !== "remove");
  if (!removesNow) return [];
  const text = safeText`people who leave ${trusted(type)} ${name} from now on are removed from the organization (onRelease: remove)`;
  return [{ kind: "removal-on-release", severity: "medium", text }];
}

/** After a replacement, the role that a person has at that time becomes the previous role. */
function forgettingRisks(type: string, { name, operation }: ReviewedChange, changed: number): Finding[] {
  if (operation !== "replace" || changed === 0) return [];
  const text = safeText`${trusted(type)} ${name} is replaced, which forgets the previous roles of ${counted(changed, "person", "people")}: they cannot be restored later`;
  return [{ kind: "previous-roles-forgotten", severity: "medium", text }];
}

import { type AccessPlan, isChange } from "../../provider/access-plan/access-plan";
import type { AccessFinding } from "../../provider/access-plan/findings";
import type { AccessInput, Manager, RecordedAssignment } from "../../provider/access-plan/input";
import { keyOfPlace } from "../../provider/access-plan/place";
import { isEmail, userKey } from "../../provider/people/user";

const refused: readonly string[] = [
  "cannot be told",
  "declared, but left",
  "undeclared members",
  "two managers",
  "two names",
];

/** The input of a second plan, after the first is carried out; `undefined` if the plan is refused or its effect is not known. */
export function inputAfter(plan: AccessPlan, findings: readonly AccessFinding[]): AccessInput | undefined {
  const { input } = plan;
  const isRefused = findings.some(({ kind }) => refused.includes(kind));
  const isKnown = input.managers.every(({ declared }) => !declared?.isHidden);
  if (isRefused || !isKnown || !input.arePeopleComplete) return undefined;
  const made = plan.subjects.filter((one) => isChange(one) && one.state === "active");
  const gone = new Set(
    made.flatMap(({ place, after, person }) => (place.kind === "role" && after === "none" ? [person.id] : [])),
  );
  // An e-mail of a removed person means its present owner in the next run, so that the second plan would differ.
  const isPassedOn = ({ declared, recorded }: Manager) =>
    declared?.assignments.some(({ user }) => gone.has(recorded?.userIds[userKey(user)] ?? ""));
  if (input.managers.some(isPassedOn)) return undefined;
  const places = input.places.map((live) => {
    const levels = new Map(live.levels);
    for (const { place, person, after } of made) {
      if (keyOfPlace(place) !== keyOfPlace(live.place)) continue;
      if (after === "none") levels.delete(person.id);
      else levels.set(person.id, after);
    }
    return { ...live, levels };
  });
  return {
    ...input,
    people: input.people.filter(({ userId }) => !gone.has(userId)),
    places,
    managers: input.managers.flatMap((manager) => recordedAfter(manager, plan)),
  };
}

/** What the state has of a manager that has carried out its changes. */
function recordedAfter(manager: Manager, plan: AccessPlan): Manager[] {
  const { declared } = manager;
  if (!declared) return [];
  const userIds: { [email: string]: string } = {};
  const assignments = declared.assignments.flatMap((one): RecordedAssignment[] => {
    const person = plan.identities.find(manager, one.place, one.user);
    const { previous, state, declaredBy = [] } = plan.of(one.place, person) ?? {};
    if (isEmail(one.user) && person.userId !== undefined) userIds[userKey(one.user)] = person.userId;
    if (state === "non-member" || !declaredBy.includes(manager)) return [];
    const away = { ...(state === "pending" && { isPending: true }), ...(state === "absent" && { isAbsent: true }) };
    return [{ ...one, ...(previous !== undefined && { previous }), ...away }];
  });
  const { options, allowsNoOwner = false } = declared;
  return [{ ...manager, recorded: { assignments, userIds, options, allowsNoOwner } }];
}

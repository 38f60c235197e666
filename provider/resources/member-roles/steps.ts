import { nameOf } from "../../access/administrators";
import type { Step } from "../../access/bulk";
import type { AccessPlan } from "../../access-plan/access-plan";
import type { AccessChange } from "../../access-plan/change";
import { nothing } from "../../access-plan/place";
import type { DeclaredRole } from "../../access-plan/roles";
import type { Member } from "../../api/groups/members";
import type { Context } from "../../run/context";
import { carryOutRelease, markSso, type Person, setRoleKnown } from "../shared/role";
import { markPlace, type NamedPerson, rolePlace } from "../shared/role-plan";

/** The steps of a change, each for one person. */

export type PersonStep = Step & { readonly member: Member; readonly isRelease: boolean };

/** The administrators who lose the role. */
export const losingAdministrators = (steps: readonly PersonStep[]): Member[] =>
  steps.filter(({ administrator }) => administrator === "takes").map(({ member }) => member);

/** What the plan changes for one person. */
interface Planned {
  readonly role?: AccessChange | undefined;
  readonly mark?: AccessChange | undefined;
}

/** The steps of the plan in its order. Each success is recorded in `live`; a released person is deleted from it. */
export function stepsOf(context: Context, plan: AccessPlan, live: Map<string, Person>): PersonStep[] {
  const entries = new Map([...live].map((entry) => [entry[1].member.user.id, entry]));
  return [...new Set(plan.changes.map(({ person }) => person.id))].flatMap((id) => {
    const entry = entries.get(id);
    const [role, mark] = [rolePlace(context), markPlace(context)].map((place) => plan.changed(place, { id }));
    return entry ? stepOf(context, { role, mark }, entry, live) : [];
  });
}

function stepOf(context: Context, planned: Planned, [key, person]: NamedPerson, live: Map<string, Person>): PersonStep {
  const { role, mark } = planned;
  const { member } = person;
  const give = async () => {
    const to = role?.after as DeclaredRole;
    const { member: after, failed } = role ? await setRoleKnown(context, member, to) : { member };
    live.set(key, { ...person, member: after });
    if (failed) throw failed;
    if (mark) live.set(key, { ...person, member: await markSso(context, after) });
  };
  const release = async (change: AccessChange) => {
    await carryOutRelease(context, member, change);
    live.delete(key);
  };
  const isRelease = role?.cause === "released";
  return {
    name: nameOf(member),
    member,
    isRelease,
    result: describeResult(role),
    run: () => (isRelease ? release(role) : give()),
    ...(role && administratorEffect(role)),
  };
}

/** Whether a change of the role makes the person an administrator, or takes that role away. */
function administratorEffect({ before, after }: AccessChange): Pick<Step, "administrator"> {
  if (after === "admin") return { administrator: "gives" };
  return before === "admin" ? { administrator: "takes" } : {};
}

function describeResult(role: AccessChange | undefined): string {
  if (role === undefined) return "is marked as a member by single sign-on";
  return role.after === nothing ? "is removed from the organization" : `is now ${role.after}`;
}

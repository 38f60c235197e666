import { nameOf } from "../../access/administrators";
import type { Step } from "../../access/bulk";
import type { ChangedPerson } from "../../access/members";
import type { ReleaseOptions } from "../../access-plan/release";
import { type DeclaredRole, isSameRole } from "../../access-plan/roles";
import type { Member } from "../../api/groups/members";
import { userKey } from "../../people/user";
import type { Context } from "../../run/context";
import { byKey } from "../shared/managed-people";
import { carryOutRelease, markSso, type Person, releaseOf, setRoleKnown, tellKept } from "../shared/role";
import type { Inputs } from "./properties";
import type { Entry } from "./release-options";

/** The steps of a change, each for one person. */

/** `key` is the key of the person in the state or in the declaration. */
export type PersonStep = Step & { readonly key: string; readonly member: Member };

export const changedPersonOf = ({ key, member: { user } }: PersonStep): ChangedPerson => ({
  name: key,
  userId: user.id,
  email: user.email,
});

/** The administrators who lose the role. */
export const losingAdministrators = (steps: readonly PersonStep[]): Member[] =>
  steps.filter(({ administrator }) => administrator === "takes").map(({ member }) => member);

/** The steps that give people their declared role and mark. Each success is recorded in `live`. */
export function stepsOfRoles(
  context: Context,
  { roles, sso }: Inputs,
  people: readonly Entry[],
  live: Map<string, Person>,
): PersonStep[] {
  const wanted = byKey(roles);
  const marked = new Set(sso?.map(userKey));
  return people.flatMap(([key, person]): PersonStep[] => {
    const { member } = person;
    const role = wanted.get(key) ?? null;
    const keepsRole = isSameRole(member.role, role);
    const mark = marked.has(key) && !member.sso;
    if (keepsRole && !mark) return [];
    const run = async () => {
      const { member: after, failed } = keepsRole ? { member } : await setRoleKnown(context, member, role);
      live.set(key, { ...person, member: after });
      if (failed) throw failed;
      if (mark) live.set(key, { ...person, member: await markSso(context, after) });
    };
    const result = keepsRole ? "is marked as a member by single sign-on" : describeRole(role);
    return [{ key, name: nameOf(member), member, result, run, ...(!keepsRole && administratorEffect(member, role)) }];
  });
}

/** The steps that release people. Each released person is deleted from `live`. */
export function stepsOfReleases(
  context: Context,
  optionsOf: (entry: Entry) => ReleaseOptions,
  people: readonly Entry[],
  live: Map<string, Person>,
): PersonStep[] {
  const kept: { member: Member; keeps: string }[] = [];
  const steps = people.flatMap(([key, person]): PersonStep[] => {
    const { member } = person;
    const release = releaseOf(context, { ...person, name: key }, optionsOf([key, person]));
    if ("keeps" in release) kept.push({ member, keeps: release.keeps });
    if ("keeps" in release || "already" in release) {
      live.delete(key);
      return [];
    }
    const run = async () => {
      await carryOutRelease(context, member, release);
      live.delete(key);
    };
    const role = "role" in release ? release.role : null;
    const result = "role" in release ? describeRole(role) : "is removed from the organization";
    return [{ key, name: nameOf(member), member, result, run, ...administratorEffect(member, role) }];
  });
  tellKept(context, kept);
  return steps;
}

/** Whether a change of the role makes the person an administrator, or takes that role away. */
function administratorEffect(member: Member, role: DeclaredRole): Pick<Step, "administrator"> {
  if (role === "admin") return { administrator: "gives" };
  return member.role === "admin" ? { administrator: "takes" } : {};
}

const describeRole = (role: DeclaredRole): string => `is now ${role ?? "guest"}`;

import { isManaged } from "../../access/management";
import { roleArea } from "../../access/subject";
import { type AccessPlan, planAccess } from "../../access-plan/access-plan";
import type { Manager } from "../../access-plan/input";
import type { Place } from "../../access-plan/place";
import { spelledRole } from "../../access-plan/roles";
import type { Context } from "../../run/context";
import { otherManager, ownInput } from "./own-plan";
import { notedPreviousRole, type Person } from "./role";

/** A person whose role the resource has managed so far, by the recorded name. */
export type NamedPerson = readonly [name: string, person: Person];

export const rolePlace = ({ organizationId }: Context): Place => ({ kind: "role", organization: organizationId });
export const markPlace = ({ organizationId }: Context): Place => ({ kind: "sso", organization: organizationId });

/** Plans the roles of the declared people, and of the people who were managed so far. */
export function planRoles(
  context: Context,
  own: Manager,
  declared: readonly Person[],
  recorded: readonly NamedPerson[],
): AccessPlan {
  const stay = new Set(declared.map(({ member }) => member.user.id));
  const leaving = recorded.filter(([, { member }]) => !stay.has(member.user.id));
  const members = [...declared, ...leaving.map(([, person]) => person)].map(({ member }) => member);
  const levels = new Map(members.map(({ user, role }) => [user.id, spelledRole(role)]));
  const marked = members.filter(({ sso }) => sso).map(({ user }): [string, string] => [user.id, "sso"]);
  return planAccess(
    ownInput({
      people: members.map(({ user, disabled }) => ({ userId: user.id, email: user.email, isDisabled: disabled })),
      places: [
        { place: rolePlace(context), levels, isComplete: true },
        { place: markPlace(context), levels: new Map(marked), isComplete: true },
      ],
      managers: [own, othersFor(context, leaving)],
    }),
  );
}

/** The other resources of the run that manage these people, or have managed them before. */
function othersFor(context: Context, leaving: readonly NamedPerson[]): Manager {
  const all = leaving.map(([name, { member }]) => {
    const { id, email } = member.user;
    const assignment = { place: rolePlace(context), user: id, level: spelledRole(member.role) };
    return { assignment, names: [id, name, ...(email === undefined ? [] : [email])] };
  });
  const managed = all.filter(({ names }) => isManaged(context, roleArea, names));
  const previous = all.flatMap(({ assignment }) => {
    const noted = notedPreviousRole(context, assignment.user);
    return noted === undefined ? [] : [{ ...assignment, previous: spelledRole(noted) }];
  });
  return otherManager(
    managed.map(({ assignment }) => assignment),
    previous,
  );
}

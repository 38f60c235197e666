import type { AccessPlan } from "../../access-plan/access-plan";
import type { AccessChange } from "../../access-plan/change";
import type { Identity } from "../../access-plan/identities";
import type { Path } from "../file/places";
import type { OrganizationFile } from "../file/types";
import { declaredPeople } from "../sections/grants";

/** A line of the file that gives a person access now. */
export interface Line {
  readonly path: Path;
  readonly user: string;
  readonly team?: string | undefined;
  readonly person: Identity;
  /** Absent if the team ignores the person. */
  readonly planned: AccessChange | undefined;
}

/** The lines of the file with grants that have not ended. */
export function linesOf(access: AccessPlan, { teams = {} }: OrganizationFile): Line[] {
  return access.input.managers.flatMap((manager) =>
    (manager.declared?.assignments ?? []).flatMap(({ place, user }): Line[] => {
      if (place.kind === "sso") return [];
      const { team } = place;
      const path =
        team === undefined ? ["members", user] : ["teams", team, declaredPeople(teams[team] ?? {}).property, user];
      const person = access.personNamed(manager, place, user);
      return [{ path, user, team, person, planned: access.of(place, person) }];
    }),
  );
}

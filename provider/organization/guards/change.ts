import type { Reviewed } from "../../access/reviewed";
import type { Path } from "../file/places";
import type { OrganizationFile } from "../file/types";
import type { RecordedChild } from "../projection/recorded";
import { type Live, RoleProjection } from "../projection/roles";
import { TeamProjection } from "../projection/teams";

/** A reason to refuse the change, and the path in the file that it is about. */
export interface Violation {
  readonly path: Path;
  readonly text: string;
}

export interface Change {
  /** Name of the component. */
  readonly name: string;
  readonly organization: OrganizationFile;
  readonly live: Live;
  readonly recorded: readonly RecordedChild[];
  /** URNs of components that the state still has for the same organization. */
  readonly formerComponents?: readonly string[];
  /** Ids of the people whose recorded roles other resources of the stack manage. */
  readonly rolesManagedElsewhere?: readonly string[];
  readonly now: Date;
  /** The plan that was reviewed, if there is one. */
  readonly plan?: Reviewed | undefined;
}

/** A change with the roles and teams as they will be after it. */
export interface ProjectedChange extends Change {
  readonly roleProjection: RoleProjection;
  readonly teamProjection: TeamProjection;
}

export function projectChange(change: Change): ProjectedChange {
  const { organization, live, recorded, now } = change;
  const roleProjection = new RoleProjection(organization, live, recorded, now);
  return {
    ...change,
    roleProjection,
    teamProjection: new TeamProjection(roleProjection, organization, live, recorded, now),
  };
}

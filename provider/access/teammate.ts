import type { Member } from "../api/groups/members";
import type { TeamMember } from "../api/groups/teams";
import { visible } from "../text/visible";

/** A person in a team, as far as this run needs to know. */
export interface Teammate {
  readonly userId: string;
  readonly role: string;
  /** Absent for a person that this run has added, or if the e-mail is hidden. */
  readonly email?: string | undefined;
  /** The service does not return the e-mail. */
  readonly hidden?: boolean | undefined;
  readonly displayName?: string | undefined;
  readonly disabled?: boolean | undefined;
}

export const teammateOf = ({ organization, team }: TeamMember): Teammate => asTeammate(organization, team.role);

export function asTeammate({ user, disabled }: Member, role: string): Teammate {
  const { id: userId, email, displayName } = user;
  return { userId, email, hidden: email === undefined, displayName, disabled, role };
}

/** Names a person in a message: name and e-mail if they are known, and id. */
export function nameOfTeammate({ userId, email, displayName }: Teammate): string {
  const nameAndEmail = [displayName, email].filter(Boolean).join(", ");
  return visible(nameAndEmail ? `${nameAndEmail} (${userId})` : userId);
}

export const namesOfTeammates = (people: readonly Teammate[]): string => people.map(nameOfTeammate).join("; ");

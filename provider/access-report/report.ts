import { levelIn, type Phase } from "../access-plan/grants";
import type { GrantTerms } from "../access-plan/input";
import type { Since } from "../history/select";
import type { TeamName } from "../organization/sections/teams";

/** A line of the file about one person in one place. */
export interface DeclaredPlace extends GrantTerms {
  readonly level: string;
  /** The file and the line, such as `organization.yaml:12`. */
  readonly at: string;
  readonly phase: Phase;
}

/** What one person has in one place: the organization, or a team. */
export interface PlaceAccess {
  readonly team?: TeamName;
  /** The live level; absent if the file declares the person, and the person is not there. */
  readonly level?: string;
  readonly declared?: DeclaredPlace;
  /** The file does not declare the person, and lets the person stay in the team (`ignore`). */
  readonly isIgnored?: boolean;
  /** By the versions of the stack, if they were read. */
  readonly since?: Since | undefined;
}

export interface PersonAccess {
  readonly userId?: string;
  /** The e-mail, or the display name with a remark if the e-mail is hidden; of a person who is no member, the name in the file. */
  readonly name: string;
  /** `pending`: no single member shows the declared e-mail. `absent`: no member has the declared id. */
  readonly state: "active" | "disabled" | "pending" | "absent";
  readonly sso?: boolean;
  readonly joinedAt?: string;
  /** Absent if the service gives no time. */
  readonly lastSeenAt?: string | undefined;
  readonly role: PlaceAccess;
  readonly teams: readonly PlaceAccess[];
  /** What the person may do in single spaces; only if asked for. */
  readonly spaces?: readonly { readonly id: string; readonly title: string; readonly permission: string }[];
}

/**
 * Who has what in an organization, as `docs-org access --format json` prints it. `version` grows when a reader of the previous
 * version could misunderstand it; properties may be added without that.
 */
export interface AccessList {
  readonly version: 1;
  readonly organization: string;
  /** The file that people are compared with; without one, nobody is declared. */
  readonly file?: string;
  /** The filters, as the user wrote them: the list is then not the whole. */
  readonly filters: readonly string[];
  readonly findings: readonly ConditionMatch[];
  /** The most powerful first. */
  readonly people: readonly PersonAccess[];
}

/** People that a condition is about, by user id or by the name in the file. */
export interface ConditionMatch {
  /** As `--fail-on` names it; `ended`, of grants that have ended and are still given, is a part of `expiring`. */
  readonly condition: string;
  readonly people: readonly string[];
}

export const idOfPerson = ({ userId, name }: PersonAccess): string => userId ?? name;

export const placesOf = ({ role, teams }: PersonAccess): readonly PlaceAccess[] => [role, ...teams];

/** What the file gives in a place at present: a level, `leave` before a grant begins, or what follows a grant that has ended. */
export const declaredNow = ({ level, phase, then }: DeclaredPlace): string | undefined => levelIn(phase, level, then);

/** Whether a grant has ended, and the person still has what it gave. */
export const isStillGiven = ({ level, declared }: PlaceAccess): boolean =>
  declared?.phase === "ended" && level === declared.level && level !== declaredNow(declared);

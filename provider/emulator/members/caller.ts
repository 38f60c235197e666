import { type Endpoint, isRead, pathOf } from "../../api/schema/endpoint";
import { forbidden, requireExisting } from "../http/errors";
import type { Service } from "../store/service";
import type { OrganizationRecord } from "../store/state";
import { unknownUser } from "./record";

/** Id of the user who owns the token: the option `caller`, otherwise the first administrator. */
export function callerId(organization: OrganizationRecord, { caller }: Service): string {
  return caller ?? organization.caller ?? unknownUser;
}

/** Writes to an organization that every member may make. */
const forEveryMember = /\/(ping|ai\/response)$/;

type Path = Readonly<Record<string, string>>;

/**
 * Refuses requests of the caller, the user in the option `caller`: all after a removal from the organization, and writes to the
 * organization unless the user is an administrator of it. The owner of a team may manage its members.
 */
export function refuseWithoutRights(
  row: Endpoint,
  path: Path,
  organization: OrganizationRecord,
  { caller }: Service,
): void {
  const { id, members, teams } = organization;
  // Only a user that the option `caller` names, and who owns the token, has limits.
  if (caller === undefined || caller !== organization.caller) return;
  // For a caller who was removed, the organization does not exist.
  const member = requireExisting(members.get(caller), "organization", id);
  const isManaging = !isRead(row) && path.organizationId !== undefined && !forEveryMember.test(pathOf(row));
  const ownsTeam = teams.get(path.teamId ?? "")?.members.get(caller)?.role === "owner";
  if (!isManaging || member.role === "admin" || ownsTeam) return;
  throw forbidden(
    `"${caller}", who owns the token, has the role ${member.role ?? "guest"}; an administrator may do this`,
  );
}

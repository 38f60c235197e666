import { setTimeout as sleep } from "node:timers/promises";
import { listAdministrators, nameOf } from "../access/administrators";
import { enumerated } from "../access/bulk";
import { planAccess } from "../access-plan/access-plan";
import { findingsOf } from "../access-plan/findings";
import type { Manager } from "../access-plan/input";
import type { Member } from "../api/groups/members";
import { userKey } from "../people/user";
import { connect } from "../run/context";
import { containsUnknown, differing, type Properties, pick, propertiesIn } from "../run/properties";
import { perRun, type Run } from "../run/run";
import { organizationType, typesIn } from "../run/urn";
import type { AnyDefinition } from "./definition";
import { ownManager } from "./manager";
import { type Previewed, renamesIn } from "./renames";

/**
 * Warns of what the up will refuse, after a wait for the later declarations of the program. The plugin calls it when the engine
 * previews a change. The engine asks the dynamic host nothing in a preview that could wait, so there the program calls it.
 */
export async function listPreviewWarnings(run: Run, definition: AnyDefinition, one: Previewed): Promise<string[]> {
  const warnings = [
    renamesIn(run).describeRenamed(definition, one),
    // An error is ignored here, because another call fails with it.
    describeLockout(run, definition, one).catch(() => undefined),
  ];
  return (await Promise.all(warnings)).filter((warning) => warning !== undefined);
}

/** What a run declares about the roles in one organization. */
interface DeclaredRoles {
  readonly organizationId: string;
  /** The resources by the people that they declare. */
  readonly managers: Map<string, Manager>;
  /** Somebody is declared as administrator, or may be by a value that is known only during the up. */
  mayRemain: boolean;
  /** Those who are live, read once. */
  administrators?: Promise<Member[]>;
  isWarned: boolean;
}

/** By organization. */
const declaredRolesIn = perRun(() => new Map<string, DeclaredRoles>());

/** Records the roles that a resource declares; `undefined` if it declares none. */
export function noteRoles(run: Run, definition: AnyDefinition, declared: Properties): DeclaredRoles | undefined {
  const organizationId = declared.organizationId ?? run.settings.organizationId();
  if (typeof organizationId !== "string") return undefined;
  const manager = ownManager(definition, organizationId, { declared });
  const roles = manager?.declared?.assignments.filter(({ place }) => place.kind === "role") ?? [];
  if (!manager || roles.length === 0) return undefined;
  const all = declaredRolesIn(run);
  const own = all.get(organizationId) ?? { organizationId, managers: new Map(), mayRemain: false, isWarned: false };
  all.set(organizationId, own);
  for (const { user } of roles) own.managers.set(userKey(user), manager);
  own.mayRemain ||= containsUnknown(declared) || roles.some(({ level }) => level === "admin");
  return own;
}

/**
 * The warning that the declared roles together leave no administrator. Each `MemberRole` knows one person, so only the run can
 * notice it before the up, which lowers all but the last administrator and then fails. The list of administrators is read once
 * in a run, and only if somebody may lose the role. The members of a `docs.Organization` are checked by its guards.
 */
async function describeLockout(
  run: Run,
  definition: AnyDefinition,
  { urn, declared, recorded }: Previewed,
): Promise<string | undefined> {
  const own = noteRoles(run, definition, declared);
  if (!own || typesIn(urn).includes(organizationType)) return undefined;
  if (!mayLower(definition, declared, recorded)) return undefined;
  if (own.mayRemain) return undefined;
  own.administrators ??= readAdministrators(run, own.organizationId);
  const administrators = await own.administrators;
  const isLeft = () => own.mayRemain || !losesAll(own, administrators);
  for (let waited = 0; waited < run.patience && !isLeft(); waited += 100) await sleep(100);
  if (isLeft() || own.isWarned) return undefined;
  own.isWarned = true;
  return lockoutWarning(own.organizationId, administrators);
}

async function readAdministrators(run: Run, organizationId: string): Promise<Member[]> {
  run.settings.refuseMissing(organizationId);
  return listAdministrators(await connect(run, organizationId));
}

/** Whether a role changes of somebody who may be an administrator. */
function mayLower({ equal }: AnyDefinition, declared: Properties, recorded: Properties | undefined): boolean {
  if (!recorded) return true;
  const rolesOf = (properties: Properties) => pick(properties, ["role", "roles"]);
  const isAdministrator = [recorded.role, ...Object.values(propertiesIn(recorded.roles))].includes("admin");
  return isAdministrator && differing(rolesOf(recorded), rolesOf(declared), equal).length > 0;
}

function losesAll({ organizationId, managers }: DeclaredRoles, administrators: readonly Member[]): boolean {
  const place = { kind: "role", organization: organizationId } as const;
  const names = administrators.flatMap(({ user: { id, email = id } }) => [id, userKey(email)]);
  const plan = planAccess({
    people: administrators.map(({ user }) => ({ userId: user.id, email: user.email })),
    arePeopleComplete: false,
    places: [{ place, levels: new Map(administrators.map(({ user }) => [user.id, "admin"])), isComplete: false }],
    managers: [...new Set(names.flatMap((name) => managers.get(name) ?? []))],
    isEverybodyShown: false,
  });
  return findingsOf(plan).some(({ kind }) => kind === "no administrator");
}

const lockoutWarning = (organizationId: string, administrators: readonly Member[]): string =>
  `organization ${organizationId} would have no administrator: this program declares another role for ` +
  `${enumerated(administrators.map(nameOf).sort())}, and nobody as an administrator. pulumi up does not lower the last administrator, but several ` +
  "resources may lower the others before it is refused. Declare somebody as admin first, or keep one of them";

import type { AccessPlan } from "../access-plan/access-plan";
import type { Place } from "../access-plan/place";
import { DocsError } from "../api/http/errors";
import type { Context } from "../run/context";
import { runScoped } from "../run/run";
import { visible } from "../text/visible";
import { listNames } from "./carry-out";
import { managementOf } from "./management";
import { newIdMark, type Plan, type PlannedResource } from "./plan-file";
import { type AccessWrite, protections, unplannedProperties } from "./planned-changes";
import { otherPerson, reviewedPlan } from "./reviewed";

/** The reviewed plan is enforced here, before the first request of a resource that changes something. */

/** With `up --only grants`, the plan without the changes that the grants do not make; otherwise the plan as it is. */
export function limitToGrants({ run }: Context, plan: AccessPlan): AccessPlan {
  const reviewed = run.settings.dueGrants() ? reviewedPlan(run) : undefined;
  return reviewed ? plan.limitedTo((one) => reviewed.access.allows(one)) : plan;
}

/** Refuses changes of access that the reviewed plan does not list, and declared e-mails that meant somebody else at the review. */
export function refuseUnreviewed({ run }: Context, plan: AccessPlan): void {
  const reviewed = reviewedPlan(run);
  if (!reviewed) return;
  const due = run.settings.dueGrants();
  for (const manager of plan.input.managers) {
    for (const { place, user } of manager.declared?.assignments ?? []) {
      // An up of grants gives nothing to other people.
      if (due && !due.some((one) => one.team === place.team && one.user === user)) continue;
      const problem = otherPerson(reviewed.plan, place, user, plan.identities.find(manager, place, user));
      if (problem !== undefined) throw new DocsError(problem);
    }
  }
  const refused = plan.changes.filter((one) => !reviewed.access.allows(one));
  const how = refused.some((one) => reviewed.access.hidesLoss(one)) ? showingLevels : undefined;
  if (refused.length > 0) throw unreviewedError(reviewed.plan, refused.map(describeChange), how);
}

/** Refuses to create a resource in an organization that the plan does not change. */
export function refuseUnreviewedOrganization({ run, organizationId }: Context): void {
  const organizations = reviewedPlan(run)?.plan.organizations ?? [];
  if (organizations.length === 0 || organizations.includes(organizationId)) return;
  throw new DocsError(
    `the plan of DOCS_PLAN is about organization ${organizations.join(", ")}, and this resource would be created in organization ${organizationId}; ` +
      "correct DOCS_ORGANIZATION_ID or docs:organizationId, or review the change again",
  );
}

export interface ResourceWrite {
  readonly type: string;
  /** Absent for a creation. */
  readonly id?: string;
  readonly operation: "create" | "update" | "delete";
  /** What is declared, as in a plan; empty for a deletion. */
  readonly properties: Readonly<Record<string, string>>;
  /** Names of the properties that an update sends. */
  readonly sent?: readonly string[];
}

/** The planned resources that the run has created: each may be created once. */
const creationsIn = runScoped(() => new Set<PlannedResource>());

export function refuseUnreviewedWrite({ run, organizationId }: Context, write: ResourceWrite): void {
  const { plan } = reviewedPlan(run) ?? {};
  if (!plan) return;
  const properties = { ...write.properties, organizationId: JSON.stringify(organizationId) };
  const created = creationsIn(run);
  // The object that a created resource replaces may still be deleted.
  const isUsed = (one: PlannedResource) => write.operation !== "delete" && created.has(one);
  const isOfRun = (text?: string) => text !== undefined && managementOf(run).hasObject(JSON.parse(text));
  const planned = plan.resources.find((one) => !isUsed(one) && allows(one, { ...write, properties }, isOfRun));
  if (!planned) throw unreviewedError(plan, [describeWrite(write)]);
  if (write.operation === "create") created.add(planned);
}

/** `isOfRun` says whether the text of a property is the id of an object that the run manages or has created. */
function allows(planned: PlannedResource, write: ResourceWrite, isOfRun: (text?: string) => boolean): boolean {
  const { type, operation, id, retained, properties, hidden } = planned;
  if (type !== write.type) return false;
  if (write.operation === "delete") return id === write.id && !retained && ["delete", "replace"].includes(operation);
  const isUpdate = operation === "update" && id === write.id;
  // An update that is not planned may complete a planned creation that was interrupted.
  if (!isUpdate && !["create", "replace"].includes(operation)) return false;
  const now = { properties: write.properties, changed: isUpdate ? (write.sent ?? []) : [], hidden: [] };
  // The provider does not get options of the engine. A value that the plan hides may be any.
  const mayBeAny = (name: string) => protections.includes(name) || hidden.includes(name);
  const isNewId = (name: string) => properties[name]?.startsWith(newIdMark) === true && isOfRun(write.properties[name]);
  return unplannedProperties(planned, now, (name) => mayBeAny(name) || isNewId(name)).length === 0;
}

function describeChange({ person, place, before, after }: AccessWrite): string {
  const others = person.keys.filter((key) => key !== person.userId);
  const who = person.userId === undefined ? others.join(", ") : [person.userId, ...others].join(", ");
  return visible(`${who} (${wordsOf(place)}): ${before} → ${after}`);
}

const wordsOf = ({ kind, team }: Place): string =>
  ({ role: "role", team: `team ${team}`, sso: "single sign-on" })[kind];

const describeWrite = ({ type, id, operation, sent = [] }: ResourceWrite): string =>
  [operation, type, ...(id === undefined ? [] : [id]), ...(sent.length > 0 ? [`(${sent.join(", ")})`] : [])].join(" ");

const showingLevels =
  "have a new plan reviewed that shows the present level: first declare or import it, or preview with --refresh";

function unreviewedError({ made }: Plan, changes: readonly string[], how = "have a new plan reviewed"): DocsError {
  return new DocsError(
    `the reviewed plan, made at ${made}, does not have ${listNames(changes, "; ")}; nothing of this resource was changed. ` +
      `To make this change, ${how}; otherwise undo it`,
  );
}

import { membersOf } from "../access/members";
import { canonical } from "../access/plan-file";
import { type ResourceWrite, refuseUnreviewedWrite } from "../access/refuse-unreviewed";
import { otherPerson, reviewedPlan } from "../access/reviewed";
import { DocsError } from "../api/http/errors";
import { patternKeys } from "../people/patterns";
import { userKey } from "../people/user";
import type { Context } from "../run/context";
import { outOfDate, type Properties } from "../run/properties";
import type { AnyDefinition } from "./definition";
import { ownManager } from "./manager";

/** A declared property as a plan has it: the same text for values with the same meaning. */
export function plannedText(definition: AnyDefinition | undefined, name: string, value: unknown): string {
  const patterns = definition && name === "ignore" ? patternKeys(value) : undefined;
  return canonical(patterns ?? value);
}

interface Write {
  readonly operation: ResourceWrite["operation"];
  readonly id?: string;
  readonly declared: Properties;
  /** What an update has read before. */
  readonly live?: unknown;
}

/** Refuses a change that the reviewed plan does not have. A resource that gives access refuses changes of people itself. */
export function refuseUnplanned(context: Context, definition: AnyDefinition, write: Write): void {
  if (definition.review?.access || !reviewedPlan(context.run)) return;
  const { operation, id, declared, live } = write;
  const values: Properties = live === undefined ? {} : definition.lifecycle.values(live, declared);
  refuseUnreviewedWrite(context, {
    type: definition.name,
    operation,
    ...(id !== undefined && { id }),
    properties: plannedTexts(definition, declared),
    sent: outOfDate(values, declared, Object.keys(values), definition.equal),
  });
}

/**
 * Refuses a creation for a declared e-mail that meant somebody else at the review. `refuseUnreviewed` would come too late: a
 * creation that fails later is recorded, with the person who has the e-mail now.
 */
export async function refuseOtherPeople(context: Context, definition: AnyDefinition, declared: Properties) {
  const reviewed = reviewedPlan(context.run);
  if (!reviewed) return;
  const { assignments = [] } = ownManager(definition, context.organizationId, { declared })?.declared ?? {};
  const named = assignments.filter(({ user }) => Object.hasOwn(reviewed.plan.users, userKey(user)));
  const members = await Promise.all(named.map(({ user }) => membersOf(context).read(userKey(user))));
  for (const [index, { place, user }] of named.entries()) {
    const problem = otherPerson(reviewed.plan, place, user, { userId: members[index]?.user.id });
    if (problem !== undefined) throw new DocsError(problem);
  }
}

/** The declared properties as a plan has them: certificates as fingerprints. */
function plannedTexts(definition: AnyDefinition, declared: Properties): Record<string, string> {
  const shown = definition.review?.shown ?? {};
  const defined = Object.entries(declared).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    defined.map(([name, value]) => {
      const visible = typeof value === "string" ? (shown[name]?.(value) ?? value) : value;
      return [name, plannedText(definition, name, visible)];
    }),
  );
}

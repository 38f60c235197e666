import { canonical } from "../access/plan-file";
import { type ResourceWrite, refuseUnreviewedWrite } from "../access/refuse-unreviewed";
import { reviewedPlan } from "../access/reviewed";
import { patternKeys } from "../people/patterns";
import type { Context } from "../run/context";
import { outOfDate, type Properties } from "../run/properties";
import type { AnyDefinition } from "./definition";

/** A declared property as a plan has it: the same text for values with the same meaning. */
export const plannedText = (definition: AnyDefinition | undefined, name: string, value: unknown): string =>
  canonical((definition && name === "ignore" && patternKeys(value)) || value);

interface Write {
  readonly operation: ResourceWrite["operation"];
  readonly id?: string;
  readonly declared: Properties;
  /** What an update has read before. */
  readonly live?: unknown;
}

/** Refuses what no reviewed plan has. A resource that gives access refuses the changes of people itself. */
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

/** Certificates are fingerprints in a plan. */
function plannedTexts(definition: AnyDefinition, declared: Properties): Record<string, string> {
  const shown = definition.review?.shown ?? {};
  const known = Object.entries(declared).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    known.map(([name, value]) => {
      const visible = typeof value === "string" ? (shown[name]?.(value) ?? value) : value;
      return [name, plannedText(definition, name, visible)];
    }),
  );
}

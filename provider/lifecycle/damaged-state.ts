import type { z } from "zod";
import { listNames } from "../access/carry-out";
import { DocsError } from "../api/http/errors";
import { tolerant } from "../api/schema/tolerant";
import { isEmail } from "../people/user";
import { isOfFormerOrigin } from "../run/origin";
import { containsUnknown, type Properties } from "../run/properties";
import type { Run } from "../run/run";
import type { AnyDefinition } from "./definition";

/**
 * Refuses a state whose properties do not have the types that every release has written: somebody has edited it, or it is
 * damaged. Its other properties may be wrong as well, so nothing is sent. Values are not checked, because a service may have new ones.
 */
export function refuseDamaged(run: Run, { name, inputs, outputs }: AnyDefinition, state: Properties): Properties {
  const shape = { ...outputs.shape, ...inputs.shape };
  const recorded = Object.keys(shape).filter((key) => key in state);
  // States of older versions, and of creations that failed, do not have all outputs. Settings are checked later.
  const needed = recorded.some((key) => key !== "organizationId") ? Object.keys(inputs.shape) : [];
  const wrong = [...new Set([...recorded, ...needed])].filter((key) => !fits(shape[key] as z.ZodType, state[key]));
  // A state of another service is refused for that reason.
  if (isOfFormerOrigin(run, state)) return state;
  refuseTwoIds(state);
  if (wrong.length === 0) return state;
  const are = wrong.length === 1 ? "is missing or has a wrong type" : "are missing or have a wrong type";
  throw new DocsError(
    `${name}: ${listNames(wrong)} in the state ${are}, so the state was edited by hand or is damaged, and nothing is changed; ` +
      "restore an earlier state with pulumi stack import, or remove the resource from the state with pulumi state delete and import it again",
  );
}

function refuseTwoIds({ user, userId }: Properties): void {
  const isNamedById = typeof user === "string" && !isEmail(user) && !containsUnknown(user);
  if (!isNamedById || typeof userId !== "string" || userId === user) return;
  throw new DocsError(
    `the state names ${user} and has the user id ${userId}: these are two people, so nothing is changed for either. ` +
      "The state was edited; correct it (pulumi stack export, pulumi stack import)",
  );
}

function fits(schema: z.ZodType, value: unknown): boolean {
  if (containsUnknown(value)) return true;
  // A service may send null for "absent".
  if (value === null && schema.safeParse(undefined).success) return true;
  return tolerant(schema).safeParse(value).success;
}

import { type Holding, stringsIn, unknown } from "../../access/holding";
import { asksForEmail, matchable, matcherOf } from "../../access/patterns";
import { canonical } from "../../access/plan-file";
import { isEmail } from "../../access/user";
import { kept, type Release } from "../../lifecycle/review";
import type { Properties } from "../../run/properties";
import { definitionOf } from "./definitions";
import type { Identity } from "./people";
import type { Resource } from "./preview";

/** The resource does not have the person any more, and no other one has: the same rules as its deletion has. */
export function releaseOf(resource: Resource, holding: Holding, person: Identity): Release {
  const { live, declared, operation } = resource;
  const { place, level } = holding;
  // What a deletion means was recorded, that of a replacement as well; a resource that stays has it declared.
  const deleted = operation === "delete" || operation === "replace" || !declared;
  if (deleted && resource.retained)
    return kept(level, "no longer managed: the resource is only forgotten (retainOnDelete)");
  if (!deleted && isIgnored(declared, person)) return kept(level, "ignored from now on");
  if (place.kind === "sso") return { after: level, note: "the mark of single sign-on can not be taken back" };
  if (!deleted && mayBeIgnored(declared, person)) {
    return {
      after: unknown,
      note: "maybe ignored, which the up decides by the e-mail: the preview has the user id alone",
    };
  }
  const options = deleted ? { ...live?.inputs, ...live?.outputs } : leavingOptions(resource, declared, person);
  const access = definitionOf(resource)?.review?.access;
  return access?.release(holding, { keys: person.keys, deleted, options, live }) ?? { after: unknown };
}

/** Who is none of the resource's business any more keeps what there is. */
function isIgnored({ ignore }: Properties, { keys }: Identity): boolean {
  const ignored = matcherOf(stringsIn(ignore));
  return keys.some((key) => ignored(matchable(key)));
}

function mayBeIgnored({ ignore }: Properties, { keys }: Identity): boolean {
  return stringsIn(ignore).some(asksForEmail) && !keys.some(isEmail);
}

/** What the resource declares for a person who leaves it while it stays. */
function leavingOptions(resource: Resource, declared: Properties, { keys }: Identity): Properties {
  return definitionOf(resource)?.review?.access?.leavingOptions?.(declared, keys) ?? declared;
}

/** The options that decide what happens to the person when a resource with these properties releases the person, as a text. */
export function releaseOptions(resource: Resource, properties: Properties, person: Identity): string {
  const { onDestroy } = properties;
  const { onDestroy: leaving, allowRaise } = leavingOptions(resource, properties, person);
  return canonical({ onDestroy, onRemoval: leaving === onDestroy ? undefined : leaving, allowRaise });
}

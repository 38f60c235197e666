import { stringsIn } from "../../access/assignments";
import { canonical } from "../../access/plan-file";
import type { RecordedAssignment } from "../../access-plan/input";
import { type Place, unknown } from "../../access-plan/place";
import { kept, type Release } from "../../lifecycle/review";
import { asksForEmail, matchable, matcherOf } from "../../people/patterns";
import { isAnonymous, isEmail } from "../../people/user";
import { containsSecret, containsUnknown, type Properties } from "../../run/properties";
import { definitionOf, inputKindOf } from "./definitions";
import { assignmentsOf } from "./holdings";
import type { Identity } from "./people";
import type { Resource } from "./preview";

/** The access after the resource releases the person, by the rules of the release itself, if no other resource takes over. */
export function releaseOf(resource: Resource, holding: RecordedAssignment, person: Identity): Release {
  const { live, declared, operation } = resource;
  const { place, level } = holding;
  // A deletion or replacement uses the recorded options; a resource that stays uses the declared ones.
  const deleted = operation === "delete" || operation === "replace" || !declared;
  if (deleted && resource.retained)
    return kept(level, `no longer managed: only removed from the state (${resource.retained})`);
  if (!deleted && isIgnored(declared, person)) return kept(level, "ignored from now on");
  if (place.kind === "sso") return { after: level, note: "the single sign-on mark cannot be removed" };
  if (!deleted && hidesRelease(resource, declared, place))
    return { after: unknown, note: "what decides it is secret, or known only during the up" };
  if (!deleted && mayBeIgnored(declared, person)) {
    return {
      after: unknown,
      note: "may be ignored: the up decides by the e-mail, and the preview has only the user id",
    };
  }
  const options = deleted ? { ...live?.inputs, ...live?.outputs } : leavingOptions(resource, declared, person);
  const access = definitionOf(resource)?.review?.access;
  return access?.release(holding, { keys: person.keys, deleted, options, live }) ?? { after: unknown };
}

/** Whether the resource ignores the person from now on, who then keeps the live access. */
function isIgnored({ ignore }: Properties, { keys }: Identity): boolean {
  const ignored = matcherOf(stringsIn(ignore));
  return keys.some((key) => ignored(matchable(key)));
}

function mayBeIgnored({ ignore }: Properties, { keys }: Identity): boolean {
  return stringsIn(ignore).some(asksForEmail) && !keys.some(isEmail);
}

/** Kept with the declaration, because it is used once for each person. */
const hiddenNames = new WeakMap<Properties, readonly string[]>();

/** Whether the preview does not show an option, who is ignored, or who is still declared. */
function hidesRelease(resource: Resource, declared: Properties, { kind }: Place): boolean {
  const decides = (name: string) => inputKindOf(definitionOf(resource), name) !== undefined;
  const isHidden = (value: unknown) => containsUnknown(value) || containsSecret(value);
  // A map of people is only searched if the whole of it is hidden.
  const mayHide = (name: string) => decides(name) || typeof declared[name] === "string";
  const hidden =
    hiddenNames.get(declared) ?? Object.keys(declared).filter((name) => mayHide(name) && isHidden(declared[name]));
  hiddenNames.set(declared, hidden);
  if (hidden.length === 0 || hidden.some(decides)) return hidden.length > 0;
  return assignmentsOf(resource, declared, "").some(({ user, place }) => place.kind === kind && isAnonymous(user));
}

/** The options for a person who is no longer declared, while the resource stays. */
function leavingOptions(resource: Resource, declared: Properties, { keys }: Identity): Properties {
  return definitionOf(resource)?.review?.access?.leavingOptions?.(declared, keys) ?? declared;
}

/** The options that decide what happens to the person when a resource with these properties releases the person, as a text. */
export function releaseOptions(resource: Resource, properties: Properties, person: Identity): string {
  const { onDestroy } = properties;
  const { onDestroy: leaving, allowRaise } = leavingOptions(resource, properties, person);
  return canonical({ onDestroy, onRemoval: leaving === onDestroy ? undefined : leaving, allowRaise });
}

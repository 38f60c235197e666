import { asksForEmail, matchable, matcherOf } from "../../access/patterns";
import { canonical } from "../../access/plan-file";
import { isEmail, userKey } from "../../access/user";
import { roles } from "../../api/groups/shared";
import type { Properties } from "../../run/properties";
import { type Holding, nothing, previousRoleIn, stringsIn, unknown } from "./holdings";
import type { Identity } from "./people";
import type { Moment, Resource } from "./preview";

/** What giving up somebody comes to, by the options of the resource: the same rules as its deletion has. */
export interface Release {
  readonly after: string;
  readonly note?: string;
}

/** The resource does not have the person any more, and no other one has. */
export function releaseOf(resource: Resource, { place, level }: Holding, person: Identity): Release {
  const { live, declared, operation } = resource;
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
  const options = deleted ? optionsOf(live) : leavingOptions(declared, person);
  if (place.kind === "role") {
    const raising = { ...options, allowRaise: mayRaise(options, person) };
    return roleAfter(raising, level, live && previousRoleIn(live, person.keys));
  }
  const whole = deleted && resource.type === "TeamMembers";
  if (whole && options.onDestroy === "leave") return kept(level, "no longer managed");
  if (whole && wasFound(live, person)) return kept(level, "was never declared");
  return { after: nothing };
}

/** Who is none of the resource's business any more keeps what there is. */
function isIgnored({ ignore }: Properties, { keys }: Identity): boolean {
  const ignored = matcherOf(stringsIn(ignore));
  return keys.some((key) => ignored(matchable(key)));
}

function mayBeIgnored({ ignore }: Properties, { keys }: Identity): boolean {
  return stringsIn(ignore).some(asksForEmail) && !keys.some(isEmail);
}

/** What the resource declares for those who leave it while it stays; see `onRemoval` and `onRemovalOf` of `MemberRoles`. */
function leavingOptions(declared: Properties, { keys }: Identity): Properties {
  const { onRemoval = declared.onDestroy, onRemovalOf } = declared;
  const single = Object.entries(onRemovalOf ?? {}).find(([user]) => keys.includes(userKey(user)));
  return { ...declared, onDestroy: single?.[1] ?? onRemoval };
}

/** Whether the resource may bring back a more powerful role of this person; see `allowRaiseOf` of `MemberRoles`. */
const mayRaise = ({ allowRaise, allowRaiseOf }: Properties, { keys }: Identity): unknown =>
  stringsIn(allowRaiseOf).some((user) => keys.includes(userKey(user))) ? true : allowRaise;

/** The options that decide what happens to the person when a resource with these properties releases the person, as a text. */
export function releaseOptions(properties: Properties, person: Identity): string {
  const { onDestroy } = properties;
  const leaving = leavingOptions(properties, person).onDestroy;
  return canonical({
    onDestroy,
    onRemoval: leaving === onDestroy ? undefined : leaving,
    allowRaise: mayRaise(properties, person),
  });
}

function optionsOf(moment: Moment | undefined): Properties {
  return { ...moment?.inputs, ...moment?.outputs };
}

function roleAfter(options: Properties, now: string, previous: string | undefined): Release {
  const { onDestroy = "restore", allowRaise } = options;
  if (onDestroy === "leave") return kept(now, "no longer managed");
  if (onDestroy === "guest") return { after: "guest" };
  if (onDestroy === "remove") return { after: nothing, note: "removed from the organization, with every team" };
  if (previous === undefined)
    return { after: unknown, note: "no longer managed, gets the role back that was found at first" };
  if (previous === now) return kept(now, "no longer managed; it is the role found at first");
  if (rank(previous) > rank(now) && allowRaise !== true) {
    return kept(now, "no longer managed; giving back the role found at first would raise it");
  }
  return { after: previous, note: "no longer managed, gets the role back that was found at first" };
}

const kept = (after: string, note: string): Release => ({ after, note });

function wasFound(live: Moment | undefined, { keys }: Identity): boolean {
  const { found } = live?.outputs ?? {};
  return Array.isArray(found) && found.some((userId) => keys.includes(String(userId)));
}

const ladder = [nothing, "guest", ...[...roles].reverse(), "member", "owner", "sso"];

/** The more it allows, the higher it stands; -1 for what nobody can tell. */
export const rank = (level: string): number => ladder.indexOf(level);

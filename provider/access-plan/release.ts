import { userKey } from "../people/user";
import { isLower, nothing } from "./place";

export const releases = ["restore", "leave", "guest", "remove"] as const;
export type ReleaseOption = (typeof releases)[number];

/** What happens to members of the organization whose role no manager declares. */
export const othersOptions = ["keep", "refuse", "guest", "remove"] as const;

export interface ReleaseOccasions {
  /** The manager is deleted. */
  readonly destroy?: ReleaseOption | undefined;
  /** A person is no longer declared while the manager stays; by default, as `destroy`. `people` have options of their own. */
  readonly removal?: ReleaseOption | undefined;
  readonly people?: Readonly<Record<string, ReleaseOption>> | undefined;
}

export interface ReleaseOptions {
  readonly onRelease?: ReleaseOption | ReleaseOccasions | undefined;
  readonly allowRaise?: boolean | undefined;
  readonly allowRaiseOf?: readonly string[] | undefined;
}

export interface PersonalOptions {
  readonly option: ReleaseOption | undefined;
  readonly allowRaise: boolean;
}

type Occasion = "destroy" | "removal";

/** The options for a person on one occasion. `keys` are the names by which options may list the person. */
export function optionsFor(options: ReleaseOptions, keys: readonly string[], occasion: Occasion): PersonalOptions {
  const { destroy, removal } = occasionsOf(options);
  const { personal, raisable } = personalOptionsIn(options);
  const ofPerson = keys.map((key) => personal.get(key)).find(Boolean);
  return {
    option: occasion === "destroy" ? destroy : (ofPerson ?? removal),
    allowRaise: options.allowRaise || keys.some((key) => raisable.has(key)),
  };
}

export function occasionsOf({ onRelease }: ReleaseOptions): ReleaseOccasions {
  const occasions: ReleaseOccasions = typeof onRelease === "object" ? onRelease : { destroy: onRelease };
  return { ...occasions, removal: occasions.removal ?? occasions.destroy };
}

/** The index of each set of options is kept, because `optionsFor` is called once for each person. */
const indexes = new WeakMap<ReleaseOptions, ReturnType<typeof indexNames>>();

/** The names in the options: `personal` has the option of each person named in `onRelease`, `raisable` is `allowRaiseOf`. */
export function personalOptionsIn(options: ReleaseOptions) {
  const names = indexes.get(options) ?? indexNames(options);
  indexes.set(options, names);
  return names;
}

/** The people with the option `restore` or `leave` of their own: `others` does not decide about them. */
export const keptIn = (options: ReleaseOptions): string[] =>
  [...personalOptionsIn(options).personal].flatMap(([user, option]) =>
    option === "restore" || option === "leave" ? user : [],
  );

const indexNames = (options: ReleaseOptions) => ({
  personal: new Map(Object.entries(occasionsOf(options).people ?? {}).map(([user, option]) => [userKey(user), option])),
  raisable: new Set((options.allowRaiseOf ?? []).map(userKey)),
});

/** Why a person has the level after a release. */
export type ReleaseReason =
  /** The option `leave`, or a manager that is only removed from the state. */
  | "left alone"
  /** The previous role is the live one. */
  | "same"
  /** The previous role is higher than the live one. */
  | "would raise"
  | "restored"
  | "guest"
  | "removed";

export function releaseRole(
  level: string,
  previous: string | undefined,
  { option = "restore", allowRaise }: PersonalOptions,
): { readonly after: string; readonly reason: ReleaseReason } {
  if (level === nothing || option === "leave") return { after: level, reason: "left alone" };
  if (option === "remove") return { after: nothing, reason: "removed" };
  if (option === "guest") return { after: "guest", reason: "guest" };
  // The state of an imported resource may have no previous role.
  if (previous === undefined || previous === level) return { after: level, reason: "same" };
  if (isLower(level, previous) && !allowRaise) return { after: level, reason: "would raise" };
  return { after: previous, reason: "restored" };
}

import { isPartOf, isUnseenLoss } from "../access-plan/change";
import { nothing, type Place, secret, unknown } from "../access-plan/place";
import { type Matchable, matcherOf } from "../people/patterns";
import { isAnonymous, isEmail } from "../people/user";
import type { PlannedAccess } from "./plan-file";

/** A change of access that a resource is about to make. A change of the access plan is one. */
export interface AccessWrite {
  readonly person: { readonly userId?: string; readonly keys: readonly string[] };
  readonly place: Place;
  readonly before: string;
  readonly after: string;
}

/** The changes of access that a reviewed plan allows, by person. */
export class PlannedChanges {
  private readonly byName = new Map<string, PlannedAccess[]>();
  /** Those that do not name a person: a hidden one, or everybody else in a team. */
  private readonly unnamed: PlannedAccess[] = [];
  /** Who stays in a team from which everybody else is removed: patterns are compiled once, and not for each write. */
  private readonly staying = new Map<PlannedAccess, (user: Matchable) => boolean>();

  constructor(access: readonly PlannedAccess[]) {
    for (const one of access.filter(({ change }) => ["gains", "loses", "changes"].includes(change))) {
      const { keys, except } = one.user;
      if (except) this.staying.set(one, matcherOf(except));
      if (keys.length === 0 || keys.every(isAnonymous)) this.unnamed.push(one);
      for (const key of keys) this.byName.set(key, [...(this.byName.get(key) ?? []), one]);
    }
  }

  /** Whether the plan has the change, or more than it. Nobody may lose a level that the review did not show. */
  allows(write: AccessWrite): boolean {
    return this.listed(write).some((one) => !isUnseenLoss(write, one));
  }

  /** Whether the plan has the level after the change, and only the review did not show that it is a loss. */
  hidesLoss(write: AccessWrite): boolean {
    return this.listed(write).length > 0 && !this.allows(write);
  }

  /** A level or team that the plan hides may be any. */
  private listed({ person, place, before, after }: AccessWrite): PlannedAccess[] {
    const candidates = [...person.keys.flatMap((key) => this.byName.get(key) ?? []), ...this.unnamed];
    return candidates.filter(
      (one) =>
        this.isOf(one, person) && isAt(one.place, place) && (isHidden(one.after) || isPartOf({ before, after }, one)),
    );
  }

  /** A person is the same by the reviewed id, otherwise by any name: an e-mail that nobody has now is nobody's. */
  private isOf(one: PlannedAccess, { userId, keys }: AccessWrite["person"]): boolean {
    const stays = this.staying.get(one);
    if (stays) return !stays({ userId, email: keys.find(isEmail) });
    return one.user.userId === undefined || one.user.userId === userId;
  }

  /** The level before the plan, of a person who has the level after it. */
  before(userId: string, place: Place, now: string): string | undefined {
    const done = (this.byName.get(userId) ?? []).find((one) => isAt(one.place, place) && one.after === now);
    return done && !isHidden(done.before) && done.before !== nothing ? done.before : undefined;
  }
}

const isHidden = (level: string): boolean => level === unknown || level === secret;

const isAt = (planned: Place, { kind, team = "", organization }: Place): boolean =>
  planned.kind === kind &&
  (planned.team === undefined || isHidden(planned.team) || planned.team === team) &&
  ["", organization].includes(planned.organization);

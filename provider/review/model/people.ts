import type { Moment } from "../../lifecycle/review";
import { idAmong, isAnonymous, isEmail, userKey } from "../../people/user";
import { propertiesIn, secretValue, unknownValue } from "../../run/properties";
import { liveAccessOf } from "./notes";
import type { Resource } from "./preview";

/** A person with all known names: user ids, and e-mails in any case. */
export interface Identity {
  readonly id: string;
  readonly name: string;
  readonly userId: string | undefined;
  /** All keys of this person, sorted. */
  readonly keys: readonly string[];
}

/** An e-mail that belongs to another person by now. */
export interface PassedOn {
  readonly email: string;
  /** Ids of the users. */
  readonly before: string;
  readonly now: string;
  /** A resource keeps the person of its state: the e-mail stands for both. */
  readonly kept: boolean;
}

/** The names in a state, as they are spelled, with the user ids that it has for them. */
export function linksIn(moment: Moment | undefined): ReadonlyMap<string, string> {
  if (!moment) return new Map();
  const known = links.get(moment) ?? readLinks(moment);
  links.set(moment, known);
  return known;
}

/** Kept with the moment: a state may have thousands of names, which are asked for several times. */
const links = new WeakMap<Moment, ReadonlyMap<string, string>>();

function readLinks({ inputs, outputs }: Moment): ReadonlyMap<string, string> {
  const all = [[outputs.user ?? inputs.user, outputs.userId], ...Object.entries(propertiesIn(outputs.userIds))];
  return new Map(all.filter((link): link is [string, string] => link.every((one) => typeof one === "string")));
}

/** The names that have another user id than in the state before the refresh. */
function linksFoundIn({ live, recorded }: Resource): [name: string, userId: string][] {
  const before = linksIn(recorded);
  return recorded ? [...linksIn(live)].filter(([name, userId]) => before.get(name) !== userId) : [];
}

/** Joins the names of each person: an e-mail and the user id that a state has for it are one person. */
export class People {
  private readonly parents = new Map<string, string>();
  private readonly spellings = new Map<string, string>();
  private groups: Map<string, string[]> | undefined;
  /** The user who has an e-mail now, by the e-mail's key. */
  private readonly owners = new Map<string, string>();
  /** E-mails that belonged to somebody else when the stack last ran. */
  readonly passedOn: PassedOn[] = [];

  constructor(resources: readonly Resource[]) {
    // The refresh keeps a recorded person under an e-mail that somebody else has now, and changes an id only if it has looked it up.
    for (const [name, userId] of resources.flatMap(linksFoundIn)) this.join(name, userId);
    for (const [name, userId] of resources.flatMap(({ live }) => [...linksIn(live)])) this.join(name, userId, true);
    for (const [name, userId] of resources.flatMap(({ recorded }) => [...linksIn(recorded)])) this.join(name, userId);
    for (const { user, userId } of liveAccessOf({ resources })) if (userId !== undefined) this.join(user, userId);
  }

  /** The person with a name of the preview, or with the key of a hidden person. */
  of(name: string): Identity {
    const root = this.root(this.add(name));
    this.groups ??= this.grouped();
    const keys = this.groups.get(root) ?? [root];
    const userId = idAmong(keys);
    const email = keys.find((key) => isEmail(key) && !isAnonymous(key));
    const shown = email ?? userId ?? root;
    return { id: userId ?? email ?? root, name: this.spellings.get(shown) ?? shown, userId, keys };
  }

  /** Everybody with a name that was added. */
  all(): Identity[] {
    this.groups ??= this.grouped();
    return [...this.groups.keys()].map((root) => this.of(root));
  }

  /** Joins two names. Different user ids are always different people, even if a state joins them. */
  private join(a: string, b: string, kept = false): void {
    if ([a, b].some((name) => name === secretValue || name === unknownValue)) return;
    if (isEmail(a) ? !this.recordOwner(a, b, kept) : a !== b) return;
    const [first, second] = [this.root(this.add(a)), this.root(this.add(b))];
    if (first !== second) this.parents.set(second, first);
    this.groups = undefined;
  }

  private recordOwner(email: string, userId: string, kept: boolean): boolean {
    const owner = this.owners.get(userKey(email)) ?? userId;
    this.owners.set(userKey(email), owner);
    if (owner === userId) return true;
    const known = this.passedOn.some((one) => one.before === userId && one.email === email);
    if (!known) this.passedOn.push({ email, before: userId, now: owner, kept });
    return false;
  }

  /** Adds a name and returns its key. */
  add(name: string): string {
    const key = userKey(name);
    if (!this.parents.has(key)) {
      this.parents.set(key, key);
      this.groups = undefined;
    }
    if (!this.spellings.has(key)) this.spellings.set(key, name);
    return key;
  }

  private root(key: string): string {
    let root = key;
    for (let above = this.parents.get(root); above !== undefined && above !== root; above = this.parents.get(root)) {
      root = above;
    }
    this.parents.set(key, root);
    return root;
  }

  private grouped(): Map<string, string[]> {
    const groups = new Map<string, string[]>();
    for (const key of [...this.parents.keys()].sort()) {
      const root = this.root(key);
      const group = groups.get(root);
      if (group) group.push(key);
      else groups.set(root, [key]);
    }
    return groups;
  }
}

import type { ResourceSnapshot } from "../../lifecycle/review";
import { isAnonymous, isEmail, userKey } from "../../people/user";
import { isUnseen, propertiesIn } from "../../run/properties";
import { liveAccessOf } from "./component-notes";
import type { Resource } from "./preview";

/** A person with all known names: user ids, and e-mails in any case. */
export interface KnownPerson {
  readonly id: string;
  readonly name: string;
  readonly userId: string | undefined;
  readonly keys: readonly string[];
}

/** An e-mail that belongs to another person by now. */
export interface PassedOn {
  readonly email: string;
  /** Ids of the users. */
  readonly before: string;
  readonly now: string;
  /** A resource still manages the previous owner, so the e-mail stands for both people. */
  readonly kept: boolean;
}

/** The names in a state, as they are spelled, with the user ids that it has for them. */
export function linksIn(snapshot: ResourceSnapshot | undefined): ReadonlyMap<string, string> {
  if (!snapshot) return new Map();
  const cached = links.get(snapshot) ?? readLinks(snapshot);
  links.set(snapshot, cached);
  return cached;
}

/** Kept with the snapshot: a state may have thousands of names, which are asked for several times. */
const links = new WeakMap<ResourceSnapshot, ReadonlyMap<string, string>>();

function readLinks({ inputs, outputs }: ResourceSnapshot): ReadonlyMap<string, string> {
  const all = [[outputs.user ?? inputs.user, outputs.userId], ...Object.entries(propertiesIn(outputs.userIds))];
  const isShown = (one: unknown) => typeof one === "string" && !isUnseen(one);
  return new Map(all.filter((link): link is [string, string] => link.every(isShown)));
}

/** The names that have another user id than in the state before the refresh. */
function linksFoundIn({ live, recorded }: Resource): [name: string, userId: string][] {
  const before = linksIn(recorded);
  return recorded ? [...linksIn(live)].filter(([name, userId]) => before.get(name) !== userId) : [];
}

/** Knows the names of each person: an e-mail and the user id that a state has for it are one person. */
export class People {
  /** E-mails that belonged to somebody else when the stack last ran. */
  readonly passedOn: PassedOn[] = [];
  /** E-mails of which a component says that no member has them, also if a state has them for somebody who has left. */
  readonly unjoined: ReadonlySet<string>;
  /** The user who has an e-mail now, by the e-mail's key. */
  private readonly owners = new Map<string, string>();
  /** E-mails by user id, as keys. */
  private readonly emails = new Map<string, Set<string>>();
  private readonly spellings = new Map<string, string>();

  constructor(resources: readonly Resource[]) {
    // First those that the refresh has looked up and changed: an unchanged id may be that of a previous owner of the e-mail.
    for (const [name, userId] of resources.flatMap(linksFoundIn)) this.link(name, userId);
    // Then those that components have just looked up for their live access.
    const live = liveAccessOf({ resources });
    for (const { user, userId } of live) if (userId !== undefined) this.link(user, userId);
    this.unjoined = new Set(live.flatMap(({ user, userId }) => (userId === undefined ? userKey(user) : [])));
    // A resource still manages the people in its live state, but no longer those that only the recorded state has.
    for (const [name, userId] of resources.flatMap(({ live }) => [...linksIn(live)]))
      this.link(name, userId, { kept: true });
    for (const [name, userId] of resources.flatMap(({ recorded }) => [...linksIn(recorded)])) this.link(name, userId);
  }

  /** The person with a name of the preview, or with the key of a hidden person. */
  of(name: string): KnownPerson {
    const key = userKey(name);
    this.noteSpelling(name);
    const owner = this.unjoined.has(key) ? undefined : this.owners.get(key);
    const userId = owner ?? (isEmail(key) || isAnonymous(key) ? undefined : key);
    if (userId === undefined) return { id: key, name: this.spellings.get(key) ?? key, userId, keys: [key] };
    const keys = [userId, ...(this.emails.get(userId) ?? [])].sort();
    const nameKey = keys.find(isEmail) ?? userId;
    return { id: userId, name: this.spellings.get(nameKey) ?? nameKey, userId, keys };
  }

  /** Everybody with an e-mail and a user id. */
  linked(): KnownPerson[] {
    return [...this.emails.keys()].map((userId) => this.of(userId));
  }

  /** Links an e-mail to a user id. The first link of an e-mail counts; `kept` is as in `PassedOn`. */
  private link(email: string, userId: string, { kept } = { kept: false }): void {
    if (!isEmail(email)) return;
    const key = userKey(email);
    this.noteSpelling(email);
    const owner = this.owners.get(key) ?? userId;
    this.owners.set(key, owner);
    this.emails.set(owner, (this.emails.get(owner) ?? new Set()).add(key));
    const isKnown = this.passedOn.some((one) => one.before === userId && one.email === email);
    if (owner !== userId && !isKnown) this.passedOn.push({ email, before: userId, now: owner, kept });
  }

  /** The first spelling of a name is the one to show. */
  private noteSpelling(name: string): void {
    const key = userKey(name);
    if (!this.spellings.has(key)) this.spellings.set(key, name);
  }
}

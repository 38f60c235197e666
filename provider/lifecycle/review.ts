import type { Holding, OrganizationGiver } from "../access/holding";
import type { Properties } from "../run/properties";
import { type Words, words } from "../text/words";

/** Inputs and outputs of a resource at one moment, as a preview or a state shows them: a secret has a mark in its place. */
export interface Moment {
  readonly inputs: Properties;
  readonly outputs: Properties;
}

export type Operation = "create" | "update" | "replace" | "delete" | "same";

/** A property that differs, values as they may be shown: masked, a certificate by its fingerprint. */
export interface PropertyChange {
  readonly name: string;
  /** Absent if it was not declared, or the resource was not there. */
  readonly before?: unknown;
  readonly after?: unknown;
  /** What the state has, if somebody has changed it since. */
  readonly recorded?: unknown;
  /** It says how the package works, and sends nothing to the service. */
  readonly option: boolean;
  /** It says which people are managed: what that sends stands with the people. */
  readonly selection?: true;
  /** URNs of the resources that a value comes from that is known only during the up. */
  readonly sources?: readonly string[];
}

/** A resource as a reader knows it. */
export interface Titled {
  readonly name: string;
  /** What people know it by: a title, a label, languages. */
  readonly title?: string;
  /** Others have its type and name: the name says below which parents it is. */
  readonly shared?: true;
}

/** A resource by what people know it by. */
export function titleWords({ title, name, shared }: Titled): Words {
  if (title === undefined || title === name) return words`${name}`;
  return shared ? words`${title} (${name})` : words`${title}`;
}

/** What a preview shows of one resource, also of one that stays as it is. */
export interface Change extends Titled {
  readonly operation: Operation;
  /** As the state has it; absent if nothing was refreshed, or the resource is new. */
  readonly recorded: Moment | undefined;
  /** As it is: found by the refresh, else as the state has it. */
  readonly live: Moment | undefined;
  /** The inputs that the program declares. */
  readonly declared: Properties | undefined;
  /** The properties that the review lists. */
  readonly properties: readonly PropertyChange[];
  /** The engine only forgets it if it is deleted or replaced (`retainOnDelete`). */
  readonly retained: boolean;
  /** Name of a new resource of the same type with the same title. */
  readonly successor?: string;
}

export type Severity = "high" | "medium";

/** A risk of a change. Its kind stays the same in later versions. */
export interface Finding {
  readonly kind: string;
  readonly severity: Severity;
  readonly text: Words;
}

/** What somebody has once no resource manages it. */
export interface Release {
  readonly after: string;
  readonly note?: string;
}

export const kept = (after: string, note: string): Release => ({ after, note });

/** How a resource comes to release somebody. */
export interface Releasing {
  /** Ids and e-mails of the person. */
  readonly keys: readonly string[];
  /** It is deleted or replaced. Otherwise it stays and no longer has the person. */
  readonly deleted: boolean;
  /** What a deletion means was recorded; a resource that stays has it declared. */
  readonly options: Properties;
  readonly live: Moment | undefined;
}

/** Which access a resource gives to people. */
export interface AccessReview {
  /** Who has what by these properties, as declared or as a state has them; values may be masked. */
  holdings(properties: Properties, giver: OrganizationGiver): Holding[];
  /** What a person has after the release: the same rules as the lifecycle has. */
  release(holding: Holding, releasing: Releasing): Release;
  /** The options for a person whom the resource no longer declares while it stays; by default its own. */
  leavingOptions?(declared: Properties, keys: readonly string[]): Properties;
}

/** How a review tells of a resource. Without it, a change is listed by type and name among the other resources. */
export interface ReviewPart {
  /** What it is, in front of its title: `site`, or `adaptive schema of` for a part of one. */
  readonly noun?: string;
  /** The part of the review that lists its changes. */
  readonly section?: "sites" | "translations";
  /** What people know it by; by default its `title` or `label`. Values may be masked. */
  readonly title?: (properties: Properties) => unknown;
  /** Which access it gives: a review shows what that does to people, and of its own properties the options only. */
  readonly access?: AccessReview;
  /** It lets people sign in: the inputs with the role and the team that a first sign-in gives. */
  readonly signIn?: { readonly role: string; readonly team: string };
  /** What somebody should look at before a change of it is applied. */
  readonly risks?: (change: Change) => Finding[];
  /** Kinds of risks that come from what a creation declares: the update that completes one has them again. */
  readonly risksOfCompletion?: readonly string[];
  /** How values are shown whose text says nothing to a reader, by input. */
  readonly shown?: Readonly<Record<string, (value: string) => string>>;
}

/** How an audit counts what a resource declares. The people of `review.access` need no kind, and what a file cannot declare has none. */
export interface AuditPart {
  /** The kind of object, as the sections of the file compare it with what is live. */
  readonly kind: string;
}

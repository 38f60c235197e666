import { createHash } from "node:crypto";
import { z } from "zod";
import { isEmail } from "../../access/members";
import { DocsError } from "../../api/http/errors";
import type { Properties } from "../../run/properties";
import { plain } from "../../text/words";
import { type Access, isAccepted, isLeft } from "../model/access";
import { endText, type GrantEnd } from "../model/grant-ends";
import { nothing, secret, unknown } from "../model/holdings";
import { isUnseen, unknownValue } from "../model/masks";
import { idAmong } from "../model/people";
import type { PropertyChange, ResourceChange } from "../model/properties";
import { levelWords, missingWords, placeWords } from "../model/sentences";
import { unseen } from "../redeclared";
import type { Review } from "../review";

const entry = z.strictObject({
  /** What kind of change it is: a grant, a removal, another change, a risk, or a resource. */
  kind: z.enum(["grant", "removal", "change", "risk", "resource"]),
  /** What it does, without the names of the person. */
  what: z.string(),
  /** Whom or what it is about. */
  subject: z.string(),
  /** All names of a person. Of two people with an id the id decides, otherwise an e-mail that both have. */
  keys: z.array(z.string()).optional(),
  /** What a person has afterwards, whoever has brought it about. */
  outcome: z.string().optional(),
  /** Somebody has brought it about by hand, so that nothing is left to be done. */
  done: z.literal(true).optional(),
  /** A part of it is a secret or known only during the up, which cannot be compared. */
  hidden: z.literal(true).optional(),
  /** Of a resource; plans of version 1 have neither. A resource to be created has no id. */
  urn: z.string().optional(),
  id: z.string().optional(),
});
export type Entry = z.output<typeof entry>;

const content = z.strictObject({
  format: z.literal("docs-org plan"),
  version: z.union([z.literal(1), z.literal(2)]),
  project: z.string(),
  stack: z.string(),
  organizations: z.array(z.string()),
  /** The preview that was reviewed had failed: nothing of it may be applied. */
  refused: z.boolean(),
  refreshed: z.boolean(),
  partial: z.boolean(),
  /** The user ids that e-mails stand for, as far as the preview knows them. */
  users: z.record(z.string(), z.string()).optional(),
  /** What the resources declare that change, by URN and property; plans of version 1 do not tell. */
  declared: z.record(z.string(), z.record(z.string(), z.string())).optional(),
  entries: z.array(entry),
});
const file = content.extend({ checksum: z.string() });

/** Everything that a review showed, in an order of its own. */
export type Plan = z.output<typeof content>;

export function planOf(review: Review): Plan {
  const { project, stack, organizations, refreshed, partial, refusals } = review;
  const entries = [
    ...accessEntries(review),
    ...review.grantEnds.map((one) => endEntry(one, review)),
    ...signInEntries(review),
    ...riskEntries(review),
    ...[...review.sites, ...review.translations, ...review.others].flatMap(resourceEntries),
    ...review.accessResources.map((one): Entry => ({ kind: "resource", what: one.operation, ...resourceOf(one) })),
  ];
  const position = ({ kind, subject, what, urn }: Entry) => JSON.stringify([kind, subject, what, urn]);
  return {
    format: "docs-org plan",
    version: 2,
    project,
    stack,
    organizations: [...organizations],
    refused: refusals.length > 0,
    refreshed,
    partial,
    users: usersOf(review.people.map(({ keys }) => keys)),
    declared: declaredIn(review),
    entries: entries.sort((a, b) => compared(position(a), position(b))),
  };
}

function declaredIn({ declarations }: Review): Record<string, Record<string, string>> {
  const text = (value: unknown) => (isUnseen(value) ? unseen : canonical(value));
  const texts = (declared: Properties) =>
    Object.fromEntries(Object.entries(declared).map(([name, value]) => [name, text(value)]));
  const sorted = Object.entries(declarations).sort(([a], [b]) => compared(a, b));
  return Object.fromEntries(sorted.map(([urn, declared]) => [urn, texts(declared)]));
}

/** The user ids that e-mails stand for, by the names of each person. */
function usersOf(people: readonly (readonly string[])[]): Record<string, string> {
  const known = people.flatMap((keys) => {
    const id = idAmong(keys);
    return id === undefined ? [] : keys.filter(isEmail).map((email): [string, string] => [email, id]);
  });
  return Object.fromEntries(known.sort(([a], [b]) => compared(a, b)));
}

/** The same of a plan; one of version 1 tells it of those who change. */
export const usersIn = ({ users, entries }: Plan): Readonly<Record<string, string>> =>
  users ?? usersOf(entries.map(({ keys = [] }) => keys));

function accessEntries(review: Review): Entry[] {
  return review.people.flatMap(({ id: subject, keys, access, hidden }) => {
    const changes = access.filter((one) => one.effect !== "none" || isLeft(one) || isAccepted(one));
    return changes.map((one): Entry => {
      const unseen = hidden || [one.after, one.place.team].some((level) => level === secret || level === unknown);
      const outcome = whatOf(one, review);
      return {
        kind: kinds[one.effect],
        what: outcome + restOf(one),
        subject,
        keys: [...keys],
        outcome,
        ...(isAccepted(one) && { done: true as const }),
        ...(unseen && { hidden: true as const }),
      };
    });
  });
}

/** Who only loses something has no end to agree on. */
function restOf(access: Access): string {
  const { effect, grant } = access;
  if (isLeft(access)) return ", no longer managed";
  if (isAccepted(access)) return ", as it was changed by hand";
  return effect === "loses" || grant?.expires === undefined ? "" : ` ${endText(grant)}`;
}

function endEntry({ id: subject, keys, place, after }: GrantEnd, { organizations }: Review): Entry {
  const where = plain(placeWords(place, { organizations, teams: {} }));
  return { kind: "change", what: `${where}: granted ${endText(after)}`, subject, keys: [...keys] };
}

const kinds = { gains: "grant", loses: "removal", changes: "change", none: "change" } as const;

/** The end of it counts: from where it comes is in the kind. */
function whatOf({ place, after }: Access, { organizations }: Review): string {
  return plain([...placeWords(place, { organizations, teams: {} }), " ", ...levelWords(after, place.kind)]);
}

function signInEntries({ signIns }: Review): Entry[] {
  return signIns.map((one) => {
    const { role, team, removed, created, unseen } = one;
    const what = removed
      ? "removed"
      : `first sign-in: role ${levelOf(role.after, "its own choice")}, team ${levelOf(team.after, "its own choice")}`;
    return {
      kind: removed ? "removal" : "grant",
      what,
      subject: one.name,
      ...identityOf({ ...one, operation: created ? "create" : "update" }),
      ...(unseen && { hidden: true as const }),
    };
  });
}

const levelOf = (level: string, own: string) =>
  ({ [unknown]: own, [nothing]: "none", [secret]: "secret" })[level] ?? level;

/** A risk of a person has all names of the person, for the state may know more of them by the time of the up. */
function riskEntries({ risks, people }: Review): Entry[] {
  const keys = new Map(people.map((person) => [person.id, [...person.keys]]));
  return risks.map(({ kind, subject, text }) => {
    const names = keys.get(subject);
    // No other entry has what guards are: which of them protects less is a part of what was reviewed.
    const what = kind === "guards-weaker" ? text : kind;
    return { kind: "risk", what, subject, ...(names && { keys: names }) };
  });
}

/** One for each property: where somebody has done a part by hand, the rest was reviewed all the same. */
function resourceEntries(change: ResourceChange): Entry[] {
  const resource = resourceOf(change);
  const { properties, unseen } = change;
  return [
    { kind: "resource", what: operationOf(change), ...resource, ...(unseen && { hidden: true as const }) },
    ...properties.map((one): Entry => {
      const hidden = isUnseen(one.after) && !isOfNewSite(one, change);
      const what = `${one.name}: ${valueText(one, change)}`;
      return { kind: "resource", what, ...resource, ...(hidden && { hidden: true as const }) };
    }),
  ];
}

const operationOf = ({ operation, retained }: ResourceChange): string =>
  retained ? `${operation}, and the old one stays (retainOnDelete)` : operation;

function valueText(property: PropertyChange, change: ResourceChange): string {
  if (!("after" in property)) return missingWords(property);
  if (isOfNewSite(property, change)) return `the id of ${property.sources?.join()}`;
  return canonical(property.after).replaceAll(unknownValue, "known during the up");
}

/**
 * The component gives a resource the id of the site that it has just declared. In a program, an unknown value may be made of
 * anything that the resource named as its source has.
 */
function isOfNewSite({ name, after, sources = [] }: PropertyChange, { urn }: ResourceChange): boolean {
  const component = /^urn:pulumi:[^:]+::[^:]+::docs:index:Organization\$pulumi-nodejs:dynamic\/docs:/.exec(urn)?.[0];
  const isSite = sources.length === 1 && sources[0]?.startsWith(`${component}Site::`);
  return component !== undefined && isSite === true && name === "siteId" && after === unknownValue;
}

type Named = Pick<ResourceChange, "urn" | "type" | "name" | "id" | "operation">;

const resourceOf = (one: Named): Pick<Entry, "subject" | "urn" | "id"> => ({
  subject: `${one.type} ${one.name}`,
  ...identityOf(one),
});

/** What is to be created has no id yet, or no longer the one that it had. */
const identityOf = ({ urn, id, operation }: Omit<Named, "type" | "name">): Pick<Entry, "urn" | "id"> => ({
  urn,
  ...(id !== undefined && operation !== "create" && { id }),
});

/** The plan as it is stored: canonical, and with a checksum that tells a slip of the hand, not a forger. */
export function writePlan(plan: Plan): string {
  return `${JSON.stringify({ ...plan, checksum: checksumOf(plan) }, undefined, 2)}\n`;
}

export function readPlan(text: string, source: string): Plan {
  const again = "make it again with docs-org review --plan";
  const result = file.safeParse(parsed(text));
  if (!result.success)
    throw new DocsError(`${source} is not a plan that this version of docs-org has written; ${again}`);
  const { checksum, ...plan } = result.data;
  if (checksum !== checksumOf(plan)) {
    throw new DocsError(`${source} was changed after it was written: its checksum does not fit; ${again}`);
  }
  return plan;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // What it is instead makes no difference: it is refused as no plan.
    return undefined;
  }
}

const checksumOf = (plan: Plan): string => createHash("sha256").update(canonical(plan)).digest("hex");

/** JSON with sorted keys. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  const sorted = entries.sort(([a], [b]) => compared(a, b));
  return `{${sorted.map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`).join()}}`;
}

/** By code units: the same on every machine. */
const compared = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

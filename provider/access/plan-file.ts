import { createHash } from "node:crypto";
import { z } from "zod";
import { DocsError } from "../api/http/errors";
import { idAmong, isEmail } from "./user";

const entry = z.strictObject({
  /** What kind of change it is: a grant, a removal, another change, a risk, or a resource. */
  kind: z.enum(["grant", "removal", "change", "risk", "resource"]),
  /** What it does, without the names of the person. */
  what: z.string(),
  /** The person or resource that it is about. */
  subject: z.string(),
  /** All names of a person. Of two people with an id the id decides, otherwise an e-mail that both have. */
  keys: z.array(z.string()).optional(),
  /** The access of the person afterwards, by this change or by hand. */
  outcome: z.string().optional(),
  /** It was brought about by hand, so nothing is left to do. */
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
  /** The options that decide about the release of each person in a place; plans of older versions do not tell. */
  releases: z.array(entry).optional(),
});
const file = content.extend({ checksum: z.string() });

/** Everything that a review showed, in an order of its own. */
export type Plan = z.output<typeof content>;

/** The user ids that e-mails stand for, by the names of each person. */
export function usersOf(people: readonly (readonly string[])[]): Record<string, string> {
  const known = people.flatMap((keys) => {
    const id = idAmong(keys);
    return id === undefined ? [] : keys.filter(isEmail).map((email): [string, string] => [email, id]);
  });
  return Object.fromEntries(known.sort(([a], [b]) => compared(a, b)));
}

/** The same of a plan; one of version 1 tells it of those who change. */
export const usersIn = ({ users, entries }: Plan): Readonly<Record<string, string>> =>
  users ?? usersOf(entries.map(({ keys = [] }) => keys));

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
export const compared = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

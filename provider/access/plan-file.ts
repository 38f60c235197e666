import { createHash } from "node:crypto";
import { z } from "zod";
import { DocsError } from "../api/http/errors";
import { idAmong, isEmail } from "../people/user";

const entry = z.strictObject({
  /** The kind of the entry: a grant, a removal, another change, a risk, or a resource. */
  kind: z.enum(["grant", "removal", "change", "risk", "resource"]),
  /** Describes the change, without the names of the person. */
  what: z.string(),
  /** The person or resource that is changed. */
  subject: z.string(),
  /** All names of a person. Two entries are about the same person if the ids are equal. If one has no id, an equal e-mail is enough. */
  keys: z.array(z.string()).optional(),
  /** The access of the person afterwards, whether through this change or by hand. */
  outcome: z.string().optional(),
  /** The change was already made by hand, so nothing is left to do. */
  done: z.literal(true).optional(),
  /** A part of the entry is a secret or known only during the up, so it cannot be compared. */
  hidden: z.literal(true).optional(),
  /** Set for resources. A resource to be created has no id. */
  urn: z.string().optional(),
  id: z.string().optional(),
});
export type Entry = z.output<typeof entry>;

const content = z.strictObject({
  format: z.literal("docs-org plan"),
  version: z.literal(1),
  project: z.string(),
  stack: z.string(),
  organizations: z.array(z.string()),
  /** The reviewed preview had failed, so nothing of it may be applied. */
  refused: z.boolean(),
  refreshed: z.boolean(),
  partial: z.boolean(),
  /** The user ids that e-mails stand for, as far as the preview knows them; several if a resource keeps a person whose e-mail was passed on. */
  users: z.record(z.string(), z.array(z.string())),
  /** What changed resources declare, by URN and property. */
  declared: z.record(z.string(), z.record(z.string(), z.string())),
  entries: z.array(entry),
  /** The options that decide how each person in a place is released. */
  releases: z.array(entry),
});
const file = content.extend({ checksum: z.string() });

/** Everything that a review showed, in a fixed order. */
export type Plan = z.output<typeof content>;

/** The user ids that e-mails stand for, by the names of each person. */
export function usersOf(people: readonly (readonly string[])[]): Record<string, string[]> {
  const users = new Map<string, string[]>();
  for (const keys of people) {
    const id = idAmong(keys);
    if (id === undefined) continue;
    for (const email of keys.filter(isEmail)) users.set(email, [...(users.get(email) ?? []), id]);
  }
  return Object.fromEntries([...users].sort(([a], [b]) => compared(a, b)));
}

/** The plan as it is stored: canonical, with a checksum that detects accidental edits, not forgery. */
export function writePlan(plan: Plan): string {
  return `${JSON.stringify({ ...plan, checksum: checksumOf(plan) }, undefined, 2)}\n`;
}

/** What to do with a plan that cannot be used. */
export const again = "make it again with docs-org preview --plan or docs-org review --plan";

export function readPlan(text: string, source: string): Plan {
  const result = file.safeParse(parsed(text));
  if (!result.success) throw new DocsError(`${source} is not a plan that this version of docs-org can read; ${again}`);
  const { checksum, ...plan } = result.data;
  if (checksum !== checksumOf(plan)) {
    throw new DocsError(`${source} was changed after it was written: its checksum does not match; ${again}`);
  }
  return plan;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The caller refuses everything that is not a plan in the same way.
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

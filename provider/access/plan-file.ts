import { createHash } from "node:crypto";
import { z } from "zod";
import { DocsError } from "../api/http/errors";
import { compareKeys, idAmong, isEmail } from "../people/user";
import { wordsOfAge } from "../run/age";
import { evidenceSchema } from "../run/evidence";
import { jsonIn } from "../run/files";
import type { Settings } from "../run/settings";

const place = z.strictObject({
  kind: z.enum(["role", "team", "sso"]),
  team: z.string().optional(),
  organization: z.string(),
});

export const accessEntry = z.strictObject({
  place,
  /**
   * All names of the person, with the user id if it is known. `except`: instead of one person, everybody in the place without the
   * people that these names or patterns match.
   */
  user: z.strictObject({
    userId: z.string().optional(),
    keys: z.array(z.string()),
    except: z.array(z.string()).optional(),
  }),
  before: z.string(),
  after: z.string(),
  /**
   * `left` and `accepted`: the live access stays, and is no longer managed or is declared from now on. `end` and `options`: only
   * the end of the grant changes, or only what a later release does. The up sends nothing for these four.
   */
  change: z.enum(["gains", "loses", "changes", "left", "accepted", "end", "options"]),
  /** The end of the grant, in words. */
  end: z.string().optional(),
  /** The declared options that decide about a later release, as JSON. */
  options: z.string().optional(),
  /** A part is a secret or known only during the up, so it cannot be compared. */
  hidden: z.literal(true).optional(),
  /** `others` changes a person that no program has declared so far. */
  isOther: z.literal(true).optional(),
});
export type PlannedAccess = z.output<typeof accessEntry>;

const resource = z.strictObject({
  urn: z.string(),
  type: z.string(),
  name: z.string(),
  /** A resource to be created has no id. */
  id: z.string().optional(),
  operation: z.enum(["create", "update", "replace", "delete"]),
  /** Why the object stays when the resource is deleted or replaced. */
  retained: z.string().optional(),
  /** What is declared, as text by name. Of a resource that gives access, only its options. */
  properties: z.record(z.string(), z.string()),
  /** Names of the properties that differ from the live ones, also of those that are no longer declared. */
  changed: z.array(z.string()),
  /** Names of the properties that are, in part, secret or known only during the up. */
  hidden: z.array(z.string()),
  /** The preview does not show what changes. */
  unseen: z.literal(true).optional(),
});
export type PlannedResource = z.output<typeof resource>;

const logins = z.array(z.string());
const content = z.strictObject({
  format: z.literal("docs-org plan"),
  version: z.literal(2),
  made: z.iso.datetime(),
  evidence: evidenceSchema.optional(),
  project: z.string(),
  stack: z.string(),
  organizations: z.array(z.string()),
  /** The address of the service, if the preview or the environment names it. */
  origin: z.string().optional(),
  /** The reviewed preview had failed, so nothing of it may be applied. */
  refused: z.boolean(),
  refreshed: z.boolean(),
  partial: z.boolean(),
  /** The user ids that e-mails stand for, as far as the preview knows them; several if a resource keeps a person whose e-mail now belongs to somebody else. */
  users: z.record(z.string(), z.array(z.string())),
  /** Approvals that the file asks for, each by one of these logins. Jobs check them; an up only checks that the file asks for the same. */
  approvals: z.array(z.strictObject({ what: z.string(), approvers: logins, becomes: logins.optional() })).optional(),
  access: z.array(accessEntry),
  resources: z.array(resource),
});
const file = content.extend({ checksum: z.string() });

export type Plan = z.output<typeof content>;

/** The user ids that e-mails stand for. `people` has all names of each person. */
export function usersOf(people: readonly (readonly string[])[]): Record<string, string[]> {
  const users = new Map<string, string[]>();
  for (const keys of people) {
    const id = idAmong(keys);
    if (id === undefined) continue;
    for (const email of keys.filter(isEmail)) users.set(email, [...(users.get(email) ?? []), id]);
  }
  return Object.fromEntries([...users].sort(([a], [b]) => compareKeys(a, b)));
}

/** The plan as it is stored, with a checksum that detects accidental edits, not forgery. */
export function writePlan(plan: Plan): string {
  return `${JSON.stringify({ ...plan, checksum: checksumOf(plan) }, undefined, 2)}\n`;
}

/** What to do with a plan that cannot be used. */
export const makePlanAgain = "make it again with docs-org preview --plan or docs-org review --plan";

export function readPlan(text: string, source: string): Plan {
  const result = file.safeParse(jsonIn(text));
  if (!result.success)
    throw new DocsError(`${source} is not a plan that this version of docs-org can read; ${makePlanAgain}`);
  const { checksum, ...plan } = result.data;
  if (checksum !== checksumOf(plan))
    throw new DocsError(`${source} was changed after it was written: its checksum does not match; ${makePlanAgain}`);
  return plan;
}

/** How far, in milliseconds, the clock of the machine that made the plan may be ahead. */
const tolerance = 24 * 3_600_000;

/** Refuses a plan that is older than allowed: much may have changed since it was reviewed. */
export function refuseOldPlan({ made }: Plan, settings: Settings, age: number): void {
  const since = settings.now().getTime() - Date.parse(made);
  if (since < -tolerance)
    throw new DocsError(`the plan was made at ${made}, which is still to come; check the clock, and ${makePlanAgain}`);
  if (since <= age) return;
  throw new DocsError(
    `the plan was made at ${made}, which is longer ago than ${wordsOfAge(age)}; ${makePlanAgain}, or allow an older one with --plan-age or DOCS_PLAN_AGE`,
  );
}

const checksumOf = (plan: Plan): string => createHash("sha256").update(canonical(plan)).digest("hex");

/** JSON that does not depend on the order of keys. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  const sorted = entries.sort(([a], [b]) => compareKeys(a, b));
  return `{${sorted.map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`).join()}}`;
}

/** Begins the text of a property that is the id of a new resource. No JSON begins so. */
export const newIdMark = "the id of ";

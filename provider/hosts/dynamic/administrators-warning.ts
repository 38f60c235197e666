import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import { nameOf } from "../../access/administrators";
import { enumerated } from "../../access/bulk";
import { patternMistake } from "../../access/glob";
import { stringsIn } from "../../access/holding";
import { matchable, matcherOf } from "../../access/patterns";
import { userKey } from "../../access/user";
import type { Member } from "../../api/groups/members";
import type { AnyDefinition } from "../../lifecycle/definition";
import { connect } from "../../run/context";
import { containsUnknown, type Properties, pick } from "../../run/properties";
import { perRun } from "../../run/run";
import { organizationType, typesIn } from "../../run/urn";
import { admit } from "./program-mistakes";
import { programRun } from "./program-run";
import { recordedResources } from "./stack-resources";

/** What a run declares about the roles in one organization. */
interface Declared {
  readonly roles: Map<string, string | null>;
  /** Whether a resource ignores a member, who then keeps the live role. */
  readonly ignores: ((member: Member) => boolean)[];
  readonly resources: { readonly urn: string; readonly known: Properties }[];
  /** A value that is known only during the up may declare an administrator. */
  isUncertain: boolean;
  isWatched: boolean;
}

/** By organization. */
const declarationsIn = perRun(() => new Map<string, Declared>());

function declaredIn(organizationId: string): Declared {
  const all = declarationsIn(programRun());
  const declared = all.get(organizationId) ?? {
    roles: new Map(),
    ignores: [],
    resources: [],
    isUncertain: false,
    isWatched: false,
  };
  all.set(organizationId, declared);
  return declared;
}

/**
 * Warns at a preview if the declared roles together leave no administrator. Each `MemberRole` knows one person, so only the
 * program can notice it before the up, which lowers all but the last administrator and then fails. The list of administrators is
 * read once in a run, and only if a role changes. The members of a `docs.Organization` are checked by its guards.
 */
export function warnIfNoAdministrator(definition: AnyDefinition, urn: string, known: Properties): void {
  const isAboutRoles = definition.name === "MemberRole" || definition.name === "MemberRoles";
  if (!isAboutRoles || !pulumi.runtime.isDryRun() || pulumi.runtime.getEngine() === undefined) return;
  const organizationId = known.organizationId ?? programRun().settings.organizationId();
  if (typeof organizationId !== "string") return;
  const declared = declaredIn(organizationId);
  if (containsUnknown(known)) declared.isUncertain = true;
  // A pattern that is not valid is reported as a mistake.
  const isIgnored = matcherOf(stringsIn(known.ignore).filter((pattern) => patternMistake(pattern) === undefined));
  declared.ignores.push(({ user: { id, email } }) => isIgnored({ userId: id, email }));
  for (const [user, role] of rolesIn(known)) if (!isIgnored(matchable(user))) declared.roles.set(userKey(user), role);
  if (typesIn(urn).includes(organizationType)) return;
  declared.resources.push({ urn, known });
  if (declared.isWatched) return;
  declared.isWatched = true;
  void warnLater(organizationId, declared);
}

const rolesIn = ({ user, role, roles }: Properties): [string, string | null][] =>
  typeof user === "string" ? [[user, role as string | null]] : Object.entries((roles ?? {}) as Record<string, string>);

/** Makes the engine wait for the warning. An error is ignored here, because another call fails with it. */
async function warnLater(organizationId: string, declared: Declared): Promise<void> {
  const done = pulumi.runtime.rpcKeepAlive();
  try {
    // A program with mistakes asks the service for nothing.
    await admit(undefined);
    if (mayRemain(declared) || !(await hasChange(declared))) return;
    const administrators = await administratorsIn(organizationId);
    const isLeft = () => administrators.length === 0 || mayRemain(declared) || administrators.some(keeps(declared));
    for (let waited = 0; waited < programRun().patience && !isLeft(); waited += 100) await sleep(100);
    if (!isLeft()) await pulumi.log.warn(warning(organizationId, administrators));
  } catch {
    // The mistakes of the program are reported, and `check` and the refresh report a missing setting, a wrong token, or a service that does not answer.
  } finally {
    done();
  }
}

const mayRemain = ({ roles, isUncertain }: Declared): boolean => isUncertain || [...roles.values()].includes("admin");

/** Whether a live administrator keeps the role, because no resource declares the person, or because a resource ignores the person. */
const keeps =
  ({ roles, ignores }: Declared) =>
  (member: Member): boolean => {
    const { id, email } = member.user;
    const isDeclared = roles.has(id) || (email !== undefined && roles.has(userKey(email)));
    return !isDeclared || ignores.some((ignores) => ignores(member));
  };

async function hasChange({ resources }: Declared): Promise<boolean> {
  const recorded = await recordedResources("");
  const rolesOf = (properties: Properties) => pick(properties, ["role", "roles"]);
  return resources.some(({ urn, known }) => !isDeepStrictEqual(rolesOf(recorded[urn]?.outputs ?? {}), rolesOf(known)));
}

async function administratorsIn(organizationId: string): Promise<Member[]> {
  const run = programRun();
  run.settings.refuseMissing(organizationId);
  const { client } = await connect(run, organizationId);
  const members = await client.listMembers({ organizationId, query: { role: "admin", limit: 1000 } }).all();
  return members.filter(({ role, disabled }) => role === "admin" && !disabled);
}

const warning = (organizationId: string, administrators: readonly Member[]): string =>
  `organization ${organizationId} would have no administrator: this program declares another role for ` +
  `${enumerated(administrators.map(nameOf).sort())}, and nobody as an administrator. pulumi up does not lower the last administrator, but several ` +
  "resources may lower the others before it is refused. Declare somebody as admin first, or keep one of them";

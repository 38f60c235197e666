import { deserialize, serialize } from "node:v8";
import * as definitions from "../../provider/definitions";
import { type Seed, stateFromSeed } from "../../provider/emulator/seed/seed";
import type { OrganizationRecord, State } from "../../provider/emulator/store/state";
import type { AnyDefinition } from "../../provider/lifecycle/definition";
import { ResourceHandler } from "../../provider/lifecycle/handler";
import type { Properties } from "../../provider/run/properties";
import { Run } from "../../provider/run/run";
import { Settings } from "../../provider/run/settings";
import { type Choose, Execution, type ScheduledStep } from "./scheduler";

/** Small worlds for the scheduler: who has what, what two runs declare, and what a person changes by hand. */

type Access = Readonly<Record<string, string>>;
/** Roles by person, the people of teams, and the titles of sites. */
export interface DeclaredWorld {
  readonly roles?: Access;
  readonly team_a?: Access;
  readonly team_b?: Access;
  readonly site?: string;
}

export interface ScheduledWorld {
  readonly title: string;
  readonly live: { readonly roles: Access; readonly team_a?: Access; readonly team_b?: Access };
  /** What the stack has managed so far. */
  readonly before?: DeclaredWorld;
  /** What each run declares. A run with a name in lower case is one of the other host. */
  readonly runs: Readonly<Record<string, DeclaredWorld>>;
  /** By person, or by team and person: `team_a cem`. */
  readonly hand?: Readonly<Record<string, string>>;
  readonly kills?: number;
  readonly oldReads?: number;
  /** Whether there are few enough orders to try all of them in each run of CI. */
  readonly orders: "all" | "random";
  /** Whether somebody is an administrator, and an owner of team_a, after every step, or only in the end. */
  readonly promise: "after every step" | "in the end";
  /** The shortest way to a moment without an administrator. */
  readonly story?: readonly string[];
}

const organizationId = "acme";
const emptyLog = () => undefined;

interface Recorded {
  readonly id: string;
  readonly properties: Properties;
}
type Stack = Map<string, Recorded>;

const resourcesIn = ({
  roles,
  site,
  ...teams
}: DeclaredWorld): [key: string, definition: AnyDefinition, inputs: Properties][] => [
  ...(roles
    ? [
        ["roles", definitions.MemberRoles as AnyDefinition, { roles: withIds(roles) }] as [
          string,
          AnyDefinition,
          Properties,
        ],
      ]
    : []),
  ...Object.entries(teams).map(([teamId, members]): [string, AnyDefinition, Properties] => [
    teamId,
    definitions.TeamMembers as AnyDefinition,
    { teamId, members: withIds(members), exclusive: true },
  ]),
  ...(site
    ? [["site", definitions.Site as AnyDefinition, { title: site }] as [string, AnyDefinition, Properties]]
    : []),
];
const withIds = (access: Access) =>
  Object.fromEntries(Object.entries(access).map(([name, level]) => [`user_${name}`, level]));

/** One command: the engine reads what it has recorded, checks the program, and brings about all resources at once. */
async function up(stack: Stack, declared: DeclaredWorld, isPlugin: boolean, reads: boolean): Promise<void> {
  const settings = new Settings({
    DOCS_BASE_URL: "http://127.0.0.1:1",
    DOCS_TOKEN: "token-of-the-scheduler",
    DOCS_ORGANIZATION_ID: organizationId,
  });
  const clock = {
    now: () => Date.now(),
    sleep: (milliseconds: number) => new Promise<void>((done) => void setTimeout(done, milliseconds)),
  };
  const run = new Run({ settings, tell: emptyLog, patience: 0, clock });
  const resources = resourcesIn(declared).map(([key, definition, inputs]) => {
    const manager = { position: `urn:${key}`, name: key };
    const resource = isPlugin ? { resource: { manager, secrets: new Set<string>(), warn: emptyLog } } : {};
    return { key, inputs, handler: new ResourceHandler(definition, { run, ...resource }) };
  });
  for (const { key, handler } of reads ? resources : []) {
    const one = stack.get(key);
    const read = one && (await handler.read(one.id, one.properties));
    if (read?.id) stack.set(key, { id: read.id, properties: read.props as Properties });
    else stack.delete(key);
  }
  const checked = await Promise.all(
    resources.map(async (one) => ({
      ...one,
      inputs: (await one.handler.check(stack.get(one.key)?.properties ?? {}, one.inputs)).inputs as Properties,
    })),
  );
  const failures = await Promise.all(
    checked.map((one) =>
      bringAbout(stack, one).then(
        () => undefined,
        (error: unknown) => error,
      ),
    ),
  );
  const failed = failures.find((one) => one !== undefined);
  if (failed) throw failed;
}

async function bringAbout(
  stack: Stack,
  { key, inputs, handler }: { key: string; inputs: Properties; handler: ResourceHandler },
): Promise<void> {
  const recorded = stack.get(key);
  try {
    if (!recorded) {
      const { id, outs } = await handler.create(inputs);
      stack.set(key, { id, properties: outs });
    } else if ((await handler.diff(recorded.id, recorded.properties, inputs)).changes) {
      const { outs } = await handler.update(recorded.id, recorded.properties, inputs);
      stack.set(key, { id: recorded.id, properties: outs });
    }
  } catch (error) {
    const { id, properties } = error as { id?: string; properties?: Properties };
    if (id !== undefined && properties) stack.set(key, { id, properties });
    throw error;
  }
}

const seedOf = ({ live: { roles, ...teams } }: ScheduledWorld): Seed => ({
  organizations: {
    [organizationId]: {
      title: "Acme",
      members: Object.entries(roles).map(([name, role]) => ({
        userId: `user_${name}`,
        email: `${name}@acme.test`,
        role: (role === "guest" ? null : role) as never,
      })),
      teams: Object.entries(teams).map(([id, members]) => ({ id, members: withIds(members) as never })),
    },
  },
});

const organizationIn = (state: State) => state.organizations.get(organizationId) as OrganizationRecord;

/** Who has what: `ada: admin`, `team_a cem: owner`, and the sites by title. */
export function scheduledAccess(state: State): Map<string, string> {
  const { members, teams, sites } = organizationIn(state);
  return new Map([
    ...[...members.values()].map(({ id, role }): [string, string] => [id.slice(5), role ?? "guest"]),
    ...[...teams.values()].flatMap((team) =>
      [...team.members].map(([id, { role }]): [string, string] => [`${team.id} ${id.slice(5)}`, role]),
    ),
    ...[...sites.values()].map(({ id, title }): [string, string] => [`site ${id}`, title]),
  ]);
}

const holders = (access: ReadonlyMap<string, string>, level: "admin" | "owner") =>
  [...access].filter(([key, one]) => one === level && (level === "admin" || key.startsWith("team_a "))).length;

const declaredBy = ({ roles = {}, site: _, ...teams }: DeclaredWorld): Access =>
  Object.fromEntries([
    ...Object.entries(roles),
    ...Object.entries(teams).flatMap(([team, people]) =>
      Object.entries(people).map(([name, role]) => [`${team} ${name}`, role]),
    ),
  ]);

export interface ScheduleOutcome {
  readonly trace: readonly ScheduledStep[];
  readonly mistakes: readonly string[];
  /** The service was without an administrator, or the team without an owner, after these many steps. */
  readonly withoutAt: readonly number[];
}

export async function prepareWorld(world: ScheduledWorld) {
  const { before, hand = {}, kills = 0, oldReads = 0, promise, runs } = world;
  const first = stateFromSeed(seedOf(world), new Date("2026-12-01T12:00:00Z"));
  const recorded: Stack = new Map();
  const setUp = {
    state: first,
    hand: [],
    kills: 0,
    oldReads: 0,
    observe: emptyLog,
    runs: { "set up": () => up(recorded, before ?? {}, false, false) },
  };
  await new Execution(setUp).run(inOrder);
  const saved = serialize(first);
  const start = scheduledAccess(first);
  const last = Object.values(runs).at(-1) as DeclaredWorld;
  return async (choose: Choose): Promise<ScheduleOutcome> => {
    const state = deserialize(saved) as State;
    const stack: Stack = new Map(recorded);
    const [mistakes, withoutAt]: [string[], number[]] = [[], []];
    let access = start;
    let taken: ScheduledStep | undefined;
    const execution: Execution = new Execution({
      state,
      kills,
      oldReads,
      hand: Object.entries(hand).map(([key, level]) => ({
        text: `${key} becomes ${level}`,
        subject: subjectOf(key),
        make: (present) => setByHand(present, key, level),
      })),
      runs: Object.fromEntries(
        Object.entries(runs).map(([name, declared]) => [
          name,
          () => up(stack, declared, name === name.toLowerCase(), false),
        ]),
      ),
      observe: (step, present) => {
        const now = scheduledAccess(present);
        if (step.kind !== "hand" && !step.isRead) mistakes.push(...unplanned(world, step, access, now));
        for (const level of ["admin", "owner"] as const) {
          if (holders(now, level) < holders(access, level)) taken = step;
          if (holders(start, level) === 0 || holders(now, level) > 0) continue;
          withoutAt.push(execution.trace.length);
          if (promise === "after every step") mistakes.push(`nobody is ${level} after: ${step.sentence}`);
        }
        access = now;
      },
    });
    if (!(await execution.run(choose))) return { trace: execution.trace, mistakes, withoutAt };
    const steps = [...execution.trace];
    // Only a person, or a run that was killed before it looked again, leaves nobody.
    const isExcused = taken !== undefined && (taken.kind === "hand" || execution.dead.has(taken.actor));
    for (const level of ["admin", "owner"] as const)
      if (holders(start, level) > 0 && holders(access, level) === 0 && !isExcused)
        mistakes.push(`in the end, nobody is ${level}`);
    mistakes.push(...(await again(execution, stack, last, state)));
    return { trace: steps, mistakes, withoutAt };
  };
}

const inOrder = (steps: readonly ScheduledStep[]) => steps.find(({ kind }) => kind === "request");
const subjectOf = (key: string) => (key.startsWith("team_") ? `team ${key.split(" ")[0]}` : `member user_${key}`);

function setByHand(state: State, key: string, level: string): void {
  const { members, teams } = organizationIn(state);
  const [team = "", person = ""] = key.split(" ");
  const [member, membership] = [members.get(`user_${key}`), teams.get(team)?.members.get(`user_${person}`)];
  if (membership && level === "none") teams.get(team)?.members.delete(`user_${person}`);
  else if (membership) membership.role = level as never;
  else if (member) member.role = (level === "guest" ? null : level) as never;
}

/** A run changes only what it declares, to what it declares, or back to what the person had when the quorum was in danger. */
function unplanned(
  { runs, live }: ScheduledWorld,
  { actor, sentence }: ScheduledStep,
  before: ReadonlyMap<string, string>,
  now: ReadonlyMap<string, string>,
): string[] {
  const declared = runs[actor] ?? (Object.values(runs).at(-1) as DeclaredWorld);
  const planned = declaredBy(declared);
  const changed = [...new Set([...before.keys(), ...now.keys()])].filter(
    (key) => before.get(key) !== now.get(key) && !key.startsWith("site "),
  );
  return changed.flatMap((key) => {
    const [team = "", name] = key.split(" ");
    const isWhole = name !== undefined && Reflect.get(declared, team) !== undefined;
    const original = name === undefined ? live.roles[key] : (Reflect.get(live, team) as Access)?.[name];
    const isManaged = planned[key] !== undefined || isWhole;
    const isDone = now.get(key) === planned[key] && isManaged;
    const isRestored = now.get(key) === original && ["admin", "owner"].includes(original ?? "") && isManaged;
    return isDone || isRestored ? [] : [`not planned: ${sentence}, which makes ${key} ${now.get(key)}`];
  });
}

/** When everything is quiet, two more commands of the last program: afterwards live equals declared, and the second sends nothing. */
async function again(execution: Execution, stack: Stack, declared: DeclaredWorld, state: State): Promise<string[]> {
  if (holders(scheduledAccess(state), "admin") === 0) return [];
  const mistakes: string[] = [];
  const command = async (name: string) => {
    const from = execution.trace.length;
    let failure: unknown;
    execution.start(name, () =>
      up(stack, declared, false, true).catch((error: unknown) => {
        failure = error;
      }),
    );
    await execution.continue(inOrder);
    return { failure, writes: execution.trace.slice(from).filter(({ isRead }) => !isRead) };
  };
  const { failure } = await command("again");
  const { writes } = await command("once more");
  const live = scheduledAccess(state);
  // The new run refuses what would take the last administrator or owner, and what exists already.
  if (failure === undefined) {
    const different = Object.entries(declaredBy(declared)).filter(([key, level]) => live.get(key) !== level);
    mistakes.push(
      ...different.map(([key, level]) => `${key} is ${live.get(key)} and not ${level} when everything is quiet`),
    );
    if (writes.length > 0)
      mistakes.push(`a second command sends again: ${writes.map(({ sentence }) => sentence).join("; ")}`);
  } else if (!/last (administrator|owner)|no owner|exists/.test(String((failure as Error).message)))
    mistakes.push(`again: ${failure}`);
  const sites = [...live].filter(([key]) => key.startsWith("site ")).map(([, title]) => title);
  if (new Set(sites).size < sites.length) mistakes.push(`created twice: ${sites.join()}`);
  return mistakes;
}

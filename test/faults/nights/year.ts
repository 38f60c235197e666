import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { stringsIn } from "../../../provider/access/assignments";
import { type Plan, writePlan } from "../../../provider/access/plan-file";
import { keepUnfinished, settleUnfinished } from "../../../provider/access/unfinished";
import { listAccess } from "../../../provider/access-report/access-list";
import { endpoints, type RowName } from "../../../provider/api/endpoints";
import { auditOf } from "../../../provider/audit/audit";
import { ownStates } from "../../../provider/audit/declarations";
import { stateIn } from "../../../provider/audit/state";
import * as definitions from "../../../provider/definitions";
import { startEmulator } from "../../../provider/emulator";
import type { History } from "../../../provider/history/history";
import { sinceIn } from "../../../provider/history/select";
import { declaredIn } from "../../../provider/lifecycle/state";
import { type DueGrants, planOfGrants, readDueGrants } from "../../../provider/organization/due-grants";
import { type Loaded, loadOrganization } from "../../../provider/organization/file/loader";
import { readOrganization } from "../../../provider/organization/live/live";
import { notesType } from "../../../provider/organization/sections";
import type { ResourceName } from "../../../provider/resources/names";
import { planOf, type Review } from "../../../provider/review";
import { appliedIn, notesName } from "../../../provider/review/model/component-notes";
import { connect } from "../../../provider/run/context";
import { type Properties, propertiesIn } from "../../../provider/run/properties";
import { Run } from "../../../provider/run/run";
import { Settings } from "../../../provider/run/settings";
import { organizationType, typeIn } from "../../../provider/run/urn";
import { TestClock } from "../../support/clock";
import type { Hook } from "../../support/lying-service";
import { componentName, componentUrn, declaredByComponent, type Notes, notesUrn, urnOfChild } from "../component";
import { expectedAccess, idsIn, type Managed, nothingManaged } from "../random/expected";
import { expectSame, reviewBetween } from "../random/three-accounts";
import { type LiveAccess, Service } from "../service";
import { CommandFailed, type DeclaredObject, FaultStack } from "../stack";
import type { Dice } from "./dice";
import { type Phase, phaseOf, seedOfNights, timedLines } from "./people";
import { grantOf, nameOfGrant, World } from "./world";

export const hour = 3_600_000;
const begin = Date.UTC(2026, 0, 1, 2);

/** `killed`: the engine ends in the middle, and records nothing. `failed`: the service refuses a write. */
export type Fate = "done" | "killed" | "failed";

/** A world with a stack that a run of each night brings about in this process. */
export class Year extends World {
  readonly versions = path.join(this.folder, "versions");
  private readonly unfinished = path.join(this.folder, "unfinished.json");
  private readonly stack = new FaultStack(() => this.options(), []);
  private loaded: Loaded | undefined;
  /** The state was lost after the last version that is kept. */
  private isStateLost = false;
  /** A failed run has created something in part. */
  isInPart = false;
  private readonly connections = new Run().connections;
  /** When the resources of the state were created, as the engine writes it. */
  private readonly created = new Map<string, string>();

  static async start(people: number, dice: Dice): Promise<Year> {
    const clock = new TestClock(begin);
    const emulator = await startEmulator({ now: clock.date });
    const year = new Year(await Service.start(emulator, { seed: seedOfNights(people, dice), clock }), clock, dice);
    mkdirSync(year.versions);
    return year;
  }

  private options(variables: NodeJS.ProcessEnv = {}) {
    const options = this.service.options(60);
    const environment = { ...options.environment, DOCS_UNFINISHED: this.unfinished, ...variables };
    return { ...options, environment, connections: this.connections };
  }

  /** The file as it was saved last. Of what its checks say, only the need of an administrator depends on the clock. */
  private load = (): Loaded => (this.loaded ??= loadOrganization(this.path, { now: this.now }));

  override save(): void {
    super.save();
    this.loaded = undefined;
  }

  private program = (stack: FaultStack, loaded: Loaded, notes?: Notes[]) =>
    declaredByComponent(loaded, stack, this.options(), this.now, notes);

  async review(): Promise<Review> {
    const [stack, notes]: [FaultStack, Notes[]] = [this.stack.copy(), []];
    stack.program = () => this.program(stack, this.load(), notes);
    return this.reviewOf(stack, notes);
  }

  private async reviewOf(stack: FaultStack, notes: Notes[]): Promise<Review> {
    const before = new Map(stack.recorded);
    const changing = await stack.preview();
    return reviewBetween(before, stack, notes, changing);
  }

  /** `docs-org up`. */
  async up(fate: Fate): Promise<Fate> {
    const { stack } = this;
    if (fate === "killed") this.keepPlan(planOf(await this.review()));
    const loaded = this.load();
    stack.program = () => this.program(stack, loaded);
    const { managed } = this.expected();
    const phases = timedLines(this.file).map(
      ({ team, name, line }) => [nameOfGrant(grantOf(team, name, line)), phaseOf(line, this.now)] as const,
    );
    const actual = await this.bringAbout(stack, { fate, managed }, (actual) => {
      if (actual !== "killed") stack.registerNotes(actual === "done");
    });
    if (actual !== "done") return actual;
    rmSync(this.unfinished, { force: true });
    this.replaced.clear();
    this.expectPhases(phases);
    return actual;
  }

  /** `docs-org up --only grants`, which runs no up if no grant is due. */
  async night(fate: Fate): Promise<Fate | "idle"> {
    const loaded = this.load();
    const night = await this.findDue(loaded);
    for (const { path, refusal } of night.refused) this.tell(`${path.join(".")}: ${refusal}`);
    for (const { path, phase } of night.due) this.tell(`${path.join(".")}: ${phase}`);
    const { access, managed, phases } = this.expectedOfGrants();
    const actual = night.due.length > 0 ? await this.upOnly(night, { fate, managed }) : "idle";
    if (actual === "killed" || actual === "failed") return actual;
    const after = actual === "done" ? await this.findDue(loaded) : night;
    const unmade = night.due.filter((line) => !after.isMade(line));
    const linesIn = (one: LiveAccess) => Object.entries(one).map((entry) => entry.join(" "));
    expectSame("the night", linesIn(this.service.access()), linesIn(access));
    this.expectPhases([...phases]);
    if (actual === "idle") return actual;
    expectSame(
      "after the night",
      unmade.map(({ path }) => path.join(".")),
      [],
    );
    if (existsSync(this.unfinished))
      await settleUnfinished(this.unfinished, await this.connect(), new Set(this.recordedPeople()), new Date());
    return actual;
  }

  private async findDue({ organization: file }: Loaded) {
    const asked = { component: componentName, file, now: this.now, state: this.state(), refusalOf: () => undefined };
    return readDueGrants(await this.connect(), asked);
  }

  /** As `Deployment.limitTo` does: a run of the resources of the grants alone. */
  private async upOnly(night: DueGrants, ran: Ran): Promise<Fate> {
    const { stack } = this;
    const keys = new Map([...night.resources.keys()].map((end) => [keyOfEnd(end), end]));
    const declared = [...keys].flatMap(([name, end]): DeclaredObject[] => {
      const inputs = night.resources.get(end);
      return inputs ? [{ resource: name.split(" ")[0] as ResourceName, name, inputs }] : [];
    });
    const plan = path.join(this.folder, "plan.json");
    const only = { DOCS_ONLY: night.people.join("\n") };
    const limited = new FaultStack(
      () => this.options({ ...only, ...(existsSync(plan) && { DOCS_PLAN: plan }) }),
      declared,
    );
    limited.continueOnError = true;
    limited.restore(new Map([...stack.recorded].filter(([name]) => keys.has(name))));
    const notes = { type: notesType, name: notesName(componentName), inputs: night.notes };
    const review = await this.reviewOf(limited.copy(), [notes]);
    expectSame(
      "the refusals of a night",
      review.refusals.map(({ text }) => text),
      [],
    );
    const allowed = planOfGrants(planOf(review), night.due);
    writeFileSync(plan, writePlan(allowed));
    if (ran.fate === "killed") this.keepPlan(allowed);
    const actual = await this.bringAbout(limited, ran, (actual, failure) => {
      const others = [...stack.recorded].filter(([name]) => !keys.has(name));
      stack.restore(new Map([...others, ...limited.recorded]));
      const made = [...keys].flatMap(([name, end]) => (failure?.isOf(name) && night.resources.get(end) ? [] : [end]));
      if (actual !== "killed")
        stack.notes = { inputs: night.notes, outputs: { applied: night.appliedAfter(new Set(made)) }, kept: [] };
    });
    rmSync(plan);
    return actual;
  }

  private keepPlan(plan: Plan): void {
    keepUnfinished(this.unfinished, plan, new Set(this.recordedPeople()));
  }

  /** Runs the engine, with the record that it keeps of it. `register` updates the stack and its notes. */
  private async bringAbout(
    stack: FaultStack,
    { fate, managed }: Ran,
    register: (actual: Fate, failure: CommandFailed | undefined) => void,
  ): Promise<Fate> {
    const { service, clock } = this;
    const start = clock.now();
    const [before, changes, notes] = [
      expectedAccess(this.organization),
      { ...stack.changes },
      JSON.stringify(this.stack.notes?.inputs),
    ];
    service.lying.forget();
    const end = fate === "done" ? undefined : this.refuseAfter(stack, fate);
    this.running = ++this.runs;
    const failure = await stack.up().catch((error: unknown) => error);
    end?.();
    this.running = undefined;
    if (failure && !(end && failure instanceof CommandFailed)) throw failure;
    const actual = failure ? fate : "done";
    register(actual, failure as CommandFailed | undefined);
    this.isInPart = [...this.stack.recorded.values()].some(({ partial }) => partial);
    await clock.sleep(20_000);
    this.applied = appliedIn(this.stack.notes?.outputs);
    this.managed = actual === "done" ? managed : this.managedNow(before.roles);
    const count = (of: keyof FaultStack["changes"]) => stack.changes[of] - changes[of];
    // The notes are a resource as well.
    const update = count("update") + Number(JSON.stringify(this.stack.notes?.inputs) !== notes);
    const counts = { create: count("create"), update, delete: count("delete") };
    if (actual !== "killed") this.keep({ start, counts, result: actual, isLimited: stack !== this.stack });
    return actual;
  }

  private expectPhases(phases: readonly (readonly [string, Phase])[]): void {
    const recorded = this.applied.map(({ grant, phase }) => `${nameOfGrant(grant)} ${phase}`);
    expectSame(
      "the record of the grants",
      recorded,
      phases.map((one) => one.join(" ")),
    );
  }

  /** Refuses a write, made or not, after so many; if the engine is killed, everything that follows as well. */
  private refuseAfter(stack: FaultStack, fate: Fate): () => void {
    const { service, dice } = this;
    let left = dice.number(0, 2) + 1;
    const isMade = dice.chance(0.5);
    let recorded: FaultStack["recorded"] | undefined;
    const refusal = { status: 403, body: { error: { code: 403, message: "Not now" } } };
    const hook: Hook<RowName> = async ({ request, forward }) => {
      if (recorded && fate === "killed") return refusal;
      if (request.method === "GET") return;
      left -= 1;
      if (left !== 0) return;
      recorded = new Map(stack.recorded);
      if (isMade) await forward();
      return refusal;
    };
    const removals = (Object.keys(endpoints) as RowName[]).map((row) => service.lying.on(row, hook));
    return () => {
      for (const remove of removals) remove();
      if (fate === "killed" && recorded) stack.restore(recorded);
    };
  }

  /** After a run that has not ended well, the state says who is recorded and not away, and this test what they had before. */
  private managedNow(before: ReadonlyMap<string, string | null>): Managed {
    const all = [...this.stack.recorded.values()].map(({ resource, properties }) => ({ resource, ...properties }));
    const idOf = idsIn(this.organization);
    const namesIn = (map: unknown) => Object.keys(propertiesIn(map));
    const declaredIn = ({ members, found }: Properties) =>
      new Set(namesIn(members).flatMap((name) => (stringsIn(found).includes(idOf(name)) ? [] : idOf(name))));
    const roles = new Map<string, string | null>();
    const teams = new Map<string, { people: Set<string>; whole: boolean; leaves: boolean }>();
    for (const one of all as Record<string, unknown>[]) {
      const away = [...stringsIn(one.pending), ...stringsIn(one.absent)];
      if (one.resource === "MemberRoles")
        for (const id of namesIn(one.roles).flatMap((name) => (away.includes(name.toLowerCase()) ? [] : idOf(name))))
          roles.set(id, (this.managed.roles.has(id) ? this.managed.roles : before).get(id) ?? null);
      const team = String(one.teamId);
      if (one.resource === "TeamMembers") teams.set(team, { people: declaredIn(one), whole: true, leaves: false });
      if (one.resource !== "TeamMembership") continue;
      const { people = new Set<string>() } = teams.get(team) ?? {};
      teams.set(team, { people: people.add(idOf(String(one.user))), whole: false, leaves: false });
    }
    for (const [id, role] of expectedAccess(this.organization).roles)
      if (!roles.has(id) && before.has(id) && before.get(id) !== role) this.replaced.set(id, before.get(id) ?? null);
    return { roles, teams };
  }

  private *recordedPeople(): Iterable<string> {
    const { roles, userIds } = this.stack.recorded.get("MemberRoles acme-members")?.properties ?? {};
    yield* Object.keys(propertiesIn(roles));
    yield* Object.values(propertiesIn(userIds)) as string[];
  }

  /** The state is lost, and with it what people had before. */
  loseState(): void {
    this.stack.restore(new Map());
    this.stack.notes = undefined;
    this.applied = [];
    this.created.clear();
    this.isStateLost = this.kept.length > 0;
    this.managed = nothingManaged;
  }

  private keep({ start, counts, result, isLimited }: Ended): void {
    const end = this.clock.now();
    const seconds = (time: number) => Math.floor(time / 1_000);
    const record = {
      kind: "update",
      startTime: seconds(start),
      endTime: seconds(end),
      message: `Run ${this.runs}`,
      environment: { "git.head": String(this.runs).padStart(40, "0") },
      result: result === "done" ? "succeeded" : "failed",
      resourceChanges: { same: 1, ...Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)) },
    };
    const name = path.join(this.versions, `main-${start}000000.`);
    writeFileSync(`${name}history.json`, JSON.stringify(record));
    writeFileSync(
      `${name}checkpoint.json`,
      JSON.stringify({ version: 3, checkpoint: { latest: { resources: this.state() } } }),
    );
    this.kept.push({
      end: seconds(end) * 1_000,
      run: this.runs,
      isLost: this.isStateLost,
      isLimited,
      isDone: result === "done",
      managed: this.managed,
    });
    this.isStateLost = false;
  }

  private connect() {
    const settings = new Settings({ DOCS_BASE_URL: this.service.lying.url, DOCS_TOKEN: this.service.token });
    const run = new Run({ settings, clock: this.clock }, this.connections);
    return connect(run, this.service.organizationId);
  }

  /** What `docs-org access` and `docs-org audit` say. */
  async lists(history: History) {
    const context = await this.connect();
    const live = await readOrganization(context, { teamIds: [...this.organization.teams.keys()] });
    const state = stateIn({ deployment: { resources: this.state() } }, "the state");
    return {
      access: listAccess(live, { file: this.load(), now: this.now, sinceOf: sinceIn(history) }),
      audit: auditOf(live, ownStates([state], context.organizationId)),
    };
  }

  /** The resources of the state as the engine writes them. */
  private state() {
    const createdAt = (key: string, at = this.created.get(key) ?? this.now.toISOString()) => {
      this.created.set(key, at);
      return at;
    };
    const resources = [...this.stack.recorded].map(([key, { resource, id, properties }]) => ({
      urn: urnOfChild(resource, key.slice(resource.length + 1)),
      created: createdAt(key),
      custom: true,
      type: typeIn("plugin", resource),
      id,
      inputs: declaredIn(definitions[resource], properties),
      outputs: properties,
    }));
    const { notes } = this.stack;
    if (!notes) return resources;
    const common = { created: createdAt(notesType), custom: false };
    const { inputs, outputs } = notes;
    return [
      { ...common, urn: componentUrn, type: organizationType },
      { ...common, urn: notesUrn, type: notesType, inputs, outputs },
      ...resources,
    ];
  }
}

interface Ran {
  readonly fate: Fate;
  /** What the stack manages if the run ends well. */
  readonly managed: Managed;
}

interface Ended {
  readonly start: number;
  readonly isLimited: boolean;
  readonly counts: FaultStack["changes"];
  readonly result: Fate;
}

/** See `keyOf` in component.ts. */
const keyOfEnd = (end: string): string => {
  const [type = "", ...name] = end.split("::");
  return `${type.split(":").at(-1)} ${name.join("::")}`;
};

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { keepUnfinished } from "../../../provider/access/unfinished";
import { listAccess } from "../../../provider/access-report/access-list";
import { endpoints, type RowName } from "../../../provider/api/endpoints";
import { auditOf } from "../../../provider/audit/audit";
import { ownStates } from "../../../provider/audit/declarations";
import { stateIn } from "../../../provider/audit/state";
import { startEmulator } from "../../../provider/emulator";
import type { History } from "../../../provider/history/history";
import { sinceIn } from "../../../provider/history/select";
import { type Loaded, loadOrganization } from "../../../provider/organization/file/loader";
import { readOrganization } from "../../../provider/organization/live/live";
import { reviewNotes } from "../../../provider/organization/review-notes";
import { notesType } from "../../../provider/organization/sections";
import { planOf, type Review } from "../../../provider/review";
import { notesName } from "../../../provider/review/model/component-notes";
import { connect } from "../../../provider/run/context";
import { propertiesIn } from "../../../provider/run/properties";
import { Run } from "../../../provider/run/run";
import { Settings } from "../../../provider/run/settings";
import { organizationType } from "../../../provider/run/urn";
import { TestClock } from "../../support/clock";
import type { Hook } from "../../support/lying-service";
import { declaredBy, type Notes, urnOf } from "../component";
import { accessIn, idOf, type Managed, nothingManaged } from "../random/expected";
import { reviewBetween } from "../random/three-accounts";
import { Service } from "../service";
import { CommandFailed, Stack } from "../stack";
import type { Dice } from "./dice";
import { seedOf } from "./people";
import { World } from "./world";

export const hour = 3_600_000;
const begin = Date.UTC(2026, 0, 1, 2);

/** `killed`: the engine ends in the middle, and records nothing. `failed`: the service refuses a write. */
export type Fate = "done" | "killed" | "failed";

/** A world with a stack that a run of each night brings about in this process. */
export class Year extends World {
  readonly versions = path.join(this.folder, "versions");
  private readonly unfinished = path.join(this.folder, "unfinished.json");
  private readonly stack = new Stack(() => this.options(), []);
  private notes = "";
  private readonly connections = new Run().connections;
  /** When the resources of the state were created, as the engine writes it. */
  private readonly created = new Map<string, string>();

  static async start(people: number, dice: Dice): Promise<Year> {
    const clock = new TestClock(begin);
    const emulator = await startEmulator({ now: clock.date });
    const year = new Year(await Service.start(emulator, seedOf(people, dice), clock), clock, dice);
    mkdirSync(year.versions);
    return year;
  }

  private options() {
    const options = this.service.options(60);
    const environment = { ...options.environment, DOCS_UNFINISHED: this.unfinished };
    return { ...options, environment, connections: this.connections };
  }

  private load = (): Loaded => loadOrganization(this.path, { now: this.now });

  private program = (stack: Stack, loaded: Loaded, notes?: Notes[]) =>
    declaredBy(loaded, stack, this.options(), this.now, notes);

  async review(): Promise<Review> {
    const [stack, notes]: [Stack, Notes[]] = [this.stack.copy(), []];
    const before = new Map(stack.recorded);
    stack.program = () => this.program(stack, this.load(), notes);
    const changing = await stack.preview();
    return reviewBetween(before, stack, notes, changing);
  }

  /** `docs-org up`, with the record that the engine keeps of it. */
  async up(night: number, fate: Fate): Promise<Fate> {
    const { stack, service, clock } = this;
    const [start, changes, before, expected] = [
      clock.now(),
      { ...stack.changes },
      accessIn(this.organization),
      this.expected(),
    ];
    if (fate === "killed") keepUnfinished(this.unfinished, planOf(await this.review()), new Set(this.recordedPeople()));
    const loaded = this.load();
    stack.program = () => this.program(stack, loaded);
    service.lying.forget();
    const end = fate === "done" ? undefined : this.refuseAfter(this.dice.number(0, 2), fate);
    this.night = night;
    const failure = await stack.up().catch((error: unknown) => error);
    end?.();
    this.night = undefined;
    if (failure && !(end && failure instanceof CommandFailed)) throw failure;
    const actual = failure ? fate : "done";
    await clock.sleep(20_000);
    this.managed = actual === "done" ? expected.managed : this.managedNow(before.roles);
    if (actual === "done") {
      rmSync(this.unfinished, { force: true });
      this.replaced.clear();
    }
    if (actual !== "killed") this.keep({ start, night, loaded, changes, result: actual });
    return actual;
  }

  /** Refuses a write, made or not, after so many; if the engine is killed, everything that follows as well. */
  private refuseAfter(writes: number, fate: Fate): () => void {
    const { stack, service, dice } = this;
    const isMade = dice.chance(0.5);
    let left = writes;
    let recorded: Stack["recorded"] | undefined;
    const refusal = { status: 403, body: { error: { code: 403, message: "Not now" } } };
    const hook: Hook<RowName> = async ({ request, forward }) => {
      if (recorded && fate === "killed") return refusal;
      if (request.method === "GET" || left-- !== 0) return;
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

  /** After a run that has not ended well, the state says which people are recorded, and this test what they had before. */
  private managedNow(before: ReadonlyMap<string, string | null>): Managed {
    const all = [...this.stack.recorded.values()].map(({ resource, properties }) => ({ resource, ...properties }));
    const idsIn = (map: unknown) => Object.keys(propertiesIn(map)).map((name) => idOf(this.organization, name));
    const roles = new Map<string, string | null>();
    const teams = new Map<string, { people: Set<string>; whole: boolean; leaves: boolean }>();
    for (const one of all as Record<string, unknown>[]) {
      if (one.resource === "MemberRoles")
        for (const id of idsIn(one.roles)) roles.set(id, this.managed.roles.get(id) ?? before.get(id) ?? null);
      const team = String(one.teamId);
      if (one.resource === "TeamMembers")
        teams.set(team, { people: new Set(idsIn(one.members)), whole: true, leaves: false });
      if (one.resource !== "TeamMembership") continue;
      const { people = new Set<string>() } = teams.get(team) ?? {};
      teams.set(team, { people: people.add(idOf(this.organization, String(one.user))), whole: false, leaves: false });
    }
    for (const [id, role] of accessIn(this.organization).roles)
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
    this.created.clear();
    this.managed = nothingManaged;
  }

  private keep({ start, night, loaded, changes: before, result }: Ran): void {
    const notes = JSON.stringify(reviewNotes(loaded.organization));
    const { changes } = this.stack;
    // The notes are a resource as well.
    const update = changes.update - before.update + (notes === this.notes ? 0 : 1);
    const counts = { create: changes.create - before.create, update, delete: changes.delete - before.delete };
    this.notes = notes;
    const end = this.clock.now();
    const seconds = (time: number) => Math.floor(time / 1_000);
    const record = {
      kind: "update",
      startTime: seconds(start),
      endTime: seconds(end),
      message: `Night ${night}`,
      environment: { "git.head": String(night).padStart(40, "0") },
      result: result === "done" ? "succeeded" : "failed",
      resourceChanges: { same: 1, ...Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)) },
    };
    const isLost = this.created.size === 0 && this.kept.length > 0;
    const name = path.join(this.versions, `main-${start}000000.`);
    writeFileSync(`${name}history.json`, JSON.stringify(record));
    writeFileSync(`${name}checkpoint.json`, JSON.stringify({ version: 3, checkpoint: { latest: this.state() } }));
    this.kept.push({ end: seconds(end) * 1_000, night, isLost, isDone: result === "done", managed: this.managed });
  }

  /** What `docs-org access` and `docs-org audit` say. */
  async lists(history: History) {
    const settings = new Settings({ DOCS_BASE_URL: this.service.lying.url, DOCS_TOKEN: this.service.token });
    const context = await connect(new Run({ settings }, this.connections), this.service.organizationId);
    const live = await readOrganization(context, { teamIds: [...this.organization.teams.keys()] });
    const state = stateIn({ deployment: this.state() }, "the state");
    return {
      access: listAccess(live, { file: this.load(), now: this.now, sinceOf: sinceIn(history) }),
      audit: auditOf(live, ownStates([state], context.organizationId)),
    };
  }

  /** The state as the engine writes it. */
  private state() {
    const component = `urn:pulumi:test::project::${organizationType}`;
    const createdAt = (key: string, at = this.created.get(key) ?? this.now.toISOString()) => {
      this.created.set(key, at);
      return at;
    };
    const resources = [...this.stack.recorded].map(([key, { resource, id, properties }]) => ({
      urn: urnOf(resource, key.slice(resource.length + 1)),
      created: createdAt(key),
      custom: true,
      type: `pulumi-nodejs:dynamic/docs:${resource}`,
      id,
      inputs: properties,
      outputs: properties,
    }));
    const urn = `${component}$${notesType}::${notesName("acme")}`;
    const created = createdAt(notesType);
    const notes = { urn, created, custom: false, type: notesType, inputs: { review: JSON.parse(this.notes) } };
    return { resources: [notes, ...resources] };
  }
}

interface Ran {
  readonly start: number;
  readonly night: number;
  readonly loaded: Loaded;
  readonly changes: Stack["changes"];
  readonly result: Fate;
}

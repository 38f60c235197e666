import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { stringify } from "yaml";
import { keepUnfinished } from "../../../provider/access/unfinished";
import { endpoints, type RowName } from "../../../provider/api/endpoints";
import { startEmulator } from "../../../provider/emulator";
import type { Organization } from "../../../provider/emulator/store/state";
import { type Loaded, loadOrganization } from "../../../provider/organization/file/loader";
import type { OrganizationFile } from "../../../provider/organization/file/types";
import { reviewNotes } from "../../../provider/organization/review-notes";
import { notesType } from "../../../provider/organization/sections";
import { planOf, type Review } from "../../../provider/review";
import { notesName } from "../../../provider/review/model/component-notes";
import { propertiesIn } from "../../../provider/run/properties";
import { organizationType } from "../../../provider/run/urn";
import { TestClock } from "../../support/clock";
import type { Hook } from "../../support/lying-service";
import { declaredBy, type Notes, urnOf } from "../component";
import { accessIn, expectedAfter, idOf, type Managed, nothingManaged } from "../random/expected";
import { linesOfHistory, reviewBetween } from "../random/three-accounts";
import { type Access, Service } from "../service";
import { CommandFailed, Stack } from "../stack";
import type { Dice } from "./dice";
import { type File, firstFile, seedOf } from "./people";

export const hour = 3_600_000;
const begin = Date.UTC(2026, 0, 1, 2);

/** `killed`: the engine ends in the middle, and records nothing. `failed`: the service refuses a write. */
export type Fate = "done" | "killed" | "failed";

/** A change of access as the service knows it. */
export interface Logged {
  readonly at: number;
  /** The night whose run has made it; without one, it was made by hand. */
  readonly night: number | undefined;
  /** As in `Access`. */
  readonly key: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** What is known of a version of the state without reading it. */
export interface Kept {
  readonly end: number;
  readonly night: number;
  readonly isDone: boolean;
  /** The state before it was lost. */
  readonly isLost: boolean;
  readonly managed: Managed;
}

/** An organization, its file, and the stack that a run of each night brings about, by a clock of the test. */
export class Year {
  readonly log: Logged[] = [];
  readonly kept: Kept[] = [];
  readonly story: string[] = [];
  readonly atFirst: Access;
  private readonly folder = mkdtempSync(path.join(tmpdir(), "nights-"));
  readonly path = path.join(this.folder, "organization.yaml");
  readonly versions = path.join(this.folder, "versions");
  private readonly unfinished = path.join(this.folder, "unfinished.json");
  readonly file: File;
  /** What the stack manages, by what has been declared. */
  managed: Managed = nothingManaged;
  private readonly stack = new Stack(() => this.options(), []);
  private night: number | undefined;
  private known: Access;
  private notes = "";
  /** When the resources of the state were created, as the engine writes it. */
  private readonly created = new Map<string, string>();
  /** Roles that a run has replaced which could not record them. */
  private readonly replaced = new Map<string, string | null>();

  private constructor(
    readonly service: Service,
    readonly clock: TestClock,
    readonly dice: Dice,
  ) {
    this.file = firstFile(service.organizationId, service.organization, dice);
    this.atFirst = service.access();
    this.known = this.atFirst;
    service.lying.afterForward = () => service.lying.writes().length > 0 && this.note();
    mkdirSync(this.versions);
    this.save();
  }

  static async start(people: number, dice: Dice): Promise<Year> {
    const clock = new TestClock(begin);
    const emulator = await startEmulator({ now: clock.date });
    return new Year(await Service.start(emulator, seedOf(people, dice), clock), clock, dice);
  }

  async stop(): Promise<void> {
    rmSync(this.folder, { recursive: true });
    await this.service.stop();
  }

  private options() {
    const options = this.service.options(60);
    return { ...options, environment: { ...options.environment, DOCS_UNFINISHED: this.unfinished } };
  }

  get now(): Date {
    return this.clock.date();
  }

  get organization(): Organization {
    return this.service.organization;
  }

  tell(text: string): void {
    this.story.push(`${this.now.toISOString().slice(0, 16)} ${text}`);
  }

  /** Writes down what has changed at the service since the last time. */
  note(): void {
    const access = this.service.access();
    for (const key of new Set([...Object.keys(this.known), ...Object.keys(access)])) {
      const [before, after] = [this.known[key], access[key]];
      if (before !== after) this.log.push({ at: this.clock.now(), night: this.night, key, before, after });
    }
    this.known = access;
  }

  save(): void {
    writeFileSync(this.path, stringify(this.file, { aliasDuplicateObjects: false }));
  }

  private load = (): Loaded => loadOrganization(this.path, { now: this.now });

  /** What an up would do now, as the file and the clock say. */
  private expected(): { readonly access: Access; readonly managed: Managed } {
    const { organization, managed } = this;
    const file = this.file as unknown as OrganizationFile;
    const { access, managed: after } = expectedAfter(file, organization, accessIn(organization), managed, this.now);
    const roles = [...access.roles].map(([id, role]) => [`role of ${id}`, role ?? "guest"]);
    const teams = [...access.teams].flatMap(([team, all]) => [...all].map(([id, role]) => [`${team}: ${id}`, role]));
    const known = [...after.roles].map(([id, role]) => [id, managed.roles.has(id) ? role : this.previous(id, role)]);
    return { access: Object.fromEntries([...roles, ...teams]), managed: { ...after, roles: new Map(known as []) } };
  }

  private previous = (id: string, live: string | null) => this.replaced.get(id) ?? live;

  /** What differs from the file at this time. */
  drift = (): string[] => linesOfHistory([this.service.access(), this.expected().access]).net;

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
    if (failure && !(end && failure instanceof CommandFailed)) throw failure;
    const actual = failure ? fate : "done";
    end?.();
    this.night = undefined;
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

  private keep({ start, night, loaded, changes: before, result }: Run): void {
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

interface Run {
  readonly start: number;
  readonly night: number;
  readonly loaded: Loaded;
  readonly changes: Stack["changes"];
  readonly result: Fate;
}

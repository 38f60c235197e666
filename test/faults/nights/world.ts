import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { stringify } from "yaml";
import type { OrganizationRecord } from "../../../provider/emulator/store/state";
import type { OrganizationFile } from "../../../provider/organization/file/types";
import type { AppliedGrant } from "../../../provider/review/model/component-notes";
import type { TestClock } from "../../support/clock";
import { expectedAccess, expectedAfter, idsIn, type Managed, nothingManaged } from "../random/expected";
import { linesOfHistory } from "../random/three-accounts";
import type { LiveAccess, Service } from "../service";
import type { Dice } from "./dice";
import { firstFile, type NightFile, type NightLine, type Phase, phaseOf, timedLines } from "./people";

/** A change of access as the service knows it. */
export interface Logged {
  readonly at: number;
  /** The run that has made it; without one, it was made by hand. */
  readonly run: number | undefined;
  /** As in `Access`. */
  readonly key: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** What is known of a version of the state without reading it. */
export interface Kept {
  readonly end: number;
  readonly run: number;
  readonly isDone: boolean;
  /** The state before it was lost. */
  readonly isLost: boolean;
  /** Only grants have begun or ended: what else has changed is not recorded yet. */
  readonly isLimited: boolean;
  readonly managed: Managed;
}

/** An organization and its file by a clock of the test: what has changed, and what an up would do. */
export class World {
  readonly log: Logged[] = [];
  readonly kept: Kept[] = [];
  readonly story: string[] = [];
  readonly atFirst: LiveAccess;
  readonly file: NightFile;
  private recorded: Managed = nothingManaged;
  /** The grants that the last up has recorded, as the state has them. */
  protected applied: readonly AppliedGrant[] = [];
  /** The run that is going on. */
  protected running: number | undefined;
  protected runs = 0;
  private known: LiveAccess;
  /** Roles that a run has replaced and could not record. */
  protected readonly replaced = new Map<string, string | null>();

  constructor(
    readonly service: Service,
    readonly clock: TestClock,
    readonly dice: Dice,
    protected readonly folder = mkdtempSync(path.join(tmpdir(), "nights-")),
  ) {
    this.file = firstFile(service.organizationId, service.organization, dice);
    this.atFirst = service.access();
    this.known = this.atFirst;
    service.lying.afterForward = ({ method }) => method !== "GET" && this.note();
    this.save();
  }

  async stop(): Promise<void> {
    rmSync(this.folder, { recursive: true });
    await this.service.stop();
  }

  get now(): Date {
    return this.clock.date();
  }

  get organization(): OrganizationRecord {
    return this.service.organization;
  }

  /** What the stack manages, by what has been declared. Who has joined since is known by the id. */
  get managed(): Managed {
    const { roles, teams } = this.recorded;
    const idOf = idsIn(this.organization);
    const named = [...teams].map(
      ([team, one]) => [team, { ...one, people: new Set([...one.people].map(idOf)) }] as const,
    );
    return { roles, teams: new Map(named) };
  }

  set managed(managed: Managed) {
    this.recorded = managed;
  }

  tell(text: string): void {
    this.story.push(`${this.now.toISOString().slice(0, 16)} ${text}`);
  }

  /** The time that is logged. */
  protected stamp = (): number => this.clock.now();

  /** Writes down what has changed at the service since the last time. */
  note(): void {
    const access = this.service.access();
    for (const key of new Set([...Object.keys(this.known), ...Object.keys(access)])) {
      const [before, after] = [this.known[key], access[key]];
      if (before !== after) this.log.push({ at: this.stamp(), run: this.running, key, before, after });
    }
    this.known = access;
  }

  protected get path(): string {
    return path.join(this.folder, "organization.yaml");
  }

  save(): void {
    writeFileSync(this.path, stringify(this.file, { aliasDuplicateObjects: false }));
  }

  /** What an up would do now, as the file and the clock say. */
  protected expected(): { readonly access: LiveAccess; readonly managed: Managed } {
    const { organization, managed } = this;
    const file = this.file as unknown as OrganizationFile;
    const { access, managed: after } = expectedAfter(
      file,
      organization,
      expectedAccess(organization),
      managed,
      this.now,
    );
    const roles = [...access.roles].map(([id, role]) => [`role of ${id}`, role ?? "guest"]);
    const teams = [...access.teams].flatMap(([team, all]) => [...all].map(([id, role]) => [`${team}: ${id}`, role]));
    const previous = (id: string, role: string | null) =>
      managed.roles.has(id) ? role : (this.replaced.get(id) ?? role);
    const known = [...after.roles].map(([id, role]) => [id, previous(id, role)] as const);
    return { access: Object.fromEntries([...roles, ...teams]), managed: { ...after, roles: new Map(known) } };
  }

  /** What the lines that the last up had as they are begin and end by now, and nothing else. */
  protected expectedOfGrants() {
    const { managed: before, organization } = this;
    const { access: declared, managed: after } = this.expected();
    const idOf = idsIn(organization);
    const access: Record<string, string> = { ...this.service.access() };
    const roles = new Map(before.roles);
    const teams = new Map([...before.teams].map(([id, one]) => [id, { ...one, people: new Set(one.people) }]));
    const phases = new Map(this.applied.map((one) => [nameOfGrant(one.grant), one.phase]));
    for (const { team, name, line } of timedLines(this.file)) {
      const id = idOf(name);
      const place = team === undefined ? `role of ${id}` : `${team}: ${id}`;
      const isIn = (all: Managed) => (team === undefined ? all.roles.has(id) : all.teams.get(team)?.people.has(id));
      const isMember = organization.members.has(id);
      const level = access[place] ?? (isMember ? "none" : undefined);
      const [next, phase] = [declared[place], phaseOf(line, this.now)];
      const isDeclared = isIn(after) === true;
      const applied = this.applied.find(({ grant }) => nameOfGrant(grant) === nameOfGrant(grantOf(team, name, line)));
      if (!applied || !isDue(applied, phase, { isDeclared, isMember, isRecorded: isIn(before) === true })) continue;
      const isWhole = team !== undefined && before.teams.get(team)?.whole;
      const isManaged = isWhole || isIn(before) || isDeclared;
      if (phase === "ended" && isRefused(line, { level, next, isManaged })) continue;
      phases.set(nameOfGrant(applied.grant), phase);
      if (phase === "ended" && !isManaged) continue;
      const given = phase === "running" ? line.role : next;
      const lost = Object.keys(access).filter((key) => key === place || (!team && key.endsWith(`: ${id}`)));
      if (given !== undefined) access[place] = given;
      else for (const key of lost) delete access[key];
      const previous = after.roles.get(id);
      if (team !== undefined) teams.get(team)?.people[isIn(after) ? "add" : "delete"](id);
      else if (previous === undefined) roles.delete(id);
      else roles.set(id, previous);
    }
    return { access, managed: { roles, teams }, phases };
  }

  /** What differs from the file at this time. */
  drift = (): string[] => linesOfHistory([this.service.access(), this.expected().access]).net;
}

type Noted = AppliedGrant["grant"];
export const grantOf = (team: string | undefined, user: string, { role, reason, from, expires }: NightLine): Noted => {
  const { on, then = "remove" } = expires ?? {};
  return { user, team, role, reason, from, expires: on, then: on && then };
};
export const nameOfGrant = ({ user, team, role, reason, from, expires, then }: Noted): string =>
  JSON.stringify([user, team, role, reason, from, expires, then]);

/** An end that has failed is tried again as long as the state has the person. */
function isDue(applied: AppliedGrant, phase: Phase, { isDeclared, isMember, isRecorded }: Person): boolean {
  if (phase === "ended") return applied.phase !== "ended" || (isRecorded && !isDeclared);
  const isToBegin = phase === "running" && isDeclared && isMember;
  return isToBegin && (applied.phase === "to begin" || applied.userId === undefined);
}

type Person = Readonly<Record<"isDeclared" | "isMember" | "isRecorded", boolean>>;

/** Somebody has changed the level by hand, the state does not have the grant, or it restores nothing. */
function isRefused({ role, expires }: NightLine, { level, next, isManaged }: Ending): boolean {
  if (!isManaged) return level === role;
  if (level === role && next === role && expires?.then !== role) return true;
  return next !== undefined && ![undefined, role, next].includes(level);
}

interface Ending {
  readonly level: string | undefined;
  readonly next: string | undefined;
  readonly isManaged: boolean | undefined;
}

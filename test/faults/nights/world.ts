import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { stringify } from "yaml";
import type { Organization } from "../../../provider/emulator/store/state";
import type { OrganizationFile } from "../../../provider/organization/file/types";
import type { TestClock } from "../../support/clock";
import { accessIn, expectedAfter, type Managed, nothingManaged } from "../random/expected";
import { linesOfHistory } from "../random/three-accounts";
import type { Access, Service } from "../service";
import type { Dice } from "./dice";
import { type File, firstFile } from "./people";

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

/** An organization and its file by a clock of the test: what has changed, and what an up would do. */
export class World {
  readonly log: Logged[] = [];
  readonly kept: Kept[] = [];
  readonly story: string[] = [];
  readonly atFirst: Access;
  readonly file: File;
  /** What the stack manages, by what has been declared. */
  managed: Managed = nothingManaged;
  protected night: number | undefined;
  private known: Access;
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

  get organization(): Organization {
    return this.service.organization;
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
      if (before !== after) this.log.push({ at: this.stamp(), night: this.night, key, before, after });
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
  protected expected(): { readonly access: Access; readonly managed: Managed } {
    const { organization, managed } = this;
    const file = this.file as unknown as OrganizationFile;
    const { access, managed: after } = expectedAfter(file, organization, accessIn(organization), managed, this.now);
    const roles = [...access.roles].map(([id, role]) => [`role of ${id}`, role ?? "guest"]);
    const teams = [...access.teams].flatMap(([team, all]) => [...all].map(([id, role]) => [`${team}: ${id}`, role]));
    const previous = (id: string, role: string | null) =>
      managed.roles.has(id) ? role : (this.replaced.get(id) ?? role);
    const known = [...after.roles].map(([id, role]) => [id, previous(id, role)] as const);
    return { access: Object.fromEntries([...roles, ...teams]), managed: { ...after, roles: new Map(known) } };
  }

  /** What differs from the file at this time. */
  drift = (): string[] => linesOfHistory([this.service.access(), this.expected().access]).net;
}

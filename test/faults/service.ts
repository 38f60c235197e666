import { deserialize, serialize } from "node:v8";
import { type Emulator, type ReadLag, startEmulator } from "../../provider/emulator";
import type { SeedOrganization } from "../../provider/emulator/seed/seed";
import { stateFromSeed } from "../../provider/emulator/seed/seed";
import type { OrganizationRecord } from "../../provider/emulator/store/state";
import { latest, seedOfVersion } from "../states/everything";
import { TestClock } from "../support/clock";
import { LyingService } from "../support/lying-service";
import type { ProviderOptions } from "../support/provider";

/** Milliseconds (see `Run`). With many attempts at once, a call that makes a refusal unnecessary may come seconds after it. */
const patience = 5_000;

const seeded = seedOfVersion(latest);
let services = 0;

/** Who has what: "role of user_ada" -> "admin", "team_writers: user_cem" -> "owner". */
export type LiveAccess = Readonly<Record<string, string>>;

interface Started {
  readonly seed?: SeedOrganization;
  readonly clock?: TestClock;
}

/**
 * An organization behind a proxy in which requests may fail, which notes who has what after each request. Services share an
 * emulator, because starting one takes longer than an attempt.
 */
export class Service {
  readonly history: LiveAccess[] = [];
  takeOver = "";

  private constructor(
    private readonly emulator: Emulator,
    readonly lying: LyingService,
    readonly organizationId: string,
    /** The clock of the runs and of the emulator, if the emulator serves this organization only. */
    readonly clock?: TestClock,
  ) {
    lying.afterForward = () => void this.history.push(this.access());
  }

  /** Starts with the objects of the seed; by default, with those of the exported states. */
  static async start(emulator: Emulator, { seed, clock }: Started = {}): Promise<Service> {
    const organizationId = `faults_${++services}`;
    const { acme = { title: "Acme" } } = (await seeded).organizations;
    const { organizations } = stateFromSeed({ organizations: { [organizationId]: seed ?? acme } }, new Date());
    for (const [id, organization] of organizations) emulator.state.organizations.set(id, organization);
    return new Service(emulator, await LyingService.start(emulator.url), organizationId, clock);
  }

  /** With reads that lag, in an emulator of its own, whose clock moves only when a run waits. */
  static async startLagging(readLag: ReadLag): Promise<Service> {
    const clock = new TestClock();
    return Service.start(await startEmulator({ now: clock.date, readLag }), { clock });
  }

  get token(): string {
    return this.emulator.token;
  }

  options(deadline: number): ProviderOptions {
    const config = {
      "docs:baseUrl": this.lying.url,
      "docs:token": this.token,
      "docs:organizationId": this.organizationId,
    };
    const environment = { DOCS_DEADLINE: String(deadline), DOCS_TAKE_OVER: this.takeOver };
    return { config, environment, patience, ...(this.clock && { clock: this.clock }) };
  }

  /** Everything that it stores, for `restore`. */
  save = (): Buffer => serialize(this.organization);

  restore(saved: Buffer): void {
    this.emulator.state.organizations.set(this.organizationId, deserialize(saved) as OrganizationRecord);
    this.history.length = 0;
    this.lying.forget();
  }

  get organization(): OrganizationRecord {
    const found = this.emulator.state.organizations.get(this.organizationId);
    if (!found) throw new Error(`the emulator has no organization ${this.organizationId}`);
    return found;
  }

  access(): LiveAccess {
    const { members, teams } = this.organization;
    const roles = [...members.values()].map(({ id, role }): [string, string] => [`role of ${id}`, role ?? "guest"]);
    const memberships = [...teams.values()].flatMap((team) =>
      [...team.members].map(([user, { role }]): [string, string] => [`${team.id}: ${user}`, role]),
    );
    return Object.fromEntries([...roles, ...memberships]);
  }

  /** Everything that a resource may change, object by object; ids and times of what was created do not count. */
  live(): string[] {
    const { sites, saml, translations, invitations } = this.organization;
    const access = Object.entries(this.access()).map(([key, role]) => `${key}: ${role}`);
    const objects = [...sites.values(), ...saml.values(), ...translations.values(), ...invitations.keys()];
    return [...access, ...objects.map(comparable)].sort();
  }

  async stop(): Promise<void> {
    await this.lying.close();
    if (this.clock) return this.emulator.close();
    this.emulator.state.organizations.delete(this.organizationId);
  }
}

/** Properties that say when, or in which order, something happened. */
const incidental = /^(createdAt|updatedAt|startsAt|sequence)$/;

const comparable = (object: unknown): string =>
  JSON.stringify(object, (name, value) => (incidental.test(name) ? undefined : value)).replace(
    /_[A-Za-z0-9]{20}\b/g,
    "_created",
  );

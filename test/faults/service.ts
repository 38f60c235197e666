import { type Emulator, startEmulator } from "../../provider/emulator";
import type { Organization } from "../../provider/emulator/store/state";
import { latest, seedOf } from "../states/everything";
import { LyingService } from "../support/lying-service";
import type { ProviderOptions } from "../support/provider";

const seeded = seedOf(latest);
let services = 0;

/** Who holds what: "role of user_ada" -> "admin", "team_writers: user_cem" -> "owner". */
export type Access = Readonly<Record<string, string>>;

/** A service of its own with what the exported states are about, in which requests may fail; it notes who holds what after each one. */
export class Service {
  readonly history: Access[] = [];

  private constructor(
    readonly emulator: Emulator,
    readonly lying: LyingService,
  ) {
    lying.afterForward = () => void this.history.push(this.access());
  }

  static async start(): Promise<Service> {
    const organizationId = `faults_${++services}`;
    const { acme = { title: "Acme" } } = (await seeded).organizations;
    const emulator = await startEmulator({ organizationId, seed: { organizations: { [organizationId]: acme } } });
    return new Service(emulator, await LyingService.start(emulator.url));
  }

  options(deadline: number): ProviderOptions {
    const { token, organizationId } = this.emulator;
    const config = { "docs:baseUrl": this.lying.url, "docs:token": token, "docs:organizationId": organizationId };
    return { config, environment: { DOCS_DEADLINE: String(deadline) }, patience: 500 };
  }

  private get organization(): Organization {
    const { state, organizationId } = this.emulator;
    const found = state.organizations.get(organizationId);
    if (!found) throw new Error(`the emulator has no organization ${organizationId}`);
    return found;
  }

  access(): Access {
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
    await this.emulator.close();
  }
}

/** Says when something happened, in which order, or under which random id. */
const incidental = /^(createdAt|updatedAt|startsAt|sequence|responses)$/;

const comparable = (object: unknown): string =>
  JSON.stringify(object, (name, value) => (incidental.test(name) ? undefined : value)).replace(
    /_[A-Za-z0-9]{20}\b/g,
    "_created",
  );

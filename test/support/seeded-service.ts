import { afterEach, beforeEach, expect } from "vitest";
import * as definitions from "../../provider/definitions";
import { type Emulator, startEmulator } from "../../provider/emulator";
import { ResourceHandler } from "../../provider/lifecycle/handler";
import type { ResourceName } from "../../provider/resources/names";
import { Run } from "../../provider/run/run";
import { latest, seedOfVersion } from "../states/everything";
import { TestClock } from "./clock";
import { LyingService } from "./lying-service";
import { patience } from "./provider";
import { settingsOf } from "./settings";

let services = 0;

/**
 * For each test, a service that may lie, with the objects of test/states and an organization of its own, and a run that has read
 * nothing yet. The settings of this process name the service.
 */
export class SeededService {
  emulator!: Emulator;
  lying!: LyingService;
  private run = new Run({ patience, clock: new TestClock() });

  constructor() {
    beforeEach(() => this.start());
    afterEach(async () => {
      await this.lying.close();
      await this.emulator.close();
    });
  }

  private async start(): Promise<void> {
    const organizationId = `seeded_${++services}`;
    const { acme = expect.unreachable() } = (await seedOfVersion(latest)).organizations;
    this.emulator = await startEmulator({ organizationId, seed: { organizations: { [organizationId]: acme } } });
    this.lying = await LyingService.start(this.emulator.url);
    this.run = new Run({ patience, clock: new TestClock() });
    Object.assign(process.env, settingsOf(this.emulator), { DOCS_BASE_URL: this.lying.url });
  }

  /** Goes on with a run that has read nothing, and forgets the recorded requests. */
  anotherRun(): void {
    this.run = new Run({ patience, clock: new TestClock() });
    this.lying.forget();
  }

  handler(name: ResourceName) {
    return new ResourceHandler(definitions[name], { run: this.run });
  }

  get organization() {
    return this.emulator.state.organizations.get(this.emulator.organizationId) ?? expect.unreachable();
  }
}

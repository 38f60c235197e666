import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { AccessList } from "../../../provider/access-report/report";
import { readVersions, versionsInFolder } from "../../../provider/deployment/versions";
import { startEmulator } from "../../../provider/emulator";
import { historyOf } from "../../../provider/history/history";
import type { StateResource } from "../../../provider/organization/due-grants";
import { notesType } from "../../../provider/organization/sections";
import type { Review } from "../../../provider/review";
import { appliedIn } from "../../../provider/review/model/component-notes";
import { Dice } from "../../faults/nights/dice";
import { findDisagreements } from "../../faults/nights/disagreements";
import { byHand, edits, seedOfNights } from "../../faults/nights/people";
import { nameOfGrant, World } from "../../faults/nights/world";
import { hour } from "../../faults/nights/year";
import type { Managed } from "../../faults/random/expected";
import { expectSame, linesOfReview } from "../../faults/random/three-accounts";
import { type LiveAccess, Service } from "../../faults/service";
import { TestClock } from "../../support/clock";
import { engineBench } from "../bench";
import { type Folder, sharedFolder } from "./folder";

const bench = engineBench();
const shared = sharedFolder(bench.settings);
const { done } = bench;

/** A world whose runs are the commands of users: the engine has its own clock, and only the grants go by that of the test. */
class RealWorld extends World {
  /** The engine records whole seconds. What somebody does by hand in the second in which a run ends is after the run. */
  protected override stamp = (): number => {
    const round = this.running === undefined ? Math.ceil : Math.floor;
    return round(Date.now() / 1_000) * 1_000;
  };

  constructor(
    service: Service,
    private readonly commands: Folder,
  ) {
    super(
      service,
      new TestClock(Date.UTC(2027, 0, 1, 2)),
      new Dice(Number(process.env.FAULTS_SEED ?? 1)),
      commands.path,
    );
  }

  private environment() {
    const { lying, token, organizationId } = this.service;
    const settings = { DOCS_BASE_URL: lying.url, DOCS_TOKEN: token, DOCS_ORGANIZATION_ID: organizationId };
    // Short enough that no change by hand counts as a read before a write.
    return { ...settings, DOCS_NOW: this.now.toISOString(), DOCS_SETTLE: "2" };
  }

  private execute = (args: readonly string[]) => this.commands.docsOrg(args, this.environment());

  command = async (...args: string[]) => done(await this.execute(args)).stdout;

  async up(): Promise<void> {
    const { managed } = this.expected();
    this.running = ++this.runs;
    await this.command("up", "--yes");
    await this.keep(managed, false);
    expectSame("the file", this.drift(), []);
  }

  /** Whether a grant was due. A line that is refused fails the command, after the others. */
  async night(): Promise<boolean> {
    const { access, managed, phases } = this.expectedOfGrants();
    this.running = ++this.runs;
    const outcome = await this.execute(["up", "--only", "grants", "--yes"]);
    if (!/did not begin or end; the lines above say why/.test(outcome.output)) done(outcome);
    const isDue = /^Grants that begin or end:/m.test(outcome.output);
    if (isDue) await this.keep(managed, true);
    this.running = undefined;
    const linesIn = (one: LiveAccess) => Object.entries(one).map((entry) => entry.join(" "));
    expectSame("the night", linesIn(this.service.access()), linesIn(access));
    const recorded = this.applied.map(({ grant, phase }) => `${nameOfGrant(grant)} ${phase}`);
    expectSame(
      "the record of the grants",
      recorded,
      [...phases].map((one) => one.join(" ")),
    );
    return isDue;
  }

  private async keep(managed: Managed, isLimited: boolean): Promise<void> {
    this.running = undefined;
    this.managed = managed;
    this.kept.push({ end: 0, run: this.runs, isDone: true, isLost: false, isLimited, managed });
    const state = await this.commands.read(`.docs-org/state/.pulumi/stacks/${this.service.organizationId}/main.json`);
    const { resources } = JSON.parse(state).checkpoint.latest as { resources: StateResource[] };
    this.applied = appliedIn(resources.find(({ type }) => type === notesType)?.outputs);
  }

  /** What the commands that only read say after changes by hand. */
  async expectLists(): Promise<void> {
    const drift = this.drift();
    const review = JSON.parse(await this.command("preview", "--format", "json")) as Review;
    this.tell(`the report has ${linesOfReview(review).join(", ") || "no change"}`);
    expectSame("the report", linesOfReview(review), drift);
    const { people } = JSON.parse(await this.command("access", "--format", "json")) as AccessList;
    const listed = people.flatMap(({ userId, role, teams }) => [
      ...(role.level ? [[`role of ${userId}`, role.level]] : []),
      ...teams.flatMap(({ team, level }) => (level ? [[`${team?.id}: ${userId}`, level]] : [])),
    ]);
    expect(Object.fromEntries(listed)).toEqual(this.service.access());
  }
}

const happen = (world: World, all: typeof edits, times: number): void => {
  for (let left = times; left > 0; left--) {
    const text = world.dice.pick(all)?.(world);
    if (text !== undefined) world.tell(text);
  }
  world.note();
};

it("has the same nights through the commands as in one process", async () => {
  const emulator = await startEmulator();
  const service = await Service.start(emulator, { seed: seedOfNights(20, new Dice(1)) });
  onTestFinished(async () => {
    await service.stop();
    await emulator.close();
  });
  const world = new RealWorld(service, shared.folder);
  happen(world, edits, 24);
  world.save();
  await world.up();
  for (let night = 0; night < 10; night++) {
    await world.clock.sleep(24 * hour);
    const isDue = await world.night();
    world.tell(`night ${night}: ${isDue ? "grants were due" : "idle"}`);
    // Until the settle time has passed, a change by hand could count as a read before the write.
    if (!isDue) happen(world, byHand, 1);
  }
  await world.expectLists();
  const versions = path.join(shared.folder.path, `.docs-org/state/.pulumi/history/${service.organizationId}/main`);
  const history = await historyOf(readVersions(versionsInFolder(versions)));
  const ends = history.updates.map(({ end }) => Date.parse(end));
  const kept = world.kept.map((one, index) => ({ ...one, end: ends[index] ?? 0 }));
  expect(ends).toHaveLength(kept.length);
  const found = findDisagreements(history, { ...world, kept } as unknown as World);
  if (process.env.FAULTS_STORY) process.stdout.write(`${world.story.join("\n")}\n${await world.command("history")}`);
  expect(found).toEqual([]);
});

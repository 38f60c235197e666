import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import type { AccessList } from "../../../provider/access-report/report";
import { readVersions, versionsInFolder } from "../../../provider/deployment/versions";
import { startEmulator } from "../../../provider/emulator";
import { historyOf } from "../../../provider/history/history";
import type { Review } from "../../../provider/review";
import { Dice } from "../../faults/nights/dice";
import { findDisagreements } from "../../faults/nights/disagreements";
import { byHand, edits, seedOf } from "../../faults/nights/people";
import { World } from "../../faults/nights/world";
import { hour } from "../../faults/nights/year";
import { expectSame, linesOfReview } from "../../faults/random/three-accounts";
import { Service } from "../../faults/service";
import { TestClock } from "../../support/clock";
import { engineBench } from "../bench";
import { type Folder, sharedFolder } from "./folder";

const bench = engineBench();
const shared = sharedFolder(bench.settings);
const { done } = bench;

/** EVERY_NIGHT=1 takes ten. */
const nights = process.env.EVERY_NIGHT ? 10 : 2;

/** A world whose runs are the commands of users: the engine has its own clock, and only the grants go by that of the test. */
class RealWorld extends World {
  protected override stamp = (): number => Math.floor(Date.now() / 1_000) * 1_000;

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

  command = async (...args: string[]) => done(await this.commands.docsOrg(args, this.environment())).stdout;

  async up(): Promise<void> {
    const { managed } = this.expected();
    this.running = ++this.runs;
    await this.command("up", "--yes");
    this.running = undefined;
    this.managed = managed;
    this.kept.push({ end: 0, run: this.runs, isDone: true, isLost: false, isLimited: false, managed });
    await sleep(3_000);
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
  const service = await Service.start(emulator, seedOf(20, new Dice(1)));
  onTestFinished(async () => {
    await service.stop();
    await emulator.close();
  });
  const world = new RealWorld(service, shared.folder);
  for (let night = 0; night < nights; night++) {
    await world.up();
    expectSame("the file", world.drift(), []);
    happen(world, byHand, 2);
    const drift = world.drift();
    const review = JSON.parse(await world.command("preview", "--format", "json")) as Review;
    world.tell(`night ${night}: the report has ${linesOfReview(review).join(", ") || "no change"}`);
    expectSame("the report", linesOfReview(review), drift);
    const { people } = JSON.parse(await world.command("access", "--format", "json")) as AccessList;
    const listed = people.flatMap(({ userId, role, teams }) => [
      ...(role.level ? [[`role of ${userId}`, role.level]] : []),
      ...teams.flatMap(({ team, level }) => (level ? [[`${team?.id}: ${userId}`, level]] : [])),
    ]);
    expect(Object.fromEntries(listed)).toEqual(service.access());
    happen(world, edits, 3);
    world.save();
    await world.clock.sleep(24 * hour);
    await sleep(3_000);
  }
  const versions = path.join(shared.folder.path, `.docs-org/state/.pulumi/history/${service.organizationId}/main`);
  const history = await historyOf(readVersions(versionsInFolder(versions)));
  const ends = history.updates.map(({ end }) => Date.parse(end));
  const kept = world.kept.map((one, index) => ({ ...one, end: ends[index] ?? 0 }));
  expect(ends).toHaveLength(kept.length);
  const found = findDisagreements(history, { ...world, kept } as unknown as World);
  if (process.env.EVERY_NIGHT) process.stdout.write(`${world.story.join("\n")}\n${await world.command("history")}`);
  expect(found).toEqual([]);
});

import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RowName } from "../../../provider/api/endpoints";
import { pluginStack } from "../../../scripts/plugin-stack";
import type { CommandOutcome, ResourceState, Stack } from "../../../scripts/stack";
import { done } from "../../support/done";
import { ownProcesses } from "../../support/engine-node";
import { engineBench } from "../bench";

const count = 60;
/** Milliseconds for which the interrupted command waits for an answer. */
const delay = 600;
const always = 1_000_000;
/** Milliseconds. A busy machine needs some seconds; idle connections would keep a command for ten, and the limit of the service for sixty. */
const soon = 8_000;

const program = `import * as docs from "pulumi-docs-org/plugin";
for (let number = 0; number < ${count}; number++) {
  new docs.Site("site-" + number, { title: "Site " + number, published: true });
}`;

interface Interrupted extends CommandOutcome {
  /** Milliseconds from the signal to the end of the command. */
  readonly took: number;
}

describe("Ctrl-C, with 60 sites", () => {
  const bench = engineBench();
  let stack: Stack;
  beforeAll(async () => {
    stack = await pluginStack({ text: program }, { ...bench.settings(), ...ownProcesses });
  });
  afterAll(() => stack.remove());

  const uninterrupted = (outcome: CommandOutcome): void => expect(done(outcome)).not.toMatch(/cancel/i);
  const writes = () => bench.emulator.log.filter(({ method }) => method !== "GET").length;
  const recorded = async () => (await stack.resources()).flatMap(({ id }) => id ?? []).sort();
  const live = async () =>
    (await bench.client.listSites({ organizationId: "acme" }).all()).filter(({ title }) => /^Site \d+$/.test(title));
  const liveIds = async () => (await live()).map(({ id }) => id).sort();
  const pending = async () => JSON.parse(await stack.stateFile()).checkpoint.latest.pending_operations ?? [];

  /** Runs a command of the engine, and sends it the signal of Ctrl-C when it has sent so many requests of a row. */
  async function interrupt(row: RowName, requests: number, ...command: string[]): Promise<Interrupted> {
    bench.emulator.resetRequests();
    // The shell becomes the engine: a command in the background of a shell would ignore the signal.
    const script = 'echo $$ > engine.pid; exec pulumi --non-interactive --color never "$@"';
    const running = stack.execute("sh", ["-c", script, "sh", ...command]);
    const ended = running.then(({ output }) => Promise.reject(new Error(`it ended before the signal: ${output}`)));
    const begun = expect.poll(() => bench.emulator.requests()[row] ?? 0, { timeout: 120_000, interval: 20 });
    await Promise.race([begun.toBeGreaterThanOrEqual(requests), ended]);
    const since = performance.now();
    process.kill(Number(await readFile(path.join(stack.folder, "engine.pid"), "utf8")), "SIGINT");
    const outcome = await running;
    return { ...outcome, took: performance.now() - since };
  }

  it("during an up finishes and records the requests in flight, and the next up does the rest", async () => {
    bench.emulator.fault({ row: "createSite", delay, times: always });
    const { status, output, took } = await interrupt("createSite", 20, "up", "--yes", "--skip-preview");
    bench.emulator.clearFaults();
    expect(status).not.toBe(0);
    expect(took).toBeLessThan(delay + soon);
    // Either a site waited for its turn, or it was created and waited to be published.
    expect(output).toMatch(/site-\d+ \*\*creating failed/);
    expect(output).toMatch(/(\*\*creating failed.*|could not publish site \S+:) the command was cancelled/);
    expect(bench.emulator.requests().createSite).toBeLessThan(40);
    expect(await recorded()).toEqual(await liveIds());
    expect(await pending()).toEqual([]);

    uninterrupted(await stack.up());
    expect(await recorded()).toEqual(await liveIds());
    const titles = new Set((await live()).filter(({ published }) => published).map(({ title }) => title));
    expect([titles.size, (await live()).length]).toEqual([count, count]);
  });

  it("during a preview and a refresh changes nothing", async () => {
    const before = await stack.resources();
    const contents = (all: readonly ResourceState[]) => all.map(({ id, inputs, outputs }) => ({ id, inputs, outputs }));
    bench.emulator.fault({ row: "listSites", delay, times: always });
    for (const command of [["preview"], ["refresh", "--yes", "--skip-preview"]]) {
      const { status, took } = await interrupt("listSites", 1, ...command);
      expect(status).not.toBe(0);
      expect(took).toBeLessThan(delay + soon);
      expect(writes()).toBe(0);
    }
    bench.emulator.clearFaults();
    expect(contents(await stack.resources())).toEqual(contents(before));
  });

  it("ends a destroy at once that waits for the service's limit, and the next destroy does the rest", async () => {
    const limit = { status: 429, headers: { "retry-after": "60" } };
    bench.emulator.fault({ row: "deleteSite", skip: 20, times: always, ...limit });
    const { status, took, output } = await interrupt("deleteSite", 21, "destroy", "--yes", "--skip-preview");
    expect(status).not.toBe(0);
    bench.emulator.clearFaults();
    expect(took).toBeLessThan(soon);
    expect(output).toMatch(/site-\d+ \*\*deleting failed.* the command was cancelled/);
    const left = await liveIds();
    expect(left.length).toBeGreaterThan(0);
    expect(await recorded()).toEqual(left);
    expect(await pending()).toEqual([]);

    uninterrupted(await stack.destroy());
    expect(await liveIds()).toEqual([]);
    expect(await recorded()).toEqual([]);
  });
});

import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { ownProcesses } from "../support/engine-node";
import { processesIn } from "../support/processes";
import { engineBench, program } from "./bench";

const bench = engineBench();
const { stackOf, done } = bench;

it("ends every process of an up after SIGTERM and records what was created, and the next up does the rest", async () => {
  const titles = ["First", "Second", "Third"];
  const stack = await stackOf(
    program(
      'const first = new docs.Site("first", { title: "First", published: true });',
      'new docs.Site("second", { title: "Second", published: true });',
      'new docs.Site("third", { title: "Third" }, { dependsOn: first });',
    ),
    { ...bench.settings(), ...ownProcesses },
  );
  const live = async () =>
    (await bench.client.listSites({ organizationId: "acme" }).all()).filter(({ title }) => titles.includes(title));
  const recorded = async () => (await stack.resources()).flatMap(({ id }) => id ?? []).sort();
  // The signal comes before the first creation is answered. A creation that has begun is completed, with its publication.
  bench.emulator.fault({ row: "createSite", delay: 800, times: 2 });
  const command = "pulumi --non-interactive up --yes --skip-preview & echo $! > engine.pid; wait $!";
  const up = stack.execute("sh", ["-c", command]);
  const begun = () => bench.emulator.requests().createSite ?? 0;
  await expect.poll(begun, { timeout: 60_000, interval: 20 }).toBeGreaterThan(0);
  expect((await processesIn(stack.folder)).length).toBeGreaterThan(2);
  process.kill(Number(await readFile(path.join(stack.folder, "engine.pid"), "utf8")), "SIGTERM");
  const { status, output } = await up;
  expect([status === 0, output]).toEqual([false, expect.stringContaining("update canceled")]);
  await expect.poll(() => processesIn(stack.folder), { timeout: 20_000 }).toEqual([]);

  const sites = await live();
  expect(sites.map(({ title }) => title)).not.toContain("Third");
  expect(sites.length).toBeGreaterThan(0);
  expect(sites.every(({ published }) => published)).toBe(true);
  expect(await recorded()).toEqual(sites.map(({ id }) => id).sort());
  done(await stack.up());
  expect((await live()).map(({ title }) => title).sort()).toEqual(titles);
  expect(await recorded()).toHaveLength(titles.length);
});

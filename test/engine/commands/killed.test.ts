import path from "node:path";
import { expect, it } from "vitest";
import type { Outcome } from "../../../scripts/stack";
import { ownProcesses } from "../../support/engine-node";
import { processesIn } from "../../support/processes";
import { engineBench } from "../bench";
import { organization, sharedFolder } from "./folder";

const bench = engineBench();
const { done, refused, settings } = bench;

const shared = sharedFolder(settings);
const up = ["up", "--yes"];
const engine = /^pulumi up /;
const provider = /\/plugin\/index\.js /;

const running = async (command: RegExp) =>
  (await processesIn(path.join(shared.folder.path, ".docs-org"))).filter((one) => command.test(one.command));

async function kill(command: RegExp): Promise<void> {
  const found = await running(command);
  expect(found).not.toEqual([]);
  for (const { id } of found) process.kill(id, "SIGKILL");
}

/** Runs `docs-org up`, and kills the process with this command when the service has the request, which is not answered. */
async function killed(
  row: "createSite" | "updateMember",
  command: RegExp,
  more: readonly string[] = [],
): Promise<Outcome> {
  const before = bench.emulator.requests()[row] ?? 0;
  bench.emulator.fault({ row, delay: 600_000 });
  const upping = shared.folder.docsOrg([...up, ...more], ownProcesses);
  await expect
    .poll(() => bench.emulator.requests()[row] ?? 0, { timeout: 120_000, interval: 20 })
    .toBeGreaterThan(before);
  await kill(command);
  const outcome = await upping;
  bench.emulator.clearFaults();
  expect(outcome.status).toBe(1);
  return outcome;
}

it("says that the engine was killed; docs-org cancel removes its lock, and the next up takes over what was created", async () => {
  await shared.folder.write("organization.yaml", organization);
  const { stderr } = await killed("createSite", engine);
  expect(stderr).toMatch(
    /^docs-org: up failed: the engine was ended by SIGKILL, .* run docs-org cancel\nThe up stopped \(.*\); run it again to complete it\.\n$/m,
  );
  expect(stderr).not.toContain("creating (0s)");
  // What the engine leaves if it is killed while it writes the state.
  await shared.folder.write(".docs-org/state/.pulumi/stacks/acme/main.json.attrs", "");
  const no = await shared.folder.onTerminal("n\r", ["cancel"]);
  expect([no.status, no.output]).toEqual([0, expect.stringMatching(/Nothing was changed\.\n$/)]);
  refused(
    await shared.folder.docsOrg(up),
    /another run changes this stack now; .* docs-org cancel if that run was killed/,
  );
  done(await shared.folder.onTerminal("y\r", ["cancel"]), /^Stack main has no lock now\./m);
  const { output } = refused(await shared.folder.docsOrg(up), /a site "Guide" already exists/);
  const [, DOCS_TAKE_OVER] = /DOCS_TAKE_OVER=(\S+) /.exec(output) ?? [];
  done(await shared.folder.docsOrg(up, { DOCS_TAKE_OVER }), /created Site acme-guide/);
});

it("says that the provider was killed, and the next up completes the change", async () => {
  await shared.folder.write("organization.yaml", organization.replace("cem@acme.test: create", "cem@acme.test: edit"));
  const { stderr } = await killed("updateMember", provider);
  expect(stderr).toBe(
    "docs-org: the provider ended before the engine, as a lack of memory or a failure of the provider does\n" +
      "The up stopped (no resource changed); run it again to complete it.\n",
  );
  done(await shared.folder.docsOrg(up), /^Nothing changes\.|updated MemberRoles|no resource changed/m);
  expect((await bench.client.getMember({ organizationId: "acme", userId: "user_cem" })).role).toBe("edit");
});

it("goes on with a take-over whose provider was killed after the import", async () => {
  const takeOver = ["take-over", "--yes", "--stack", "other"];
  const taking = shared.folder.docsOrg([...takeOver, "--force"], ownProcesses);
  await expect.poll(() => running(engine), { timeout: 120_000, interval: 20 }).not.toEqual([]);
  // What is recorded is read before.
  bench.emulator.fault({ row: "getTranslation", delay: 600_000 });
  bench.emulator.fault({ row: "listTranslations", delay: 600_000 });
  await expect.poll(() => running(provider), { timeout: 120_000, interval: 20 }).not.toEqual([]);
  await kill(provider);
  const { status, stderr } = await taking;
  bench.emulator.clearFaults();
  expect([status, stderr]).toEqual([
    1,
    expect.stringMatching(
      /the provider ended before .*\n.*\nNothing was changed at the service; run docs-org take-over again to go on\.\n$/,
    ),
  ]);
  done(await shared.folder.docsOrg(takeOver), /it goes on with the import/, /its preview shows no change/);
});

it("makes one stack in two runs at once, of which one goes on", async () => {
  const taking = ["take-over", "--yes", "--force", "--stack", "twice"];
  const outcomes = await Promise.all([shared.folder.docsOrg(taking), shared.folder.docsOrg(taking)]);
  for (const outcome of outcomes) {
    if (outcome.status !== 0) refused(outcome, /another run changes this stack now/);
  }
  expect(outcomes.map(({ status }) => status)).toContain(0);
  done(await shared.folder.docsOrg([...up, "--stack", "twice"]), /^Nothing changes\.$/m);
});

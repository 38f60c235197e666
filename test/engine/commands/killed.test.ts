import { readdir, rm } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import type { CommandOutcome } from "../../../scripts/stack";
import { ownProcesses } from "../../support/engine-node";
import { processesIn } from "../../support/processes";
import { engineBench } from "../bench";
import { sharedFolder } from "./folder";

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

/** Declares a role, runs `docs-org up`, and kills the process with this command when the service has the change, which is not answered. */
const killed = (role: string, command: RegExp): Promise<CommandOutcome> =>
  killedAt("updateMember", membersWith(role), command);

const membersWith = (role: string) => `members: { ada@acme.test: admin, user_bea: admin, cem@acme.test: ${role} }`;

async function killedAt(
  row: "updateMember" | "createSite",
  declared: string,
  command: RegExp,
): Promise<CommandOutcome> {
  await shared.folder.write("organization.yaml", `organization: acme\n${declared}\n`);
  const changes = () => bench.emulator.requests()[row] ?? 0;
  const before = changes();
  bench.emulator.fault({ row, delay: 600_000 });
  const upping = shared.folder.docsOrg(up, ownProcesses);
  await expect.poll(changes, { timeout: 120_000, interval: 20 }).toBeGreaterThan(before);
  await kill(command);
  const outcome = await upping;
  bench.emulator.clearFaults();
  expect(outcome.status).toBe(1);
  return outcome;
}

it("says what was killed; docs-org cancel removes the lock of an engine, and the next up completes the change", async () => {
  const { stderr } = await killed("edit", engine);
  expect(stderr).toMatch(/^docs-org: up failed: .* SIGKILL, .* run docs-org cancel\nThe up stopped \(.*\); .*\n$/m);
  expect(stderr).not.toContain("creating (0s)");
  // What the engine leaves if it is killed while it writes the state.
  await shared.folder.write(".docs-org/state/.pulumi/stacks/acme/main.json.attrs", "");
  const interrupted = await shared.folder.onTerminal("\u0003", ["cancel"]);
  expect([interrupted.status, interrupted.output]).toEqual([
    130,
    expect.stringMatching(/\ndocs-org: interrupted; nothing was done\n$/),
  ]);
  refused(await shared.folder.docsOrg(up), /another run changes this stack now; .* if that run was killed/);
  done(await shared.folder.onTerminal("y\r", ["cancel"]), /^Stack main has no lock/m);

  expect((await killed("review", provider)).stderr).toHaveWording("an up whose provider was killed");
  done(await shared.folder.docsOrg(up), /created MemberRoles/);
  expect((await bench.client.getMember({ organizationId: "acme", userId: "user_cem" })).role).toBe("review");
});

it("gives everybody back what they had before ups that were killed in the middle of role changes", async () => {
  const roles = async () =>
    Promise.all(
      ["user_dana", "user_eli", "user_femi"].map(async (userId) => {
        return (await bench.client.getMember({ organizationId: "acme", userId })).role;
      }),
    );
  const before = await roles();
  const declare = (dana: string, eli: string) =>
    shared.folder.write(
      "organization.yaml",
      `organization: acme\nmembers: { ada@acme.test: admin, dana@acme.test: ${dana}, eli@acme.test: ${eli}, femi@acme.test: admin }\n`,
    );
  const upKept = [...up, "--stack", "kept"];
  const killUpOnce = async (changed: () => Promise<boolean>, { answeredChanges = 1 } = {}) => {
    bench.emulator.fault({ row: "updateMember", delay: 600_000, skip: answeredChanges, times: 100 });
    const upping = shared.folder.docsOrg(upKept, ownProcesses);
    await expect.poll(changed, { timeout: 120_000, interval: 20 }).toBe(true);
    for (const one of [engine, provider]) await kill(one);
    expect((await upping).status).toBe(1);
    bench.emulator.clearFaults();
    done(await shared.folder.docsOrg(["cancel", "--yes", "--stack", "kept"]));
  };
  const unfinished = async () =>
    (await readdir(path.join(shared.folder.path, ".docs-org"))).filter((name) => /unfinished/.test(name));
  const differs = async () => JSON.stringify(await roles()) !== JSON.stringify(before);

  // Everything was done and nothing recorded, so that a take-over has all to record.
  const declareAdaAnd = (...others: string[]) => {
    const members = ["ada@acme.test: admin", ...others].join(", ");
    return shared.folder.write("organization.yaml", `organization: acme\nmembers: { ${members} }\n`);
  };
  await declareAdaAnd("dana@acme.test: { role: read, allowRaise: true }");
  await killUpOnce(differs, { answeredChanges: 0 });
  const file = ".docs-org/unfinished-acme%2Fkept.json";
  const outdated = await shared.folder.read(file);
  const destroy = ["destroy", "--yes", "--stack", "kept"];
  refused(
    await shared.folder.docsOrg(destroy),
    /an up has not ended well.*\n {2}dana@acme\.test: read \(before: \w+\)$/m,
  );
  done(await shared.folder.docsOrg(["take-over", "--yes", "--stack", "kept"]), /its preview shows no change/);
  done(await shared.folder.docsOrg(upKept), /Nothing changes/);
  expect(await unfinished()).toEqual([]);
  done(await shared.folder.docsOrg(destroy), /^Done: /m);
  expect(await roles()).toEqual(before);

  // As on a machine that has not noticed that another one has finished the work.
  await shared.folder.write(file, outdated);
  const give = (role: string) =>
    bench.client.updateMember({ organizationId: "acme", userId: "user_dana", body: { role: role as "read" } });
  await give("read");
  for (const command of [destroy, ["take-over", "--yes", "--stack", "kept"], upKept])
    refused(
      await shared.folder.docsOrg(command),
      /\n {2}dana@acme\.test: read \(before: \w+\)\nanother run has changed the stack since, so give them the role before/,
    );
  await give(before[0] as string);
  done(await shared.folder.docsOrg(destroy), /manages nothing/);
  expect(await unfinished()).toEqual([]);

  await declare("read", "read");
  await killUpOnce(differs);
  await declareAdaAnd();
  // The first up records the declaration, and the second one has nothing to do. Neither of them forgets what the killed one did.
  for (const _ of ["with a change", "with none"])
    refused(
      await shared.folder.docsOrg(upKept),
      // The service decides which of the three requests it answers before the others.
      /an up has not ended well[\s\S]*\n {2}((dana|eli)@acme\.test: read|femi@acme\.test: admin) \(before: \w+\)$/m,
    );
  expect(await unfinished()).toEqual(["unfinished-acme%2Fkept.json"]);
  const afterFirst = await roles();
  // Another declaration for a person whose role was changed, killed as well.
  await declare("comment", "comment");
  await killUpOnce(async () => JSON.stringify(await roles()) !== JSON.stringify(afterFirst));
  done(await shared.folder.docsOrg(upKept), /^Done: /m);
  expect(await roles()).toEqual(["comment", "comment", "admin"]);

  const allowing = (await shared.folder.read("organization.yaml")).replaceAll(
    "comment",
    "{ role: comment, allowRaise: true }",
  );
  await shared.folder.write("organization.yaml", allowing);
  done(await shared.folder.docsOrg(upKept), /^Done: /m);
  done(await shared.folder.docsOrg(destroy), /^Done: /m);
  expect(await roles()).toEqual(before);
  expect(await unfinished()).toEqual([]);
});

it("creates a site once, although the up was killed before it was recorded", async () => {
  await killedAt(
    "createSite",
    `${membersWith("review")}\nsites: { new: { title: New, visibility: unlisted, published: true } }`,
    engine,
  );
  done(await shared.folder.docsOrg(["cancel", "--yes"]), /./);
  const again = refused(await shared.folder.docsOrg(["preview"]), /sites\.new: a site "New": site_\w+ \(same title\)/);
  expect(again.stdout).toMatch(
    /^Stack main does not manage 1 object that organization\.yaml declares and that already exists\.$/m,
  );
  refused(await shared.folder.docsOrg(["take-over", "--yes"]), /1 live object to import/);
  done(await shared.folder.docsOrg(up), /updated Site/);
  const sites = await bench.client.listSites({ organizationId: "acme" }).all();
  expect(sites.filter(({ title }) => title === "New")).toEqual([expect.objectContaining({ published: true })]);
});

it("goes on with a take-over that a refusal, Ctrl-C or a killed provider has ended; status 2 if the service was changed meanwhile", async () => {
  const takeOver = ["take-over", "--yes", "--stack", "other"];
  const goesOn = /Nothing was changed at the service; run docs-org take-over again to go on\.$/m;
  const reads = () => bench.emulator.requests().getTranslation ?? 0;
  const poll = (value: () => unknown) => expect.poll(value, { timeout: 120_000, interval: 20 });

  // The command reads the list of translations twice and each of the three alone; the import then fails at them.
  bench.emulator.fault({ row: "listTranslations", status: 403, skip: 2, times: 1_000 });
  bench.emulator.fault({ row: "getTranslation", status: 403, skip: 3, times: 1_000 });
  await rm(path.join(shared.folder.path, "organization.yaml"));
  const stopped = refused(
    await shared.folder.docsOrg(takeOver),
    /wrote organization\.yaml/,
    /^docs-org: the import failed:\n {2}could not (?:read translation|list the translations) .* answered 403/m,
    goesOn,
  );
  expect(stopped.stderr).not.toContain("importing (0s)");
  bench.emulator.clearFaults();

  const before = reads();
  bench.emulator.fault({ row: "getTranslation", delay: 1_000, skip: 3, times: 3 });
  const interrupted = await shared.folder.interrupted(takeOver, () => poll(reads).toBeGreaterThan(before + 3));
  refused(interrupted, /the import was interrupted\n/, goesOn);
  bench.emulator.clearFaults();

  // All sites are recorded, so only the guards list them, before the rest is recorded.
  bench.emulator.fault({ row: "listSites", delay: 600_000 });
  const lists = () => bench.emulator.requests().listSites ?? 0;
  const listed = lists();
  const taking = shared.folder.docsOrg(takeOver, ownProcesses);
  await poll(lists).toBeGreaterThan(listed);
  await kill(provider);
  const ended = refused(await taking, /the provider ended before /, goesOn);
  bench.emulator.clearFaults();
  expect([stopped, interrupted, ended].map(({ status }) => status)).toEqual([1, 1, 1]);
  done(await shared.folder.docsOrg(takeOver), /nothing to import into stack other; .*its preview shows no change/s);

  await bench.client.updateMember({ organizationId: "acme", userId: "user_cem", body: { role: "read" } });
  bench.takeWrites();
  const changed = refused(
    await shared.folder.docsOrg(takeOver),
    /nothing to import into stack other; the stack has \d+ resources/,
    /Changed outside Pulumi[\s\S]*cem@acme\.test/,
    /organization acme differs from organization\.yaml.*make the change with docs-org up/,
  );
  expect([changed.status, bench.takeWrites()]).toEqual([2, []]);
  done(await shared.folder.docsOrg([...up, "--stack", "other"]), /^Done: /m);
  expect(bench.takeWrites()).toEqual(["PATCH /v1/orgs/acme/members/user_cem"]);
});

it("makes one stack in two runs at once, of which one goes on", async () => {
  const taking = ["take-over", "--yes", "--stack", "twice"];
  const outcomes = await Promise.all([shared.folder.docsOrg(taking), shared.folder.docsOrg(taking, ownProcesses)]);
  for (const outcome of outcomes) {
    if (outcome.status === 0) done(outcome, /^Stack twice manages \d+ resources .* its preview shows no change/m);
    else refused(outcome, /another run (?:changes this stack|writes it) now/);
  }
  expect(outcomes.map(({ status }) => status)).toContain(0);
});

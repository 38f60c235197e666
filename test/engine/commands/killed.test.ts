import { readdir, rm } from "node:fs/promises";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
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

const membersWith = (role: string) => `members: { ada@acme.test: admin, user_bea: admin, cem@acme.test: ${role} }`;

/** Runs `docs-org up`, and kills the process with this command when the service has made the change, which it does not answer. */
async function upKilledAt(
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
  const { stderr } = await upKilledAt("updateMember", membersWith("edit"), engine);
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

  const without = await upKilledAt("updateMember", membersWith("review"), provider);
  expect(without.stderr).toHaveWording("an up whose provider was killed");
  done(await shared.folder.docsOrg(up), /created MemberRoles/);
  expect((await bench.client.getMember({ organizationId: "acme", userId: "user_cem" })).role).toBe("review");
});

describe("ups that were killed in the middle of role changes", () => {
  const note = ".docs-org/unfinished-acme%2Fkept.json";
  const people = ["user_dana", "user_eli", "user_femi"] as const;
  const roleOf = async (userId: string) => (await bench.client.getMember({ organizationId: "acme", userId })).role;
  const roles = () => Promise.all(people.map(roleOf));
  const onKept = (...args: string[]) => shared.folder.docsOrg([...args, "--stack", "kept"]);
  const declare = (...others: string[]) => {
    const members = ["ada@acme.test: admin", ...others].join(", ");
    return shared.folder.write("organization.yaml", `organization: acme\nmembers: { ${members} }\n`);
  };
  const declareThree = (role: string) =>
    declare(`dana@acme.test: ${role}`, `eli@acme.test: ${role}`, "femi@acme.test: admin");
  const notes = async () =>
    (await readdir(path.join(shared.folder.path, ".docs-org"))).filter((name) => /unfinished/.test(name));

  /** Runs an up, which the service answers this number of changes, and kills it when a role differs from those of now. */
  async function killUp({ answeredChanges }: { answeredChanges: number }): Promise<void> {
    const atFirst = await roles();
    bench.emulator.fault({ row: "updateMember", delay: 600_000, skip: answeredChanges, times: 100 });
    const upping = shared.folder.docsOrg([...up, "--stack", "kept"], ownProcesses);
    await expect.poll(roles, { timeout: 120_000, interval: 20 }).not.toEqual(atFirst);
    for (const one of [engine, provider]) await kill(one);
    expect((await upping).status).toBe(1);
    bench.emulator.clearFaults();
    done(await onKept("cancel", "--yes"));
  }

  let before: Awaited<ReturnType<typeof roles>>;
  let outdatedNote: string;
  beforeAll(async () => {
    before = await roles();
  });

  it("are recorded by a take-over if they had recorded nothing, and everybody gets back what they had", async () => {
    await declare("dana@acme.test: { role: read, allowRaise: true }");
    await killUp({ answeredChanges: 0 });
    outdatedNote = await shared.folder.read(note);
    refused(
      await onKept("destroy", "--yes"),
      /an up has not ended well.*\n {2}dana@acme\.test: read \(before: \w+\)$/m,
    );
    done(await onKept("take-over", "--yes"), /its preview shows no change/);
    done(await onKept(...up), /Nothing changes/);
    expect(await notes()).toEqual([]);
    done(await onKept("destroy", "--yes"), /^Done: /m);
    expect(await roles()).toEqual(before);
  });

  it("must be undone by hand where another machine has finished the work", async () => {
    await shared.folder.write(note, outdatedNote);
    const give = (role: string) =>
      bench.client.updateMember({ organizationId: "acme", userId: "user_dana", body: { role: role as "read" } });
    await give("read");
    for (const command of [["destroy", "--yes"], ["take-over", "--yes"], up])
      refused(
        await onKept(...command),
        /\n {2}dana@acme\.test: read \(before: \w+\)\nanother run has changed the stack since, so give them the role before/,
      );
    await give(before[0] as string);
    done(await onKept("destroy", "--yes"), /manages nothing/);
    expect(await notes()).toEqual([]);
  });

  it("are remembered by ups of other declarations, until all is as it was", async () => {
    await declareThree("read");
    await killUp({ answeredChanges: 1 });
    await declare();
    // The first up records the declaration, and the second one has nothing to do. Neither of them forgets what the killed one did.
    for (const _ of ["with a change", "with none"])
      refused(
        await onKept(...up),
        // The service decides which of the three requests it answers before the others.
        /an up has not ended well[\s\S]*\n {2}((dana|eli)@acme\.test: read|femi@acme\.test: admin) \(before: \w+\)$/m,
      );
    expect(await notes()).toHaveLength(1);
    // Another declaration for a person whose role was changed, killed as well.
    await declareThree("comment");
    await killUp({ answeredChanges: 1 });
    done(await onKept(...up), /^Done: /m);
    expect(await roles()).toEqual(["comment", "comment", "admin"]);

    await declareThree("{ role: comment, allowRaise: true }");
    done(await onKept(...up), /^Done: /m);
    done(await onKept("destroy", "--yes"), /^Done: /m);
    expect(await roles()).toEqual(before);
    expect(await notes()).toEqual([]);
  });
});

it("creates a site once, although the up was killed before it was recorded", async () => {
  await upKilledAt(
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

describe("a take-over", () => {
  const takeOver = ["take-over", "--yes", "--stack", "other"];
  const goesOn = /Nothing was changed at the service; run docs-org take-over again to go on\.$/m;
  const requestsOf = (row: "getTranslation" | "listSites") => bench.emulator.requests()[row] ?? 0;
  const pollRequestsOf = (row: "getTranslation" | "listSites") =>
    expect.poll(() => requestsOf(row), { timeout: 120_000, interval: 20 });

  it("goes on after a refusal", async () => {
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
    expect(stopped.status).toBe(1);
    expect(stopped.stderr).not.toContain("importing (0s)");
    bench.emulator.clearFaults();
  });

  it("goes on after Ctrl-C", async () => {
    const before = requestsOf("getTranslation");
    bench.emulator.fault({ row: "getTranslation", delay: 1_000, skip: 3, times: 3 });
    const interrupted = await shared.folder.interrupted(takeOver, () =>
      pollRequestsOf("getTranslation").toBeGreaterThan(before + 3),
    );
    expect(refused(interrupted, /the import was interrupted\n/, goesOn).status).toBe(1);
    bench.emulator.clearFaults();
  });

  it("goes on after its provider was killed", async () => {
    // All sites are recorded, so only the guards list them, before the rest is recorded.
    bench.emulator.fault({ row: "listSites", delay: 600_000 });
    const before = requestsOf("listSites");
    const taking = shared.folder.docsOrg(takeOver, ownProcesses);
    await pollRequestsOf("listSites").toBeGreaterThan(before);
    await kill(provider);
    expect(refused(await taking, /the provider ended before /, goesOn).status).toBe(1);
    bench.emulator.clearFaults();
    done(await shared.folder.docsOrg(takeOver), /nothing to import into stack other; .*its preview shows no change/s);
  });

  it("ends with status 2 if the service was changed meanwhile", async () => {
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

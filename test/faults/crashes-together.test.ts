import { describe, expect, it, onTestFinished } from "vitest";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../provider/emulator";
import type { CommandOutcome, Stack } from "../../scripts/stack";
import { builtIn } from "../support/built-in-organization";
import { done } from "../support/done";
import { hostsOfToday } from "../support/today";
import { CrashingStack, exampleStack, type Host, settingsOfService, stackOf } from "./crashing-stack";
import { everHad, lossesInHistory } from "./history";
import { Service } from "./service";

/** Commands that run at the same time, and a service that restarts meanwhile. */

async function emulatorOf(options: EmulatorOptions = {}): Promise<Emulator> {
  const emulator = await startEmulator(options);
  onTestFinished(() => emulator.close());
  return emulator;
}

async function serviceOf(): Promise<Service> {
  const service = await Service.start(await emulatorOf(), { seed: builtIn.acme });
  onTestFinished(() => service.stop());
  return service;
}

const removedAfterwards = async (creation: Promise<Stack>): Promise<Stack> => {
  const stack = await creation;
  onTestFinished(() => stack.remove());
  return stack;
};

/** A sign that one side gives and the other waits for. */
function signal(): { readonly given: Promise<void>; give(): void } {
  let give = () => {};
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give };
}

const up = ["up", "--yes", "--skip-preview"] as const;

describe.each(hostsOfToday)("%s host", (host: Host) => {
  it("refuses a second up of a stack during the first one, which completes", async () => {
    const crashing = await CrashingStack.start(host, await emulatorOf());
    onTestFinished(() => crashing.stop());
    const { service, stack } = crashing;
    const [begun, goOn] = [signal(), signal()];
    service.lying.on(
      "createSite",
      async () => {
        begun.give();
        await goOn.given;
      },
      1,
    );
    const first = crashing.start(...up);
    await begun.given;
    // The engine writes the file of the state in place, and a read at this moment finds it empty.
    const runSecond = async (): Promise<CommandOutcome> => {
      const outcome = await stack.run(...up);
      return outcome.output.includes("failed to load checkpoint: EOF") ? runSecond() : outcome;
    };
    const second = await runSecond();
    goOn.give();
    expect([second.status === 0, second.output]).toEqual([
      false,
      expect.stringMatching(/the stack is currently locked/),
    ]);
    done(await first);
    expect(await crashing.isLocked()).toBe(false);
  });

  it("continues an up when the service restarts, and makes nothing twice", async () => {
    let emulator = await startEmulator();
    onTestFinished(() => emulator.close());
    const { url, token, organizationId } = emulator;
    const settings = { DOCS_BASE_URL: url, DOCS_TOKEN: token, DOCS_ORGANIZATION_ID: organizationId };
    const stack = await removedAfterwards(exampleStack(host, settings));
    // The change is made at once, and its answer never sent.
    emulator.fault({ row: "createSite", delay: 600_000 });
    const running = stack.run(...up);
    // The example has three sites.
    await expect.poll(() => emulator.requests().createSite ?? 0, { timeout: 60_000, interval: 10 }).toBe(3);
    await emulator.close();
    emulator = await startEmulator({ state: emulator.state, token, port: Number(new URL(url).port) });
    done(await running);
    done(await stack.preview("--expect-no-changes"));
    const live = [...(emulator.state.organizations.get(organizationId)?.sites.keys() ?? [])];
    const before = builtIn.acme?.sites?.map(({ id }) => id);
    const recorded = (await stack.resources()).filter(({ type }) => type.endsWith(":Site")).map(({ id }) => id);
    expect(live.sort()).toEqual([...(before ?? []), ...recorded].sort());
  });

  it("keeps apart two stacks of one organization that change it at once", async () => {
    const service = await serviceOf();
    const settings = settingsOfService(service);
    const other = `import * as docs from "${host === "plugin" ? "pulumi-docs-org/plugin" : "pulumi-docs-org"}";
new docs.Site("blog", { title: "Blog", published: true });
new docs.MemberRole("eli", { user: "eli@acme.test", role: "admin" });
new docs.TeamMembership("eli", { teamId: "team_support", user: "eli@acme.test", role: "owner" });`;
    const stacks = [
      await removedAfterwards(exampleStack(host, settings)),
      await removedAfterwards(stackOf(host, other, settings)),
    ];
    const atFirst = service.access();
    for (const outcome of await Promise.all(stacks.map((stack) => stack.run(...up)))) done(outcome);
    const had = everHad([atFirst, service.access()]);
    expect(lossesInHistory(service.history, had)).toEqual([]);
    const previews = await Promise.all(stacks.map((stack) => stack.preview("--expect-no-changes")));
    for (const preview of previews) done(preview);
  });

  it("leaves an administrator when two stacks take the role from the last two at once", async () => {
    const service = await serviceOf();
    const administrators = ["ada", "bea"] as const;
    const programOf = (name: string) => `import * as docs from "pulumi-docs-org${host === "plugin" ? "/plugin" : ""}";
new docs.MemberRole("${name}", { user: "user_${name}", role: "edit" });`;
    const stacks = await Promise.all(
      administrators.map((name) => removedAfterwards(stackOf(host, programOf(name), settingsOfService(service)))),
    );
    // The writes wait for each other, so each stack has still seen the other administrator.
    const [both, arrived] = [signal(), new Set<string>()];
    const stop = service.lying.on("updateMember", async ({ request }) => {
      arrived.add(request.path);
      if (arrived.size === 2) both.give();
      await both.given;
    });
    const outcomes = await Promise.all(stacks.map((stack) => stack.run(...up)));
    stop();
    expect(outcomes.map(({ output }) => output).join("\n")).toMatch(/last administrator .*: .* was restored;/);
    const remaining = () => administrators.filter((name) => service.access()[`role of user_${name}`] === "admin");
    expect(remaining()).not.toEqual([]);
    const again = [];
    for (const stack of stacks) again.push(await stack.run(...up));
    expect(again.filter(({ status }) => status === 0)).toHaveLength(1);
    expect(again.map(({ output }) => output).join("\n")).toMatch(/is the last administrator/);
    expect(remaining()).toHaveLength(1);
  });
});

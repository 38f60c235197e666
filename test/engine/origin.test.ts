import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import * as definitions from "../../provider/definitions";
import { type Emulator, startEmulator } from "../../provider/emulator";
import { type ResourceState, Stack } from "../../scripts/stack";
import { latest, seedOfVersion, versions } from "../states/everything";
import { stateOf } from "../states/exported";
import { kindOf, resourcesIn as resourcesOf, writtenBy } from "../states/written-by";
import { done } from "../support/done";
import { settingsOf } from "../support/settings";
import { program } from "./bench";

const transpileOnly = { PULUMI_NODEJS_TRANSPILE_ONLY: "true" };
let open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open) await one.close();
  open = [];
});

/** Two services that have the same organization: what the stack manages is at the first one. */
async function twoServices(seed?: Parameters<typeof startEmulator>[0]) {
  const token = "tok_of_both";
  const [a, b] = [await startEmulator({ ...seed, token }), await startEmulator({ ...seed, token })];
  open.push(a, b);
  return { a, b };
}

async function stackAt(emulator: Emulator, text: { text: string }): Promise<Stack> {
  const stack = await Stack.create(text, { ...settingsOf(emulator), ...transpileOnly });
  open.unshift({ close: () => stack.remove() });
  return stack;
}

/** Resources in the state that have an id, without properties that the engine adds. */
const resourcesIn = async (stack: Stack) =>
  (await stack.resources())
    .filter(({ id }) => id)
    .map(({ urn, id, inputs, outputs }) => ({ urn, id, inputs, outputs }));
const origins = async (stack: Stack) =>
  new Set(
    (await stack.resources())
      .filter(({ type }) => type.includes("dynamic/docs:"))
      .map(({ outputs }) => outputs.__origin),
  );

/** With a refresh and without; `test/lifecycle/origin.test.ts` has every call of every resource. */
async function everyCommandStops(stack: Stack, a: Emulator, b: Emulator): Promise<string> {
  const before = await resourcesIn(stack);
  const outputs: string[] = [];
  for (const run of [() => stack.destroy(), () => stack.up("--refresh=false")]) {
    const { status, output } = await run();
    const words = `service at ${a.url}, and DOCS_BASE_URL names ${b.url}`;
    expect([status === 0, output]).toEqual([false, expect.stringContaining(words)]);
    expect(output).toContain(`DOCS_BASE_URL_MOVED_FROM=${a.url}`);
    expect(output).toContain(`--port ${new URL(a.url).port}`);
    expect(output).not.toMatch(/^\s+at .*\.[jt]s:\d+/m);
    expect(b.log).toEqual([]);
    outputs.push(output);
  }
  expect(await resourcesIn(stack)).toEqual(before);
  return outputs[0] ?? "";
}

describe.each(versions)(
  "a stack with one resource of each kind and the state %s, without a recorded service",
  (version) => {
    it("records its service without a change, is refused at another one, moves if the settings say so, and is destroyed", async () => {
      const { a, b } = await twoServices({ seed: await seedOfVersion(version) });
      const state = (await stateOf(version, a)).replaceAll(/"__origin":"[^"]*",/g, "");
      if (version === latest) {
        const kinds = new Set(resourcesOf(state).flatMap((one) => kindOf(one) ?? []));
        expect([...kinds].sort()).toEqual(Object.keys(definitions).sort());
      }
      const stack = await stackAt(a, writtenBy(state));
      const file = path.join(stack.folder, "state.json");
      await writeFile(file, state);
      done(await stack.run("stack", "import", "--file", file));
      expect(await origins(stack)).toEqual(new Set([undefined]));

      done(await stack.up("--refresh", "--expect-no-changes"));
      expect(await origins(stack)).toEqual(new Set([a.url]));
      const ids = (all: readonly ResourceState[]) => all.flatMap(({ urn, id }) => (id ? [`${urn} ${id}`] : [])).sort();
      expect(ids(await stack.resources())).toEqual(ids(resourcesOf(state).filter(kindOf)));

      Object.assign(stack.environment, settingsOf(b));
      const output = await everyCommandStops(stack, a, b);
      // Each resource fails with this refusal, and one of them explains it.
      const diagnostics = output.slice(output.indexOf("Diagnostics:"));
      expect(diagnostics.split("this stack manages the service at").length - 1).toBeGreaterThan(5);
      expect(diagnostics.split("DOCS_BASE_URL_MOVED_FROM=").length - 1).toBe(1);

      stack.environment.DOCS_BASE_URL_MOVED_FROM = `${a.url}/`;
      done(await stack.refresh("--expect-no-changes"));
      delete stack.environment.DOCS_BASE_URL_MOVED_FROM;
      expect(await origins(stack)).toEqual(new Set([b.url]));
      done(await stack.preview("--expect-no-changes"));
      expect([...a.log, ...b.log].filter(({ method }) => method !== "GET")).toEqual([]);

      done(await stack.destroy());
      expect(await stack.resources()).toEqual([]);
      const [{ sites, translations, saml } = { sites: [], translations: [], saml: [] }] =
        b.state.organizations.values();
      expect([...sites, ...translations, ...saml]).toEqual([]);
    });
  },
);

describe("a stack with docs.Organization", () => {
  const organization = {
    organization: "acme",
    members: { "ada@acme.test": "admin", "bea@acme.test": "admin", "femi@acme.test": "read" },
    teams: {
      team_support: { members: { "hugo@acme.test": "owner", "ines@acme.test": "member" }, ignore: ["user_lena"] },
    },
    sites: { guide: { title: "Guide", protect: false } },
  };
  const text = program(`new docs.Organization("acme", ${JSON.stringify(organization)} as any);`);

  it("sends nothing to another service, not even for its guards", async () => {
    const { a, b } = await twoServices();
    const stack = await stackAt(a, text);
    // The engine writes down what it is asked.
    const calls = path.join(stack.folder, "calls.json");
    stack.environment.PULUMI_DEBUG_GRPC = calls;
    done(await stack.up());
    delete stack.environment.PULUMI_DEBUG_GRPC;
    expect(
      (await readFile(calls, "utf8")).match(
        // Without an answer, the engine was writing its state at that moment, and is asked again.
        /"request":\{"tok":"pulumi:pulumi:readStackResourceOutputs".*"response":\{"return"/g,
      ),
    ).toHaveLength(1);
    Object.assign(stack.environment, settingsOf(b));
    await everyCommandStops(stack, a, b);
  });
});

describe("a new resource in a stack of another service", () => {
  const urn = (type: string, name: string) =>
    `urn:pulumi:test::docs-org-test::pulumi-nodejs:dynamic/docs:${type}::${name}`;
  const eli = 'new docs.MemberRole("eli", { user: "user_eli", role: "edit" });';
  const cem = 'new docs.MemberRole("cem", { user: "user_cem", role: "admin" });';
  const target = ["--target", urn("MemberRole", "cem")];

  it("is refused before any request, even if the run reaches no other resource", async () => {
    const { a, b } = await twoServices();
    const stack = await stackAt(a, program(eli));
    done(await stack.up());
    const before = await resourcesIn(stack);
    const isRefused = async (...run: string[]) => {
      const { status, output } = await stack.run(...run);
      const words = `service at ${a.url}, and DOCS_BASE_URL names ${b.url}`;
      expect([run, output]).toEqual([run, expect.stringContaining(words)]);
      expect([run, status === 0, b.log]).toEqual([run, false, []]);
    };

    // The engine decides on this replacement itself, without diff.
    Object.assign(stack.environment, settingsOf(b));
    await isRefused("up", "--yes", "--skip-preview", "--refresh=false", "--target-replace", urn("MemberRole", "eli"));
    expect(await resourcesIn(stack)).toEqual(before);
    // At its own service, the resource is replaced. The state never has `__services`, with which the run is told where it belongs.
    Object.assign(stack.environment, settingsOf(a));
    expect(done(await stack.up("--refresh=false", "--target-replace", urn("MemberRole", "eli")))).toContain(
      "1 replaced",
    );
    const replaced = await resourcesIn(stack);
    expect(JSON.stringify(replaced)).not.toContain("__services");

    await stack.write(program(cem, eli));
    Object.assign(stack.environment, settingsOf(b));
    await isRefused("up", "--yes", "--skip-preview", "--refresh=false", ...target);
    expect(await resourcesIn(stack)).toEqual(replaced);

    // The state cannot be read while the program runs.
    const spoil = (work: string) => `
      const fs = require("fs");
      const file = process.env.PULUMI_BACKEND_URL!.slice("file://".length) + "/.pulumi/stacks/docs-org-test/test.json";
      ${work}`;
    Object.assign(stack.environment, settingsOf(a));
    await stack.write(program(spoil('fs.copyFileSync(file, "saved.json"); fs.writeFileSync(file, "{");'), cem, eli));
    a.resetRequests();
    const unread = await stack.preview("--refresh=false");
    // Node.js runs JavaScript, which has no "!" behind an expression.
    done(await stack.execute(process.execPath, ["-e", spoil('fs.copyFileSync("saved.json", file);').replace("!", "")]));
    expect(unread.output).toMatch(/must not get to another service .* could not read the state/);
    expect(unread.status).not.toBe(0);
    expect(a.log).toEqual([]);
    expect(await resourcesIn(stack)).toEqual(replaced);
  });
});

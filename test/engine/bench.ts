import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { type Client, createClient } from "../../provider/api/client";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../provider/emulator";
import { type CommandOutcome, type Program, root, Stack } from "../../scripts/stack";
import { refuseLogs } from "../support/engine-logs";
import { runInResident } from "../support/resident-cli";
import { settingsOf } from "../support/settings";

/** A program of these lines, with the package as `docs`. */
export const program = (...lines: string[]) => ({
  text: ['import * as pulumi from "@pulumi/pulumi";', 'import * as docs from "pulumi-docs-org";', ...lines].join("\n"),
});

export const declare = (stack: Stack, text: string) => writeFile(path.join(stack.folder, "organization.yaml"), text);

/** Replaces a part of a text, which must exist. */
export function edited(text: string, from: string | RegExp, to = ""): string {
  const after = text.replace(from, to);
  expect(after).not.toBe(text);
  return after;
}

/** Runs the compiled CLI in the folder of a stack's program, with its settings. */
export function docsOrgIn(stack: Stack, args: readonly string[], input?: string): Promise<CommandOutcome> {
  if (input === undefined) return runInResident(args, stack.folder, stack.settings());
  return stack.execute(process.execPath, [path.join(root, "dist", "cli", "index.js"), ...args], {}, input);
}

/** What the SDK prints, with its stack, if the engine ends before it has answered the registration of a resource (rare; seen in 3.270). */
const echoes = /error: Error: failed to register new resource .*RST_STREAM.*\n(\s+at .*\n)*/g;

/** An emulator for the tests of a file, and stacks against it that are gone after each test. */
export function engineBench(options: EmulatorOptions | (() => Promise<EmulatorOptions>) = {}) {
  let emulator: Emulator;
  let client: Client;
  let stacks: Stack[] = [];

  beforeAll(async () => {
    emulator = await startEmulator(typeof options === "function" ? await options() : options);
    client = createClient({ baseUrl: emulator.url, token: emulator.token });
  });
  afterEach(async () => {
    emulator.clearFaults();
    for (const stack of stacks) await stack.remove();
    stacks = [];
  });
  afterAll(async () => {
    await client.close();
    await emulator.close();
  });

  const settings = (): NodeJS.ProcessEnv => settingsOf(emulator);
  return {
    settings,
    get emulator() {
      return emulator;
    },
    get client() {
      return client;
    },

    async stackOf(text: Program, environment = settings(), create = Stack.create): Promise<Stack> {
      const stack = await create(text, environment);
      await refuseLogs(stack.pulumiHome);
      stacks.push(stack);
      return stack;
    },

    /** Returns method and path of the requests since the last call, except GET, and empties the log. */
    takeWrites(): string[] {
      const made = emulator.log.filter(({ method }) => method !== "GET");
      emulator.resetRequests();
      return made.map(({ method, path }) => `${method} ${path}`);
    },

    /** Asserts that the command succeeded; the error has its whole output. */
    done(outcome: CommandOutcome, ...texts: (string | RegExp)[]): CommandOutcome {
      if (outcome.status !== 0) throw new Error(outcome.output);
      for (const text of texts) expect(outcome.output).toMatch(text);
      expect(outcome.output).not.toContain(emulator.token);
      return outcome;
    },

    /** Asserts that the command failed with these words, without a stack trace and without the token. */
    refused(outcome: CommandOutcome, ...texts: (string | RegExp)[]): CommandOutcome {
      expect(outcome.status).not.toBe(0);
      for (const text of texts) expect(outcome.output).toMatch(text);
      expect(outcome.output.replace(echoes, "")).not.toMatch(/^\s+at .*\.[jt]s:\d+/m);
      expect(outcome.output).not.toContain(emulator.token);
      return outcome;
    },
  };
}

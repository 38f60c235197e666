import { describe, expect, inject, onTestFinished, test } from "vitest";
import { endpoints, type RowName } from "../../provider/api/endpoints";
import { isRead } from "../../provider/api/schema/endpoint";
import { startEmulator } from "../../provider/emulator";
import { pluginStack } from "../../scripts/plugin-stack";
import { type CommandOutcome, Stack } from "../../scripts/stack";
import { ownProcesses } from "../support/engine-node";
import { settingsOf } from "../support/settings";

/** Programs that could leave something to the next one in the same process. */
const programs = {
  "prints and leaves what it changed": `
    import { Site } from "pulumi-docs-org";
    console.log(process.argv.length, Object.keys(globalThis).includes("left"), process.listenerCount("exit"), Site.name);
    console.error("an error");
    Object.assign(globalThis, { left: true });
    console.log = () => {};
    process.on("exit", () => process.stdout.write("exit " + process.cwd() + "\\n"));
    setTimeout(() => process.stdout.write("later\\n"), 50);
    export const answer = 42;`,
  "throws below a type, which the compiler removes": `
    export const answer = 42;

    interface Removed {}
    throw new Error("thrown");`,
  rejects: `
    export const answer = 42;
    Promise.reject(new Error("rejected"));`,
  "does not compile": `export const = 42;`,
  "imports nothing that exists": `import "./nothing";`,
  exits: `console.log("before"); process.exit(7);`,
  "has an exit code": `process.exitCode = 9;`,
};

/** Programs of the plugin: a refusal, and a failure of the service after a creation with a lookup. */
const ofPlugin = [
  'new docs.Site("short", { title: "A" });',
  `const portal = new docs.Site("portal", { title: "Portal" });
   const live = docs.Site.get("live", "site_product"); export const found = live.title;
   new docs.MemberRole("lost", { user: "user_lost", role: "admin" }, { dependsOn: [portal, live] });`,
];

/** With OWN_PROCESSES=1, no process is shared. */
const isNothingShared = inject("commandEnvironments").length === 0;
const isWrite = (row: string) => !isRead(endpoints[row as RowName]);

/** Sorted, because two streams may overtake each other, and with each row of progress once: how often one comes depends on time. */
function comparable({ status, output }: CommandOutcome, { folder }: Stack) {
  const lines = output.replaceAll(folder, "").split("\n");
  const kept = lines.filter((line) => line.trim() && !/^(@| [+~-] ) /.test(line));
  const rows = new Set(lines.flatMap((line) => /^ [+~-] +\S+ \S+/.exec(line)?.[0] ?? []));
  return { status, output: [...rows, ...kept.map((line) => line.trimEnd())].sort() };
}

describe.skipIf(isNothingShared)("a program in the process of other programs", () => {
  async function stackOf(environment: NodeJS.ProcessEnv): Promise<Stack> {
    const stack = await Stack.create({ text: "" }, environment);
    onTestFinished(() => stack.remove());
    return stack;
  }

  test("behaves as in its own process", async () => {
    const [own, shared] = [await stackOf(ownProcesses), await stackOf({})];
    const run = async (stack: Stack, text: string) => {
      await stack.write({ text });
      return comparable(await stack.preview(), stack);
    };
    for (const [index, [name, text]] of Object.entries(programs).entries()) {
      const expected = await run(own, text);
      expect(await run(shared, text), name).toEqual(expected);
      // It prints what the run before has left.
      if (index === 0) expect(await run(shared, text), `${name}, again`).toEqual(expected);
    }
  });
});

describe.skipIf(isNothingShared)("the plugin in the resident process", () => {
  /** What each command said, and what was written at the service. */
  async function outcomesWith(environment: NodeJS.ProcessEnv) {
    const emulator = await startEmulator();
    onTestFinished(() => emulator.close());
    const stack = await pluginStack({ text: "" }, { ...settingsOf(emulator), ...environment });
    onTestFinished(() => stack.remove());
    const outcomes = [];
    for (const text of ofPlugin) {
      await stack.write({ text: `import * as docs from "pulumi-docs-org/plugin";\n${text}` });
      const { status, output } = comparable(await stack.up(), stack);
      outcomes.push({ status, output: output.map((line) => line.replace(/[\d.]+s\b/, "")) });
    }
    // Which reads are sent depends on which of two calls comes first.
    const written = Object.entries(emulator.requests()).filter(([row]) => isWrite(row));
    return { outcomes, written: written.sort() };
  }

  test("says and does what it does in its own process", async () => {
    const own = await outcomesWith(ownProcesses);
    expect(own.outcomes.map(({ status }) => status)).toEqual([1, 1]);
    expect(await outcomesWith({})).toEqual(own);
  });
});

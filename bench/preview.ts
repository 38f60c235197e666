// npm run bench:preview: compares a preview of one Site through each host with previews of what does nothing.
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { startEmulator } from "../provider/emulator";
import { pluginStack } from "../scripts/plugin-stack";
import { Stack } from "../scripts/stack";
import { median } from "./numbers";

const runs = 5;
/** Milliseconds that a preview through the plugin must take less than one through the dynamic host. */
const gain = 600;
const inputs = (title: string) => `{ title: "${title}", visibility: "public", published: true }`;
const site = (module: string) => `import * as docs from "${module}"; new docs.Site("handbook", ${inputs(module)});`;
const nothing = `
import * as pulumi from "@pulumi/pulumi";
class Nothing extends pulumi.dynamic.Resource {
  constructor(name: string, props: object) {
    super({ create: async (inputs: object) => ({ id: "id", outs: inputs }) }, name, props);
  }
}
new Nothing("handbook", ${inputs("Handbook")});`;

const names = {
  dynamic: "a Site through the dynamic host",
  plugin: "a Site through the plugin",
  nothing: "a dynamic resource that does nothing",
  empty: "an empty JavaScript program",
} as const;
type Name = keyof typeof names;
type Each<Value> = Readonly<Record<Name, Value>>;

const each = async <Value>(make: (name: Name) => Promise<Value>): Promise<Each<Value>> => {
  const made: Partial<Record<Name, Value>> = {};
  for (const name of Object.keys(names) as Name[]) made[name] = await make(name);
  return made as Each<Value>;
};

async function main(): Promise<boolean> {
  const emulator = await startEmulator();
  const environment = {
    DOCS_BASE_URL: emulator.url,
    DOCS_TOKEN: emulator.token,
    DOCS_ORGANIZATION_ID: emulator.organizationId,
  };
  const makers: Each<() => Promise<Stack>> = {
    dynamic: () => Stack.create({ text: site("pulumi-docs-org") }, environment),
    plugin: () => pluginStack({ text: site("pulumi-docs-org/plugin") }, environment),
    nothing: () => Stack.create({ text: nothing }),
    empty: emptyStack,
  };
  const stacks = await each((name) => makers[name]());
  try {
    const before = await compare("before the first up", stacks);
    await each((name) => succeed(stacks[name].up()));
    return (await compare("after the up, with a search for drift", stacks)) && before;
  } finally {
    await each((name) => stacks[name].remove());
    await emulator.close();
  }
}

/** Node.js runs a program in JavaScript as it is; ts-node compiles the others. */
async function emptyStack(): Promise<Stack> {
  const stack = await Stack.create({ text: "" });
  await writeFile(path.join(stack.folder, "Pulumi.yaml"), "name: docs-org-test\nruntime: nodejs\nmain: index.js\n");
  await writeFile(path.join(stack.folder, "index.js"), "");
  return stack;
}

/** The stacks take turns, so that all run under the same load of the machine. Returns whether the bound holds. */
async function compare(when: string, stacks: Each<Stack>): Promise<boolean> {
  const times: Each<number[]> = { dynamic: [], plugin: [], nothing: [], empty: [] };
  for (let run = 0; run < runs; run++) {
    await each(async (name) => times[name].push(await timed(stacks[name])));
  }
  const medians = await each(async (name) => median(times[name]));
  console.log(`${when}, medians of ${runs}:`);
  for (const [name, words] of Object.entries(names) as [Name, string][]) {
    const ratio = (medians[name] / medians.empty).toFixed(2);
    console.log(`  ${words}: ${medians[name]} ms, ${ratio} x ${names.empty}`);
  }
  const found = medians.dynamic - medians.plugin;
  const holds = found >= gain;
  console.log(`  the plugin is faster than the dynamic host by ${found} ms; at least ${gain}: ${holds ? "yes" : "NO"}`);
  return holds;
}

async function timed(stack: Stack): Promise<number> {
  const begun = performance.now();
  await succeed(stack.preview());
  return Math.round(performance.now() - begun);
}

async function succeed(command: ReturnType<Stack["run"]>): Promise<void> {
  const { status, output } = await command;
  if (status !== 0) throw new Error(output);
}

main()
  .then((holds) => {
    process.exitCode = holds ? 0 : 1;
  })
  .catch((error: Error) => {
    console.error(error.message);
    process.exitCode = 1;
  });

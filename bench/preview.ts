// npm run bench:preview: compares a preview of one Site with a preview of a dynamic resource that does nothing.
import { startEmulator } from "../provider/emulator";
import { Stack } from "../scripts/stack";

const runs = 5;
const inputs = '{ title: "Handbook", visibility: "public", published: true }';
const ours = `import * as docs from "pulumi-docs-org"; new docs.Site("handbook", ${inputs});`;
const nothing = `
import * as pulumi from "@pulumi/pulumi";
class Nothing extends pulumi.dynamic.Resource {
  constructor(name: string, props: object) {
    super({ create: async (inputs: object) => ({ id: "id", outs: inputs }) }, name, props);
  }
}
new Nothing("handbook", ${inputs});`;

async function main(): Promise<void> {
  const emulator = await startEmulator();
  const environment = {
    DOCS_BASE_URL: emulator.url,
    DOCS_TOKEN: emulator.token,
    DOCS_ORGANIZATION_ID: emulator.organizationId,
  };
  const stacks = [await Stack.create({ text: ours }, environment), await Stack.create({ text: nothing })] as const;
  await compare("before the first up", stacks);
  for (const stack of stacks) await stack.up();
  await compare("after the up, with refresh: always", stacks);
  for (const stack of stacks) await stack.remove();
  await emulator.close();
}

/** The stacks take turns, so that both run under the same load of the machine. */
async function compare(when: string, stacks: readonly [Stack, Stack]): Promise<void> {
  const times: [number[], number[]] = [[], []];
  for (let run = 0; run < runs; run++) {
    for (const side of [0, 1] as const) times[side].push(await timed(stacks[side]));
  }
  const [site, floor] = times.map((all) => [...all].sort((a, b) => a - b)[Math.floor(runs / 2)] ?? 0) as [
    number,
    number,
  ];
  console.log(`${when}: Site ${site} ms, nothing ${floor} ms, ratio ${(site / floor).toFixed(2)} (medians of ${runs})`);
}

async function timed(stack: Stack): Promise<number> {
  const begun = performance.now();
  const { status, output } = await stack.preview();
  if (status !== 0) throw new Error(output);
  return Math.round(performance.now() - begun);
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});

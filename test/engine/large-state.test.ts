import { expect, it } from "vitest";
import { pluginStack } from "../../scripts/plugin-stack";
import { Stack } from "../../scripts/stack";
import { LyingService } from "../support/lying-service";
import { engineBench, program } from "./bench";
import { moved } from "./plugin/plugin-stack";

const bench = engineBench();
const { stackOf, done, refused, settings } = bench;

const { text } = program('new docs.Site("half", { title: "Half", published: true });');
const ofPlugin = moved(text).replace('"Half"', '"Other half"');
const length = 1_000_000;

// The failure carries the state of the site in a header, and the gRPC client of the other tests accepts 128 KiB of headers.
it.each([
  ["dynamic provider", Stack.create, text],
  ["plugin", pluginStack, ofPlugin],
])("records what a failed creation has reached through the %s, however long it is", async (_, create, text) => {
  const lying = await LyingService.start(bench.emulator.url);
  const stack = await stackOf({ text }, { ...settings(), DOCS_BASE_URL: lying.url }, create);
  try {
    const end = lying.on("publishSite", async ({ forward }) => {
      const answer = await forward();
      return { ...answer, body: { ...Object(answer.body), title: "x".repeat(length) } };
    });
    refused(await stack.up(), /: title is "x+\.\.\." instead of "(Half|Other half)"/);
    const [site] = await stack.resources();
    expect(site?.outputs.title).toHaveLength(length);
    end();
    done(await stack.up("--refresh"));
    expect(await stack.resources()).toMatchObject([
      { id: site?.id, outputs: { title: expect.stringMatching(/half/i), published: true } },
    ]);
  } finally {
    await lying.close();
  }
});

// npm run demo: runs examples/organization with the real engine against the emulator, from the first preview to destroy.
import { type Client, createClient } from "../provider/api/client";
import { startEmulator } from "../provider/emulator";
import { ensureEngine } from "./engine";
import { type CommandOutcome, Stack } from "./stack";

const started = Date.now();

async function main(): Promise<void> {
  await ensureEngine();
  const emulator = await startEmulator();
  const { url, token, organizationId } = emulator;
  say(`The emulator serves organization "${organizationId}" at ${url}.`);
  const client = createClient({ baseUrl: url, token });
  const settings = { DOCS_BASE_URL: url, DOCS_TOKEN: token, DOCS_ORGANIZATION_ID: organizationId };
  const stack = await Stack.create({ example: "organization" }, settings);
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => stack.remove().then(() => process.exit(1)));
  try {
    await play(stack, client, organizationId);
  } finally {
    await stack.remove();
    await client.close();
    await emulator.close();
  }
}

async function play(stack: Stack, client: Client, organizationId: string): Promise<void> {
  const before = await titles(client, organizationId);

  expect(await stack.preview(), /\+ 12 to create/);
  same(await titles(client, organizationId), before);
  say("pulumi preview: would create three sites and manage roles and teams; nothing has been changed.");

  expect(await stack.up(), /\+ 12 created/);
  const managed = ["Company handbook", "Developer documentation", "Drafts"];
  same(await titles(client, organizationId), [...before, ...managed].sort());
  say("pulumi up: the three sites exist, two of them are published.");

  const site = (await client.listSites({ organizationId }).all()).find(
    ({ title }) => title === "Developer documentation",
  );
  const siteId = site?.id ?? "";
  await client.updateSite({ organizationId, siteId, body: { visibility: "unlisted" } });
  say('The visibility of "Developer documentation" is changed to "unlisted" outside Pulumi.');

  const drift = expect(await stack.preview("--diff"), /~ 1 to update/);
  const shown = drift.output.split("\n").filter((line) => /^\s*~ visibility\s*: "unlisted" => "public"/.test(line));
  same(shown.length, 1);
  say(`pulumi preview shows exactly this change:${shown[0]}`);

  expect(await stack.up(), /~ 1 updated/);
  same((await client.getSite({ organizationId, siteId })).visibility, "public");
  say('pulumi up: "Developer documentation" is public again.');

  expect(await stack.preview("--expect-no-changes"), /12 unchanged/);
  say("pulumi preview: no change.");

  expect(await stack.destroy(), /- 12 deleted/);
  same(await titles(client, organizationId), before);
  say("pulumi destroy: the three sites are deleted, and nothing else.");
}

async function titles(client: Client, organizationId: string): Promise<string[]> {
  return (await client.listSites({ organizationId }).all()).map(({ title }) => title).sort();
}

function expect(outcome: CommandOutcome, text: RegExp): CommandOutcome {
  if (outcome.status === 0 && text.test(outcome.output)) return outcome;
  throw new Error(
    `the engine exited with ${outcome.status}; expected 0 and output matching ${text}:\n${outcome.output}`,
  );
}

function same(found: unknown, expected: unknown): void {
  const [a, b] = [JSON.stringify(found), JSON.stringify(expected)];
  if (a !== b) throw new Error(`found ${a}, expected ${b}`);
}

function say(text: string): void {
  console.log(`${((Date.now() - started) / 1000).toFixed(1).padStart(5)} s  ${text}`);
}

main().catch((error: Error) => {
  console.error(`The demo failed: ${error.message}`);
  // What could not be closed would keep the process alive.
  process.exit(1);
});

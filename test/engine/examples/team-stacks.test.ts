import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Client, createClient } from "../../../provider/api/client";
import { type Emulator, startEmulator } from "../../../provider/emulator";
import { type Outcome, Stack } from "../../../scripts/stack";

let emulator: Emulator;
let client: Client;
/** Of all stacks: a stack can only be referred to in its own backend. */
let backend: string;
const stacks: Stack[] = [];

beforeAll(async () => {
  backend = await mkdtemp(path.join(tmpdir(), "docs-org-team-stacks-"));
  emulator = await startEmulator();
  client = createClient({ baseUrl: emulator.url, token: emulator.token });
});
afterAll(async () => {
  for (const stack of stacks) await stack.remove();
  await client.close();
  await emulator.close();
  await rm(backend, { recursive: true, force: true });
});

function done(outcome: Outcome, text: RegExp): void {
  if (outcome.status !== 0) throw new Error(outcome.output);
  expect(outcome.output).toMatch(text);
}

/** A folder of the example, with a stack of the name that the example gives it. */
async function stackOf(example: string, name: string): Promise<Stack> {
  const { url, token, organizationId } = emulator;
  const settings = { DOCS_BASE_URL: url, DOCS_TOKEN: token, DOCS_ORGANIZATION_ID: organizationId };
  const environment = { ...settings, PULUMI_BACKEND_URL: `file://${backend}` };
  const stack = await Stack.create({ example: `team-stacks/${example}` }, environment);
  stacks.push(stack);
  done(await stack.run("stack", "init", name), /Created stack/);
  return stack;
}

async function membersOf(teamId: string): Promise<Record<string, string>> {
  const items = await client.listTeamMembers({ organizationId: "acme", teamId }).all();
  return Object.fromEntries(items.map((item) => [item.organization.user.id, item.team.role]));
}

/** It runs a dozen commands of the engine. */
const timeout = 600_000;

it("reads the ids for the stack of a team from the stack of the organization", { timeout }, async () => {
  const whole = await stackOf("organization", "production");
  done(await whole.up(), /\+ 6 created/);
  const team = await stackOf("team", "writers");

  done(await team.up(), /\+ 2 created/);
  expect(await membersOf("team_writers")).toEqual({ user_cem: "owner", user_dana: "member" });
  expect(await membersOf("team_support")).toEqual({ user_hugo: "owner", user_ines: "member", user_lena: "member" });
  done(await team.preview("--expect-no-changes"), /unchanged/);

  done(await team.run("stack", "init", "support"), /Created stack/);
  done(await team.up(), /\+ 2 created/);
  expect(await membersOf("team_support")).toEqual({ user_hugo: "owner", user_femi: "member" });
  expect(await membersOf("team_writers")).toEqual({ user_cem: "owner", user_dana: "member" });

  done(await team.destroy(), /- 2 deleted/);
  expect(await membersOf("team_support")).toEqual({});
  done(await whole.destroy(), /- 6 deleted/);
  expect(await membersOf("team_writers")).toEqual({ user_cem: "owner", user_dana: "member" });
});

import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Client, createClient } from "../../../provider/api/client";
import { type Emulator, startEmulator } from "../../../provider/emulator";
import type { Review } from "../../../provider/review/model/review";
import { Stack } from "../../../scripts/stack";
import { docsOrg, program } from "../bench";

const before = program(
  'new docs.MemberRole("gita", { user: "Gita@acme.test", role: "create" });',
  'new docs.MemberRole("jun", { user: "jun@acme.test", role: "comment" });',
  'new docs.Site("drafts", { title: "Drafts", visibility: "unlisted" });',
);
const after = program(
  'new docs.MemberRole("gita-again", { user: "user_gita", role: "create" });',
  'new docs.MemberRole("femi", { user: "femi@acme.test", role: "admin" });',
  'new docs.Site("drafts", { title: "Drafts", visibility: "public" });',
);

let emulator: Emulator;
let client: Client;
let stack: Stack;

beforeAll(async () => {
  emulator = await startEmulator();
  client = createClient({ baseUrl: emulator.url, token: emulator.token });
  stack = await Stack.create(before, {
    DOCS_BASE_URL: emulator.url,
    DOCS_TOKEN: emulator.token,
    DOCS_ORGANIZATION_ID: emulator.organizationId,
  });
  expect((await stack.up()).status).toBe(0);
});
afterAll(async () => {
  await stack.remove();
  await client.close();
  await emulator.close();
});

async function reviewed(...args: string[]): Promise<{ json: Review; markdown: string; preview: string }> {
  const { stdout: preview } = await stack.preview("--json", ...args);
  const [json, markdown] = await Promise.all([
    docsOrg(stack, ["review", "--format", "json"], preview),
    docsOrg(stack, ["review"], preview),
  ]);
  expect([json.stderr, markdown.stderr]).toEqual(["", ""]);
  expect(markdown.stdout).not.toContain(emulator.token);
  return { json: JSON.parse(json.stdout), markdown: markdown.stdout, preview };
}

it("reviews drift, and a part of the stack", async () => {
  await client.updateMember({ organizationId: "acme", userId: "user_gita", body: { role: "admin" } });
  const drift = await reviewed();
  expect(drift.json).toMatchObject({
    verdict: { kind: "risky", loses: 0, setBack: 1 },
    refreshed: true,
    partial: false,
  });
  expect(drift.markdown).toContain(
    "🔴 high: `Gita@acme.test` (`user_gita`): was made an administrator outside Pulumi (`create` → `admin`); this up sets it back",
  );
  expect((await reviewed("--target", "**gita")).json).toMatchObject({ partial: true, verdict: { setBack: 1 } });
  expect((await stack.up()).status).toBe(0);
});

it("reviews a change, and accepts only that change afterwards", async () => {
  await stack.write(after);
  const change = await reviewed();
  expect(change.json.risks.map(({ kind, subject }) => `${kind} ${subject}`)).toEqual([
    "new-administrator femi@acme.test",
    "site-public drafts",
  ]);
  expect(change.markdown).toMatch(
    /Who loses access \(1\)\n\n- `jun@acme.test` \(`user_jun`\): role `comment` → `read`; no longer managed/,
  );
  expect(change.markdown).toContain("`MemberRole gita` → `MemberRole gita-again`: 1 place of a person stays as it is");

  const plan = path.join(stack.folder, "plan.json");
  expect(await docsOrg(stack, ["review", "--plan", plan, "--fail-on", "risk"], change.preview)).toMatchObject({
    status: 2,
  });
  expect(await docsOrg(stack, ["verify", "--plan", plan], change.preview)).toMatchObject({ status: 0 });
  await client.updateSite({ ...(await drafts()), body: { title: "Renamed by hand" } });
  const { stdout: fresh } = await stack.preview("--json");
  expect(await docsOrg(stack, ["verify", "--plan", plan], fresh)).toMatchObject({
    status: 2,
    stdout: expect.stringContaining('resource  Site drafts: title: "Drafts"'),
    stderr: expect.stringMatching(/^docs-org: stopped, and nothing was changed: 1 change was not reviewed/),
  });
  expect((await stack.up()).status).toBe(0);
  expect((await client.getMember({ organizationId: "acme", userId: "user_jun" })).role).toBe("read");
  expect((await client.getMember({ organizationId: "acme", userId: "user_gita" })).role).toBe("create");
});

it("knows a resource by its alias", async () => {
  const options = '{ aliases: [{ name: "gita-again" }] }';
  await stack.write(
    program(
      `new docs.MemberRole("gita", { user: "user_gita", role: "admin" }, ${options});`,
      'new docs.MemberRole("femi", { user: "femi@acme.test", role: "admin" });',
      'new docs.Site("drafts", { title: "Drafts", visibility: "public" });',
    ),
  );
  const { json } = await reviewed();
  expect(json).toMatchObject({ partial: false, refreshed: true });
  expect(json.risks.map(({ kind, subject }) => `${kind} ${subject}`)).toEqual(["new-administrator user_gita"]);
  expect((await reviewed("--target", "**gita*")).json.partial).toBe(true);
});

it("reviews a preview that was refused", async () => {
  await writeFile(path.join(stack.folder, "index.ts"), program('new docs.Site("drafts", { title: "D" });').text);
  const refusal = await reviewed();
  expect(refusal.json.verdict.text).toBe("The preview was refused.");
  expect(refusal.json.refusals).toMatchObject([{ text: expect.stringMatching(/title: .* use 2 to 128 characters/) }]);
  expect((await stack.destroy()).status).toBe(0);
});

async function drafts() {
  const sites = await client.listSites({ organizationId: "acme" }).all();
  return { organizationId: "acme", siteId: sites.find(({ title }) => title === "Drafts")?.id ?? "" };
}

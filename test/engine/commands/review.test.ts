import path from "node:path";
import { expect, it } from "vitest";
import type { Review } from "../../../provider/review/model/review";
import { docsOrgIn, engineBench, program } from "../bench";

const acme = { organizationId: "acme" };
const gita = { ...acme, userId: "user_gita" };

const before = program(
  'new docs.MemberRole("gita", { user: "Gita@acme.test", role: "create" });',
  'new docs.MemberRole("jun", { user: "jun@acme.test", role: "comment" });',
  'new docs.Site("drafts", { title: "Drafts", visibility: "unlisted" });',
);
const after = program(
  'new docs.MemberRole("gita-again", { user: "user_gita", role: "edit" }, { aliases: [{ name: "gita" }] });',
  'new docs.Organization("acme", { organization: "acme", members: { "femi@acme.test": "admin" } });',
  'new docs.Site("drafts", { title: "Drafts", visibility: "public" });',
);
const mistaken = program('new docs.Site("drafts", { title: "D" });');

const bench = engineBench();
const { done, refused } = bench;

const people = () => bench.emulator.state.organizations.get("acme")?.members;
const rename = (userId: string, email: string) => Object.assign(people()?.get(userId) as object, { email });

it("reviews drift, a change and a mistake in previews of the engine, and keeps verify and up to the reviewed change", async () => {
  const stack = await bench.stackOf(before);
  done(await stack.up());

  async function reviewed(...args: string[]): Promise<{ json: Review; markdown: string; preview: string }> {
    const { stdout: preview } = await stack.preview("--json");
    const [json, markdown] = await Promise.all([
      docsOrgIn(stack, ["review", "--format", "json"], preview),
      docsOrgIn(stack, ["review", ...args], preview),
    ]);
    expect([json.stderr, markdown.stderr]).toEqual(["", ""]);
    expect(markdown.stdout).not.toContain(bench.emulator.token);
    return { json: JSON.parse(json.stdout), markdown: markdown.stdout, preview };
  }

  await bench.client.updateMember({ ...gita, body: { role: "admin" } });
  const drift = await reviewed();
  const verdict = { kind: "risky", loses: 0, setBack: 1 };
  expect(drift.json).toMatchObject({ verdict, refreshed: true, partial: false });
  expect(drift.markdown).toMatch(/🔴 high: .*`user_gita`.*: role `create` → `admin` outside Pulumi;/);
  await bench.client.updateMember({ ...gita, body: { role: "create" } });

  await stack.write(after);
  const plan = path.join(stack.folder, "plan.json");
  const change = await reviewed("--plan", plan);
  expect(change.json.risks.map(({ kind, subject }) => `${kind} ${subject}`)).toEqual([
    "new-administrator user_femi",
    "undeclared-administrator acme",
    "site-public drafts",
  ]);
  expect(change.markdown).toMatch(
    /Who loses access \(2\)\n\n.*`Gita@acme.test`[\s\S]*`jun@acme.test` \(`user_jun`\): role `comment` → `read`; no longer managed/,
  );
  done(await docsOrgIn(stack, ["verify", "--plan", plan], change.preview));

  const [site] = (await stack.resources()).filter(({ type }) => type.endsWith(":Site"));
  const retitle = (title: string) => bench.client.updateSite({ ...acme, siteId: site?.id ?? "", body: { title } });
  await retitle("Renamed by hand");
  rename("user_femi", "femi.former@acme.test");
  rename("user_eli", "femi@acme.test");
  const other = /femi@acme\.test was reviewed as user_femi and belongs to user_eli now/;
  const stopped = refused(
    await docsOrgIn(stack, ["verify", "--plan", plan], (await stack.preview("--json")).stdout),
    'resource  Site drafts: title: "Drafts"',
    other,
    /gain {6}.*user_eli/,
    /docs-org: stopped, and nothing was changed: .* 2 changes were not reviewed/,
  );
  expect(stopped.status).toBe(2);
  const roles = () => ["user_femi", "user_eli"].map((userId) => people()?.get(userId)?.role);
  const rolesBefore = roles();
  // The engine ends an up with its first error. Without the drift of the site, that is the refusal of the person.
  await retitle("Drafts");
  stack.environment.DOCS_PLAN = plan;
  refused(await stack.up(), other);
  expect(roles()).toEqual(rolesBefore);
  delete stack.environment.DOCS_PLAN;

  await stack.write(mistaken);
  const refusal = await reviewed();
  expect(refusal.json.verdict.text).toBe("The preview was refused.");
  expect(refusal.json.refusals).toMatchObject([{ text: expect.stringMatching(/title: .* use 2 to 128 characters/) }]);
});

import { describe, expect, it } from "vitest";
import type { Outcome, Stack } from "../../scripts/stack";
import { engineBench, program } from "./bench";

const bench = engineBench();
const { stackOf, done, refused } = bench;

const outputsOf = async (stack: Stack, ...args: string[]) =>
  JSON.parse(done(await stack.run("stack", "output", "--json", ...args)).stdout);
/** What the engine tells at the end; while it works, it shows the last line of it as well. */
const told = ({ output }: Outcome, text: RegExp) => output.slice(output.indexOf("Diagnostics:")).match(text);
const asked = () => bench.emulator.log.map(({ method, path }) => `${method} ${path.replace("/v1/orgs/acme/", "")}`);

it("applies the example, shows no change, and destroys it", async () => {
  const stack = await stackOf({ example: "lookups" });
  bench.emulator.resetRequests();
  done(await stack.preview(), /\+ 2 to create/);
  expect(asked()).toContain("GET teams/team_writers/members");
  expect(bench.writes()).toEqual([]);
  done(await stack.up(), /\+ 2 created/);
  expect(await outputsOf(stack)).toEqual({
    addresses: { "Product docs": expect.stringMatching(/^https:/) },
    administrators: ["Bea Berg", "Ada Abbott"],
    teamsOfHelper: ["Writers", "Support"],
    unfinishedTranslations: expect.arrayContaining(["ja"]),
  });
  done(await stack.preview("--expect-no-changes"));
  done(await stack.destroy(), /- 2 deleted/);
});

describe("an argument that a preview does not know", () => {
  it("sends no request, and makes the result unknown", async () => {
    const stack = await stackOf(
      program(
        'const site = new docs.Site("new", { title: "New" });',
        "const read = docs.getSiteOutput({ siteId: site.siteId });",
        'export const title = read.apply((one) => "read " + one.title);',
        "export const sites = docs.getSitesOutput({}, { dependsOn: site }).apply((all) => all.length);",
      ),
    );
    bench.emulator.resetRequests();
    const { output } = done(await stack.preview("--refresh=false"));
    expect(output).not.toContain("read New");
    expect(asked()).toEqual([]);
    done(await stack.up());
    expect(await outputsOf(stack)).toEqual({ title: "read New", sites: 3 });
    done(await stack.destroy());
  });
});

it("makes the result of a secret argument a secret, in the state and on the terminal", async () => {
  const stack = await stackOf(
    program(
      'const user = new pulumi.Config("test").requireSecret("user");',
      "export const member = docs.getMemberOutput({ user });",
      'export const plain = docs.getMemberOutput({ user: "user_cem" }).user.displayName;',
    ),
  );
  await stack.setConfig("test:user", "ines@acme.test", "--secret");
  const { output } = done(await stack.up(), /member\s*: \[secret\]/, /plain\s*: "Cem Costa"/);
  expect(output).not.toContain("Ines Ito");
  expect(await stack.stateFile()).not.toMatch(/Ines Ito|ines@acme/);
  expect((await outputsOf(stack, "--show-secrets")).member.user.displayName).toBe("Ines Ito");
});

describe("a program", () => {
  it("that only reads ends as soon as it has read", async () => {
    const stack = await stackOf(
      program(
        'process.on("exit", () => console.log("ran " + Math.round(performance.now() - begun) + " ms"));',
        "let begun = 0;",
        "docs.getSites().then(() => { begun = performance.now(); });",
      ),
    );
    const { output } = done(await stack.preview());
    // The client keeps connections open for ten seconds.
    expect(Number(/ran (\d+) ms/.exec(output)?.[1])).toBeLessThan(9000);
  });

  it("takes the settings of the stack", async () => {
    const stack = await stackOf(program("export const count = docs.getSites().then((all) => all.length);"), {});
    refused(
      await stack.preview(),
      /there is no address of the service; set the environment variable DOCS_BASE_URL/,
      /there is no token; set the environment variable DOCS_TOKEN, or run: pulumi config set --secret docs:token/,
    );
    await stack.setConfig("docs:baseUrl", bench.emulator.url);
    await stack.setConfig("docs:organizationId", "acme");
    await stack.setConfig("docs:token", bench.emulator.token, "--secret");
    done(await stack.up());
    expect(await outputsOf(stack)).toEqual({ count: 2 });
    expect(await stack.stateFile()).not.toContain(bench.emulator.token);
  });

  it.each([
    ["at the top level", 'docs.getMember({ user: "nobody@acme.test" });'],
    ["as an export", 'export const member = docs.getMember({ user: "nobody@acme.test" });'],
    ["in the Output form", 'export const member = docs.getMemberOutput({ user: "nobody@acme.test" });'],
    ["in an apply", 'pulumi.output("nobody@acme.test").apply((user) => docs.getMember({ user }));'],
    [
      "before it is awaited",
      'const asked = docs.getMember({ user: "nobody@acme.test" }); export = async () => { await new Promise((done) => setTimeout(done, 500)); return { member: await asked }; };',
    ],
    [
      "as an input",
      'new docs.MemberRole("m", { user: docs.getMember({ user: "nobody@acme.test" }).then((m) => m.id), role: "read" });',
    ],
  ])("prints one sentence without a stack if it fails %s", async (_name, text) => {
    const outcome = await (await stackOf(program(text))).preview();
    refused(outcome, /nobody@acme.test is not a member of organization acme/);
    expect(told(outcome, /is not a member/g)).toHaveLength(1);
    expect(outcome.output).not.toMatch(/unhandled exception|RunError|DocsError|Warning/);
  });

  it("with many lookups that fail for the same reason gets one error", async () => {
    const stack = await stackOf(
      program(
        'for (const user of ["user_ada", "user_bea"]) docs.getMemberOutput({ user }).user.id.apply((id) => id);',
        "docs.getSites();",
      ),
    );
    stack.environment.DOCS_BASE_URL = "";
    const outcome = refused(await stack.preview(), /there is no address of the service/);
    expect(told(outcome, /there is no address/g)).toHaveLength(1);
  });
});

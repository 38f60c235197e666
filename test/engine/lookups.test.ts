import { describe, expect, it } from "vitest";
import type { CommandOutcome } from "../../scripts/stack";
import { engineBench, program } from "./bench";

const bench = engineBench();
const { stackOf, done, refused } = bench;

/** Matches below "Diagnostics:" only, because the lines of progress repeat the last line of each message. */
const inDiagnostics = ({ output }: CommandOutcome, text: RegExp) =>
  output.slice(output.indexOf("Diagnostics:")).match(text);

it("applies the example, and then shows no change", async () => {
  const stack = await stackOf({ example: "lookups" });
  done(await stack.up(), /\+ 2 created/);
  expect(await stack.outputs()).toEqual({
    addresses: { "Product docs": expect.stringMatching(/^https:/) },
    administrators: ["Bea Berg", "Ada Abbott"],
    teamsOfHelper: ["Writers", "Support"],
    // The runs of the translations in the seed have ended.
    unfinishedTranslations: [],
  });
  done(await stack.preview("--expect-no-changes"));
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

  it.each([
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
    refused(outcome, /nobody@acme.test is not a member/);
    expect(inDiagnostics(outcome, /is not a member/g)).toHaveLength(1);
    expect(outcome.output).not.toMatch(/unhandled exception|RunError|DocsError|Warning/);
  });
});

import { describe, expect, it } from "vitest";
import type { CommandOutcome } from "../../scripts/stack";
import { engineBench, program } from "./bench";

const bench = engineBench();
const { stackOf, done, refused } = bench;

/** The messages at the end: while the engine works, it also shows the last line of each. */
const diagnosticsIn = ({ output }: CommandOutcome) => output.slice(output.indexOf("Diagnostics:"));
const count = (text: string, part: string) => text.split(part).length - 1;

const roles = program(
  ...["ines", "gita", "hugo"].map(
    (name) => `new docs.MemberRole("${name}", { user: "${name}@acme.test", role: "read", onRelease: "leave" });`,
  ),
);

describe("mistakes", () => {
  it("of resources are reported each once, before the up sends anything", async () => {
    const stack = await stackOf(
      program(
        'new docs.Site("bad", { title: "a", titel: "b", visibility: "hidden" } as any);',
        'new docs.Site("taken", { title: "Taken" }, { import: "site_1" });',
      ),
    );
    const diagnostics = diagnosticsIn(refused(await stack.up("--refresh=false")));
    for (const text of [
      'titel value {b} has a problem: there is no such property; did you mean "title"',
      'title value {a} has a problem: found "a" (1 character)',
      "visibility value {hidden} has a problem: ",
      'Site "taken": option import: the engine cannot import',
    ])
      expect([text, count(diagnostics, text)]).toEqual([text, 1]);
    expect(diagnostics).not.toMatch(/failed to deliver|unhandled|promise/i);
    expect(bench.takeWrites()).toEqual([]);
  });

  it("that a transform of the program corrects are not reported", async () => {
    const stack = await stackOf(
      program(
        'const mend = async ({ props, opts }: any) => ({ props: { ...props, title: "Mended" }, opts });',
        'new docs.Site("own", { title: "a" }, { transforms: [mend] });',
        'const group = new pulumi.ComponentResource("test:index:Group", "group", {}, { transforms: [mend] });',
        'new docs.Site("inherited", { title: "a" }, { parent: group });',
      ),
    );
    done(await stack.preview(), /\+ 4 to create/);
  });
});

describe("a setting that was stored with pulumi config set since the last up", () => {
  it("is explained once if the engine does not pass it on, and each solution in the message works", async () => {
    const stack = await stackOf(roles);
    done(await stack.up());
    const { DOCS_TOKEN, DOCS_BASE_URL } = stack.environment;
    stack.environment.DOCS_TOKEN = "";
    stack.environment.DOCS_BASE_URL = "";
    await stack.setSettings({ token: String(DOCS_TOKEN), baseUrl: String(DOCS_BASE_URL) });
    bench.emulator.resetRequests();
    const diagnostics = diagnosticsIn(refused(await stack.destroy()));
    expect(diagnostics).toContain("no token for organization acme;");
    expect(
      count(diagnostics, "Set DOCS_BASE_URL and DOCS_TOKEN in the environment for this run, or add --run-program"),
    ).toBe(1);
    expect(count(diagnostics, "there is no address of the service")).toBeGreaterThan(1);
    expect(bench.emulator.log).toEqual([]);

    done(await stack.refresh("--run-program"));
    // An up without a refresh stores it, and everything after that has it.
    done(await stack.up("--refresh=false"));
    done(await stack.destroy());
  });

  it("is not explained in a program, which reads the configuration itself", async () => {
    const stack = await stackOf(roles, { DOCS_BASE_URL: bench.emulator.url, DOCS_ORGANIZATION_ID: "acme" });
    const { output } = refused(await stack.preview(), /there is no token; set/);
    expect(output).not.toContain("--run-program");
  });
});

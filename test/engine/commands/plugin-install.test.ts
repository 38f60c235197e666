import { appendFile, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packageVersion as version } from "../../../provider/run/package";
import { type CommandOutcome, root, Stack } from "../../../scripts/stack";
import { docsOrgIn, engineBench } from "../bench";
import { moved, recordVersion } from "../plugin/plugin-stack";

const bench = engineBench();

describe("docs-org plugin install", () => {
  let stack: Stack;
  let home: string;
  let installed: string;
  /** What a command printed, the same for every folder and version. */
  const said = ({ output }: CommandOutcome) => output.replaceAll(home, "HOME").replaceAll(version, "VERSION");
  beforeAll(async () => {
    home = await mkdtemp(path.join(tmpdir(), "docs-org-home-"));
    const text = 'import * as docs from "pulumi-docs-org";\nnew docs.Site("guide", { title: "Guide" });';
    stack = await Stack.create({ text: moved(text) }, { ...bench.settings(), PULUMI_HOME: home });
    installed = path.join(home, "plugins", `resource-docs-v${version}`);
  });
  afterAll(async () => {
    await stack.remove();
    await rm(home, { recursive: true });
  });

  it("makes the plugin available to projects without settings", async () => {
    const first = await docsOrgIn(stack, ["plugin", "install"]);
    expect(said(first)).toHaveWording("plugin install");
    expect(first.status).toBe(0);
    const bundle = await readFile(path.join(root, "plugin", "index.js"), "utf8");
    expect(await readFile(path.join(installed, "index.js"), "utf8")).toBe(bundle);
    bench.done(await stack.up(), /docs:index:Site guide created/);
  });

  it("changes nothing the second time, and replaces a plugin with different content", async () => {
    const again = await docsOrgIn(stack, ["plugin", "install"]);
    expect(said(again)).toHaveWording("plugin install, a second time");
    expect(again.status).toBe(0);
    await appendFile(path.join(installed, "index.js"), "// changed");
    const replaced = await docsOrgIn(stack, ["plugin", "install"]);
    expect(said(replaced)).toHaveWording("plugin install, in place of another");
    expect(replaced.status).toBe(0);
    expect(await readFile(path.join(installed, "index.js"), "utf8")).not.toContain("// changed");
  });

  it("also serves a stack that a former version has changed last, with --for", async () => {
    const former = path.join(home, "plugins", "resource-docs-v0.0.9");
    const both = await docsOrgIn(stack, ["plugin", "install", "--for", "0.0.9"]);
    expect(said(both)).toHaveWording("plugin install, for a former version");
    expect(both.status).toBe(0);
    await recordVersion(stack, "0.0.9");
    bench.done(await stack.preview("--expect-no-changes"));

    await appendFile(path.join(former, "index.js"), "// of the former version");
    const again = await docsOrgIn(stack, ["plugin", "install", "--for", "0.0.9"]);
    expect(again.output).toContain(`0.0.9 is already installed in ${former}.`);
    expect((await docsOrgIn(stack, ["plugin", "install", "--for", "latest"])).output).toMatch(
      /Use a version such as 0\.1\.0/,
    );
  });

  it("names missing files and programs", async () => {
    const empty = path.join(stack.folder, "empty");
    await mkdir(empty);
    const args = [path.join(root, "dist", "cli", "index.js"), "plugin", "install"];
    const without = await stack.execute(process.execPath, args, { PULUMI_HOME: empty, PATH: empty });
    expect(said(without)).toHaveWording("plugin install, without the engine");
    expect(without.status).toBe(1);
    const file = { PULUMI_HOME: path.join(stack.folder, "index.ts") };
    const failed = await stack.execute(process.execPath, args, file);
    expect(failed.output).toMatch(/^docs-org: .*: pulumi plugin install .* failed: /);
    expect(failed.status).toBe(1);
  });
});

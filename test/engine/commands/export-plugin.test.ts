import { rm } from "node:fs/promises";
import path from "node:path";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../../provider/emulator";
import { type Outcome, Stack } from "../../../scripts/stack";
import { exporting } from "../../export/support";
import { latest, seedOf } from "../../states/everything";

afterEach(() => void vi.unstubAllEnvs());

function done({ status, output }: Outcome): string {
  if (status !== 0) throw new Error(output);
  return output;
}

const writesAt = ({ log }: Emulator) => log.filter(({ method }) => method !== "GET");

async function started(options: EmulatorOptions): Promise<Emulator> {
  const emulator = await startEmulator(options);
  onTestFinished(() => emulator.close());
  return emulator;
}

/** The folder of a new project, which has the package as npm installs it. */
async function projectFor({ url, token, organizationId }: Emulator): Promise<Stack> {
  const environment = { DOCS_BASE_URL: url, DOCS_TOKEN: token, DOCS_ORGANIZATION_ID: organizationId };
  const stack = await Stack.create({ text: "" }, environment);
  onTestFinished(() => stack.remove());
  for (const file of ["index.ts", "Pulumi.yaml", "tsconfig.json"]) await rm(path.join(stack.folder, file));
  await stack.linkPackage();
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  return stack;
}

/** The commands that an export prints. */
const commandsIn = (stdout: string): string[][] =>
  [...stdout.matchAll(/^ {2}pulumi ([^#\n]+)/gm)].map(([, command = ""]) => command.trim().split(" "));

/** What a user does: exports, and runs what the export prints. Returns the output of each command. */
async function takeOver(stack: Stack, ...options: string[]): Promise<string[]> {
  const { code, stdout, stderr } = await exporting("--out", stack.folder, "--name", "taken", ...options);
  if (code !== 0) throw new Error(stderr);
  done(await stack.run("stack", "init", "test"));
  const outputs: string[] = [];
  for (const command of commandsIn(stdout)) outputs.push(done(await stack.run(...command)));
  return outputs;
}

/** With the format `file`, the component and its notes as well; a provider of the built-in one has a certificate that nobody can declare. */
const organizations = [
  ["file", "an organization with every kind of object", async () => ({ seed: await seedOf(latest) }), 8, [1, 2]],
  ["resources", "the built-in organization", async () => ({}), 12, [0, 1]],
] as const;

describe("docs-org export --host plugin", () => {
  it.each(organizations)(
    "writes a program that takes over the organization without a write: %s of %s",
    async (format, _, options, resources, [imported, created]) => {
      const emulator = await started(await options());
      const stack = await projectFor(emulator);
      const [ofImport, ofPreview, ofUp, ofLast, ...more] = await takeOver(
        stack,
        "--host",
        "plugin",
        "--format",
        format,
      );
      expect(more).toEqual([]);
      expect(ofImport).toContain(`= ${resources + imported} imported`);
      expect(ofPreview).toContain(`+ ${created} to create`);
      expect(ofPreview).not.toMatch(/to (delete|replace)/);
      expect(ofUp).toContain(`+ ${created} created`);
      expect(ofLast).toContain(`${resources + imported + created + 1} unchanged`);
      expect(writesAt(emulator)).toEqual([]);

      const sites = (await stack.resources()).filter(({ type }) => type === "docs:index:Site");
      expect(sites.map(({ protect }) => protect)).toEqual([true, true]);
      expect(await stack.stateFile()).not.toContain(emulator.token);
      const member = emulator.state.organizations.get("acme")?.members.get("user_eli");
      Object.assign(member ?? {}, { role: "read" });
      expect(done(await stack.preview("--diff"))).toMatch(/eli@acme\.test: "read" => "review"/);
      const { status, output } = await stack.destroy();
      expect([status === 0, output]).toEqual([false, expect.stringContaining("is protected")]);
    },
  );
});

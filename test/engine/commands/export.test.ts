import { afterEach, describe, expect, it, vi } from "vitest";
import type { EmulatorOptions, Seed } from "../../../provider/emulator";
import type { Stack } from "../../../scripts/stack";
import { exporting } from "../../export/support";
import { engineBench, program } from "../bench";

/** Somebody and nothing else. */
const empty: Seed = {
  organizations: { org_1: { members: [{ userId: "user_1", email: "me@one.test", role: "admin" }] } },
};

const thousands: EmulatorOptions = { size: { members: 10_000, teams: 100 } };

const builtIn: EmulatorOptions = {};

const organizations: [name: string, options: EmulatorOptions, resources: number][] = [
  ["the built-in organization", builtIn, 13],
  ["an empty organization", { seed: empty }, 1],
  ["10,000 members in 100 teams", thousands, 113],
];

afterEach(() => void vi.unstubAllEnvs());

/** What a user does: writes the program into the folder of a project, imports, and looks whether anything would change. */
async function takeOver(stack: Stack, format: string) {
  for (const [name, value] of Object.entries(stack.environment)) vi.stubEnv(name, value ?? "");
  await stack.linkPackage();
  const { code, stderr } = await exporting(
    "--out",
    stack.folder,
    "--format",
    format,
    "--force",
    "--name",
    "taken-over",
  );
  if (code !== 0) throw new Error(stderr);
  // The export has written a project of another name, whose stacks are others.
  await stack.run("stack", "init", "test");
  return stack.run("import", "--file", "import.json", "--protect=false", "--generate-code=false", "--yes");
}

describe.each(organizations)("docs-org export of %s", (_, options, resources) => {
  const bench = engineBench(options);
  const { stackOf, settings, done, refused, writes } = bench;

  // The built-in one has all that the others have; resources of their own are statements of the same.
  const formats = options === builtIn ? ["file", "resources"] : ["file"];

  it.each(formats)("writes a program that takes over the organization without a change: %s", async (format) => {
    const stack = await stackOf(program(), settings());
    done(await takeOver(stack, format));
    const taken = (await stack.resources()).filter(({ id }) => id !== undefined);
    expect(taken).toHaveLength(resources);
    expect(taken.filter(({ protect }) => protect)).toEqual([]);
    done(await stack.preview("--refresh", "--expect-no-changes"));
    done(await stack.up("--refresh"));
    expect(writes()).toEqual([]);
    const sites = (await stack.resources()).filter(({ urn }) => urn.includes("docs:Site::"));
    expect(sites.filter(({ protect }) => !protect)).toEqual([]);
    // The organization is that of both formats: it is taken apart at the end.
    if (sites.length === 0 || format !== "resources") return;
    refused(await stack.destroy(), /is protected/);
    expect(writes().filter((write) => /^DELETE .*\/sites\/[^/]+$/.test(write))).toEqual([]);
  });
});

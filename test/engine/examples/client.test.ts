import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { startEmulator } from "../../../provider/emulator";
import { root } from "../../../scripts/stack";

it("lists the members of every team without Pulumi", async () => {
  const emulator = await startEmulator();
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["-r", "ts-node/register", path.join(root, "examples", "client", "list-team-members.ts")],
    {
      cwd: root,
      env: {
        PATH: process.env.PATH,
        DOCS_BASE_URL: emulator.url,
        DOCS_TOKEN: emulator.token,
        DOCS_ORGANIZATION_ID: emulator.organizationId,
      },
    },
  );
  await emulator.close();
  for (const title of ["Writers", "Engineers", "Support"]) expect(stdout).toContain(`${title} (team_`);
  expect(stdout.match(/^ {2}.+, (owner|member)$/gm)).toHaveLength(10);
});

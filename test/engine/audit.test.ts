import { spawn } from "node:child_process";
import path from "node:path";
import { expect, it } from "vitest";
import type { Audit } from "../../provider/audit/audit";
import { root } from "../../scripts/stack";
import { engineBench, program } from "./bench";

const bench = engineBench();

/** The compiled command, with a state on its standard input. */
async function audit(state: string, ...args: string[]): Promise<{ status: unknown; result: Audit }> {
  const command = [path.join(root, "dist/cli/index.js"), "audit", "--format", "json", ...args];
  const child = spawn(process.execPath, command, { env: { ...process.env, ...bench.settings() } });
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stdin.end(state);
  const status = await new Promise((resolve) => child.once("close", resolve));
  return { status, result: JSON.parse(stdout) };
}

it("finds what no stack declares in what the engine exports, and nothing once everything is declared", async () => {
  const { client, emulator } = bench;
  const { organizationId } = emulator;
  const members = await client.listMembers({ organizationId }).all();
  const roles = Object.fromEntries(
    members.flatMap(({ user, role }) => (role === null ? [] : [[user.email ?? user.id, role]])),
  );
  const stack = await bench.stackOf(
    program(
      `new docs.MemberRoles("everybody", { roles: ${JSON.stringify(roles)}, onDestroy: "leave" });`,
      'new docs.TeamMembers("writers", { teamId: "team_writers", members: { user_cem: "owner" }, ignore: ["femi@*", "dana@*"] });',
    ),
  );
  bench.done(await stack.up());
  const { status, result } = await audit(await stack.export(), "--fail-on", "unmanaged");
  expect(status).toBe(2);
  expect(result.coverage.roles).toEqual({ declared: 11, there: 11, percent: 100 });
  expect(result.coverage.memberships).toMatchObject({ declared: 3, there: 10 });
  expect(result.unmanaged.sites.map(({ id }) => id)).toEqual(["site_product", "site_handbook"]);

  await client.updateMember({ organizationId, userId: "user_ines", body: { role: "edit" } });
  bench.done(await stack.refresh());
  const refreshed = await audit(await stack.export());
  expect(refreshed).toMatchObject({ status: 0, result: { coverage: { roles: { percent: 100 } }, gone: [] } });
});

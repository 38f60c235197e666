import { expect, it } from "vitest";
import type { Audit } from "../../../provider/audit/report";
import type { Stack } from "../../../scripts/stack";
import { docsOrg, engineBench, program } from "../bench";

const bench = engineBench();

/** What the audit of a stack's own state says. */
async function audit(stack: Stack, ...args: string[]): Promise<{ status: unknown; result: Audit }> {
  const { status, stdout } = await docsOrg(stack, ["audit", "--format", "json", ...args], await stack.export());
  return { status, result: JSON.parse(stdout) };
}

it("lists unmanaged objects for an exported state, and none if the stack declares everything", async () => {
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
  const { status, result } = await audit(stack, "--fail-on", "unmanaged");
  expect(status).toBe(2);
  expect(result.coverage.roles).toEqual({ declared: 11, there: 11, percent: 100 });
  expect(result.coverage.memberships).toMatchObject({ declared: 3, there: 10 });
  expect(result.unmanaged.sites.map(({ id }) => id)).toEqual(["site_product", "site_handbook"]);

  await client.updateMember({ organizationId, userId: "user_ines", body: { role: "edit" } });
  bench.done(await stack.refresh());
  const refreshed = await audit(stack);
  expect(refreshed).toMatchObject({ status: 0, result: { coverage: { roles: { percent: 100 } }, gone: [] } });
});

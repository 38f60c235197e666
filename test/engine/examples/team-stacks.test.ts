import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { engineBench } from "../bench";

const bench = engineBench();
const { done } = bench;

async function membersOf(teamId: string): Promise<Record<string, string>> {
  const items = await bench.client.listTeamMembers({ organizationId: "acme", teamId }).all();
  return Object.fromEntries(items.map((item) => [item.organization.user.id, item.team.role]));
}

it("reads the ids for the stack of a team from the stack of the organization", async () => {
  // A stack can only be referred to in its own backend.
  const backend = await mkdtemp(path.join(tmpdir(), "docs-org-team-stacks-"));
  onTestFinished(() => rm(backend, { recursive: true }));
  const environment = { ...bench.settings(), PULUMI_BACKEND_URL: `file://${backend}` };

  const whole = await bench.stackOf({ example: "team-stacks/organization" }, environment);
  done(await whole.run("stack", "init", "production"), /Created stack/);
  done(await whole.up(), /\+ 6 created/);
  const team = await bench.stackOf({ example: "team-stacks/team" }, environment);

  done(await team.run("stack", "init", "writers"), /Created stack/);
  done(await team.up(), /\+ 2 created/);
  expect(await membersOf("team_writers")).toEqual({ user_cem: "owner", user_dana: "member" });
  expect(await membersOf("team_support")).toEqual({ user_hugo: "owner", user_ines: "member", user_lena: "member" });

  done(await team.run("stack", "init", "support"), /Created stack/);
  done(await team.up(), /\+ 2 created/);
  expect(await membersOf("team_support")).toEqual({ user_hugo: "owner", user_femi: "member" });
  expect(await membersOf("team_writers")).toEqual({ user_cem: "owner", user_dana: "member" });

  done(await team.destroy(), /- 2 deleted/);
  expect(await membersOf("team_support")).toEqual({});
  expect(await membersOf("team_writers")).toEqual({ user_cem: "owner", user_dana: "member" });
});

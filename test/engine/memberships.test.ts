import { expect, it } from "vitest";
import { engineBench, program } from "./bench";

const bench = engineBench();
const { stackOf, done, takeWrites } = bench;

const people = async (teamId: string) => {
  const all = await bench.client.listTeamMembers({ organizationId: "acme", teamId }).all();
  return Object.fromEntries(all.map(({ organization, team }) => [organization.user.id, team.role]));
};
const membership = (name: string, user: string, role = "member", options = "") =>
  `new docs.TeamMembership("${name}", { teamId: "team_support", user: "${user}", role: "${role}" }${options});`;
const component = 'const parent = new pulumi.ComponentResource("test:index:Group", "group");';
const others = { user_hugo: "owner", user_ines: "member", user_lena: "member" };

// The engine creates what it takes for new before it deletes the rest.
it("adds and removes nobody for memberships under other names, in a component, by id, and of the whole team", async () => {
  const stack = await stackOf(program(membership("gita", "Gita@acme.test")));
  done(await stack.up());
  const before = await people("team_support");
  expect(before).toEqual({ ...others, user_gita: "member" });
  takeWrites();
  for (const lines of [
    [component, membership("renamed", "user_gita", "member", ", { parent }")],
    [`new docs.TeamMembers("all", { teamId: "team_support", members: ${JSON.stringify(before)} });`],
    Object.entries(before).map(([user, role]) => membership(user, user, role)),
  ]) {
    await stack.write(program(...lines));
    done(await stack.up("--parallel", "64"));
    expect(takeWrites()).toEqual([]);
  }
  expect(await people("team_support")).toEqual(before);
});

import { expect, it } from "vitest";
import { pluginStack } from "../../../scripts/plugin-stack";
import { engineBench } from "../bench";
import { recordVersion } from "./plugin-stack";

const bench = engineBench();
const { stackOf, done, takeWrites } = bench;

const program = (...lines: string[]) => ({
  text: ['import * as docs from "pulumi-docs-org/plugin";', ...lines].join("\n"),
});
const membership = (name: string, user: string) =>
  `new docs.TeamMembership("${name}", { teamId: "team_support", user: "${user}", role: "member" });`;

it("deletes after an upgrade what only the former version has recorded, and keeps what got another name", async () => {
  const both = program(membership("ada", "user_ada"), membership("bea", "user_bea"));
  const stack = await stackOf(both, bench.settings(), pluginStack);
  done(await stack.up());
  await recordVersion(stack, "0.0.9");
  takeWrites();
  done(await stack.preview("--expect-no-changes"));
  await stack.write(program(membership("renamed", "user_bea")));
  done(await stack.up(), /user_bea stay in team team_support: other/);
  expect(takeWrites()).toEqual(["DELETE /v1/orgs/acme/teams/team_support/members/user_ada"]);
  expect((await stack.resources()).map(({ urn }) => urn.split("::").at(-1))).toEqual(["renamed"]);
});

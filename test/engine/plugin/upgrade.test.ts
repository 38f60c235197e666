import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { packageVersion } from "../../../provider/hosts/plugin-classes/version";
import { pluginProject } from "../../../scripts/plugin-stack";
import type { Stack } from "../../../scripts/stack";
import { engineBench } from "../bench";

const bench = engineBench();
const { stackOf, done, writes } = bench;

const program = (...lines: string[]) => ({
  text: ['import * as docs from "pulumi-docs-org/plugin";', ...lines].join("\n"),
});
const membership = (name: string, user: string) =>
  `new docs.TeamMembership("${name}", { teamId: "team_support", user: "${user}", role: "member" });`;

/** Makes the state one that another version of the package has written: its default provider has another name. */
async function writtenBy(stack: Stack, version: string): Promise<void> {
  const named = (one: string) => `default_${one.replace(/\W/g, "_")}`;
  const state = (await stack.export()).replaceAll(named(packageVersion), named(version));
  const other = state.replaceAll(`"version": "${packageVersion}"`, `"version": "${version}"`);
  expect(other).toContain(`docs::${named(version)}::`);
  await writeFile(path.join(stack.folder, "state.json"), other);
  done(await stack.run("stack", "import", "--file", "state.json"));
}

it("deletes after an upgrade what only the former version has recorded, and keeps what got another name", async () => {
  const stack = await stackOf(program(membership("ada", "user_ada"), membership("bea", "user_bea")));
  await writeFile(path.join(stack.folder, "Pulumi.yaml"), pluginProject);
  done(await stack.up());
  await writtenBy(stack, "0.0.9");
  writes();
  done(await stack.preview("--expect-no-changes"));
  await stack.write(program(membership("renamed", "user_bea")));
  done(await stack.up(), /user_bea stays in team team_support: another resource of this run manages this person/);
  expect(writes()).toEqual(["DELETE /v1/orgs/acme/teams/team_support/members/user_ada"]);
  expect((await stack.resources()).map(({ urn }) => urn.split("::").at(-1))).toEqual(["renamed"]);
  done(await stack.destroy());
});

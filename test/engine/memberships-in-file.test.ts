import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import type { Audit } from "../../provider/audit/report";
import type { Review } from "../../provider/review/model/review";
import { docsOrg, engineBench, program } from "./bench";

const bench = engineBench();
const { stackOf, done, refused, writes } = bench;

const file = (...lines: string[]) => ["organization: acme", ...lines, ""].join("\n");

it("adds single people of a file to a team that is managed elsewhere, and removes only them", async () => {
  const stack = await stackOf(program('new docs.Organization("acme", { file: "organization.yaml" });'));
  const declare = (text: string) => writeFile(path.join(stack.folder, "organization.yaml"), text);
  const people = async () => {
    const found = bench.client.listTeamMembers({ organizationId: "acme", teamId: "team_writers", query: {} });
    return (await found.all()).map(({ organization }) => organization.user.id).sort();
  };
  const before = await people();
  expect(before).not.toContain("user_hugo");
  await declare(
    file("teams:", "  team_writers:", "    memberships:", "      hugo@acme.test: { role: member, reason: release }"),
  );
  const { stdout } = await stack.preview("--refresh", "--json");
  const review: Review = JSON.parse((await docsOrg(stack, ["review", "--format", "json"], stdout)).stdout);
  expect(review.people).toMatchObject([
    { name: "hugo@acme.test", access: [{ effect: "gains", place: { team: "team_writers" }, after: "member" }] },
  ]);
  expect(JSON.stringify(review.people)).toContain("release");
  done(await stack.up());
  expect(await people()).toEqual([...before, "user_hugo"].sort());
  const audit: Audit = JSON.parse((await docsOrg(stack, ["audit", "--format", "json"], await stack.export())).stdout);
  const unmanaged = Object.values(audit.unmanaged)
    .flat()
    .map((one) => JSON.stringify(one));
  const inTeam = unmanaged.filter((one) => one.includes("team_writers"));
  expect(inTeam.length).toBeGreaterThan(0);
  expect(inTeam.filter((one) => one.includes("hugo"))).toEqual([]);
  writes();

  await declare(file("guards: { maxRemovals: 0 }"));
  refused(await stack.preview("--refresh"), /1 person would lose.*\s+hugo@acme\.test: leaves team/);
  await declare(file("guards: { maxRemovals: 1 }"));
  done(await stack.up("--refresh"));
  expect(await people()).toEqual(before);
}, 600_000);

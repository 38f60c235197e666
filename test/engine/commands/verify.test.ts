import path from "node:path";
import { expect, it } from "vitest";
import type { Program, Stack } from "../../../scripts/stack";
import { docsOrg, engineBench, program } from "../bench";

const bench = engineBench();
const { stackOf, done, writes } = bench;

/** Reviews one program, and verifies the preview of another one with the plan. */
async function verified(stack: Stack, reviewed: Program, fresh: Program, ...options: string[]) {
  const preview = async () => done(await stack.preview("--refresh", "--json", ...options)).stdout;
  const plan = path.join(stack.folder, "plan.json");
  await stack.write(reviewed);
  done(await docsOrg(stack, ["review", "--plan", plan], await preview()));
  await stack.write(fresh);
  return docsOrg(stack, ["verify", "--plan", plan], await preview());
}

it.each([
  [
    "list of ignored people",
    (users: string) =>
      program(`new docs.MemberRoles("m", { roles: { user_cem: "edit" }, ignore: pulumi.secret(${users}) });`),
    ['["user_ines"]', '["user_kofi"]'],
    "MemberRoles m: ignore",
  ],
  [
    "team whose other members are removed",
    (team: string) =>
      program(
        `new docs.TeamMembers("m", { teamId: pulumi.secret("${team}"), members: {}, removeExisting: true, allowNoOwner: true });`,
      ),
    ["team_support", "team_writers"],
    "TeamMembers m: teamId",
  ],
  [
    "organization",
    (organization: string) =>
      program(
        `new docs.MemberRole("m", { user: "user_kofi", role: "edit", organizationId: pulumi.secret("${organization}") });`,
      ),
    ["acme", "other"],
    "MemberRole m: organizationId",
  ],
] as const)("cannot compare a secret %s", async (_, text, [reviewed, fresh], point) => {
  const { status, stdout } = await verified(await stackOf(text(reviewed)), text(reviewed), text(fresh));
  expect(stdout).toContain(point);
  expect(status).toBe(3);
  expect(writes()).toEqual([]);
});

it("refuses two people who were exchanged between resources with different release options", async () => {
  const text = (x: string, y: string) =>
    program(
      `new docs.MemberRole("x", { user: "${x}", role: "edit", onDestroy: "remove" });`,
      `new docs.MemberRole("y", { user: "${y}", role: "edit" });`,
    );
  const [one, other] = [text("user_ines", "user_kofi"), text("user_kofi", "user_ines")];
  const stack = await stackOf(one);
  expect((await verified(stack, one, one)).status).toBe(0);
  const { status, stdout } = await verified(stack, one, other);
  expect(stdout).toContain('user_kofi: role: declared with {"onDestroy":"remove"}');
  expect(status).toBe(2);
});

it("refuses a resource that no longer has retainOnDelete, if the preview shows it", async () => {
  const text = (options: string) => program(`new docs.Site("s", { title: "Kept" }, ${options});`);
  const kept = text("{ retainOnDelete: true }");
  const stack = await stackOf(kept);
  done(await stack.up());
  expect((await verified(stack, kept, kept, "--show-sames")).status).toBe(0);
  const { status, stdout } = await verified(stack, kept, text("{}"), "--show-sames");
  expect(stdout).toContain("resource  Site s: retainOnDelete: no longer declared");
  expect(status).toBe(2);
  writes();
});

it("says that a role stays if its deletedWith resource is deleted, as the engine then calls no provider", async () => {
  const site = 'const site = new docs.Site("s", { title: "Gone" });';
  const role = 'new docs.MemberRole("cem", { user: "user_cem", role: "admin" }, { deletedWith: site });';
  const stack = await stackOf(program(site, role));
  done(await stack.up());
  await stack.write(program());
  const { stdout } = done(await stack.preview("--json"));
  expect((await docsOrg(stack, ["review"], stdout)).stdout).toMatch(
    /role stays `admin`; no longer managed: only removed from the state \(deletedWith, whose resource is deleted\)/,
  );
  done(await stack.up());
  expect(await bench.client.getMember({ organizationId: "acme", userId: "user_cem" })).toMatchObject({ role: "admin" });
  writes();
});

import path from "node:path";
import { beforeEach, expect, it } from "vitest";
import type { Stack } from "../../../scripts/stack";
import { docsOrg, engineBench, program } from "../bench";

const bench = engineBench({
  seed: {
    organizations: {
      acme: {
        title: "Acme",
        members: [
          { userId: "user_ada", email: "ada@acme.test", role: "admin" },
          { userId: "user_bea", email: "bea@acme.test", role: "admin" },
          { userId: "user_alice", email: "alice@acme.test", role: "edit" },
          { userId: "user_mallory", email: "mallory@acme.test", role: "read" },
        ],
        teams: [{ id: "team_docs", title: "Docs", members: { user_ada: "owner" } }],
      },
    },
  },
});
const { stackOf, done, refused, writes } = bench;

const bothIds = /alice@acme\.test was reviewed as user_alice and belongs to user_mallory now/;

const people = () => bench.emulator.state.organizations.get("acme")?.members;
const rename = (userId: string, email: string) => Object.assign(people()?.get(userId) as object, { email });
const moveEmail = () => {
  rename("user_alice", "alice.former@acme.test");
  rename("user_mallory", "alice@acme.test");
};
const rolesNow = () => ["user_alice", "user_mallory"].map((userId) => people()?.get(userId)?.role);

const moveBack = () => {
  rename("user_mallory", "mallory@acme.test");
  rename("user_alice", "alice@acme.test");
};

beforeEach(() => {
  moveBack();
  Object.assign(people()?.get("user_alice") as object, { role: "edit" });
});

/** Reviews what the stack's program would do, and gives the plan's file. */
async function reviewed(stack: Stack): Promise<string> {
  const plan = path.join(stack.folder, "plan.json");
  done(await docsOrg(stack, ["review", "--plan", plan], done(await stack.preview("--json")).stdout));
  return plan;
}

const verified = async (stack: Stack, plan: string) =>
  docsOrg(stack, ["verify", "--plan", plan], done(await stack.preview("--json")).stdout);

const organization = program(
  `new docs.Organization("acme", { organization: "acme", members: {
    "ada@acme.test": "admin", "bea@acme.test": "admin", "alice@acme.test": "admin" } });`,
);

it("stops verify and the reviewed up if an e-mail belongs to another person by then", async () => {
  const stack = await stackOf(organization);
  const plan = await reviewed(stack);
  expect((await verified(stack, plan)).status).toBe(0);

  moveEmail();
  const stopped = await verified(stack, plan);
  refused(stopped, bothIds, /gain {6}user_mallory/);
  expect(stopped.status).toBe(2);

  writes();
  stack.environment.DOCS_PLAN = plan;
  refused(await stack.up(), bothIds);
  expect(rolesNow()).toEqual(["edit", "read"]);
  expect(writes()).toEqual([]);

  moveBack();
  done(await stack.up());
  expect(rolesNow()).toEqual(["admin", "read"]);
});

it("fails at once if the file of the plan cannot be read or is not a plan", async () => {
  const stack = await stackOf(organization);
  stack.environment.DOCS_PLAN = "no-plan.json";
  refused(
    await stack.up(),
    /DOCS_PLAN: could not read the plan "no-plan\.json" \(ENOENT\); name the file that docs-org/,
  );
  stack.environment.DOCS_PLAN = "Pulumi.yaml";
  refused(await stack.up(), /DOCS_PLAN: Pulumi\.yaml is not a plan that this version of docs-org can read/);
  expect(rolesNow()).not.toContain("admin");
});

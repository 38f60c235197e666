import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Client, createClient } from "../../provider/api/client";
import { type Emulator, startEmulator } from "../../provider/emulator";
import { type Outcome, Stack } from "../../scripts/stack";
import { moved, pluginStack } from "./plugin/plugin-stack";

type Declared = Readonly<Record<string, string>>;

const program = (...lines: string[]) => ({
  text: ['import * as pulumi from "@pulumi/pulumi";', 'import * as docs from "pulumi-docs-org";', ...lines].join("\n"),
});
const one = (name: string, user: string, role: string, more = "") =>
  `new docs.MemberRole("${name}", { user: "${user}", role: "${role}" }${more});`;
/** A resource for each person. */
const each = (roles: Declared) => program(...Object.entries(roles).map(([user, role]) => one(user, user, role)));
/** One resource for all of them. */
const all = (roles: Declared, more = "") =>
  program(`new docs.MemberRoles("all", { roles: ${JSON.stringify(roles)}${more} });`);

let emulator: Emulator;
let client: Client;
let stacks: Stack[];

beforeEach(async () => {
  stacks = [];
  emulator = await startEmulator();
  client = createClient({ baseUrl: emulator.url, token: emulator.token });
});
afterEach(async () => {
  for (const stack of stacks) await stack.remove();
  await client.close();
  await emulator.close();
});

const settings = () => ({ DOCS_BASE_URL: emulator.url, DOCS_TOKEN: emulator.token, DOCS_ORGANIZATION_ID: "acme" });

async function stackOf(text: ReturnType<typeof program>): Promise<Stack> {
  const stack = await Stack.create(text, settings());
  stacks.push(stack);
  return stack;
}

/** The command did what it should; otherwise its whole output is the error. */
async function done(command: Promise<Outcome>): Promise<Outcome> {
  const outcome = await command;
  if (outcome.status !== 0) throw new Error(outcome.output);
  return outcome;
}

const at = (userId: string) => ({ organizationId: "acme", userId });
const role = async (userId: string) => (await client.getMember(at(userId))).role;
const setRole = (userId: string, to: "admin" | "read" | null) =>
  client.updateMember({ ...at(userId), body: { role: to } });
const administrators = async () => {
  const { items } = await client.listMembers({ organizationId: "acme", query: { role: "admin" } });
  return items.map(({ user }) => user.id);
};

/** Runs the command and returns the roles that it wrote, by person. */
async function writesOf(command: () => Promise<unknown>): Promise<[string | undefined, unknown][]> {
  emulator.resetRequests();
  await command();
  const writes = emulator.log.filter(({ method }) => method !== "GET");
  return writes.map(({ path, body }) => [path.split("/").pop(), (body as { role?: unknown } | undefined)?.role]);
}

describe("the last administrator, while the engine runs several calls at once", () => {
  /** Ada alone administers; she and 38 others are declared. */
  const crowd = async () => {
    await setRole("user_bea", null);
    const others = Array.from({ length: 38 }, (_, index) => emulator.join({ userId: `user_${index}` }).id);
    return Object.fromEntries(others.map((id) => [id, "comment"]));
  };
  const afterwards = async () => {
    expect(await administrators()).toEqual(["user_ines"]);
    expect([await role("user_ada"), await role("user_0"), await role("user_37")]).toEqual([
      "read",
      "comment",
      "comment",
    ]);
  };

  it("can hand over the role between many resources, in any order", async () => {
    const others = await crowd();
    const up = await stackOf(each({ user_ada: "read", ...others, user_ines: "admin" }));
    await done(up.up("--parallel", "64"));
    await afterwards();
    // And back, declared in the other order.
    await up.write(each({ user_ines: "read", ...others, user_ada: "admin" }));
    await done(up.up("--parallel", "64"));
    expect(await administrators()).toEqual(["user_ada"]);
    await done(up.destroy("--parallel", "64"));
    expect([await role("user_ada"), await role("user_0")]).toEqual(["admin", "read"]);
  });

  it("can hand over the role within one resource, and between two", async () => {
    const others = await crowd();
    const up = await stackOf(all({ user_ada: "read", ...others, user_ines: "admin" }));
    await done(up.up("--parallel", "64"));
    await afterwards();
    const { text } = all({ user_ada: "read", ...others, user_ines: "read" });
    await up.write({ text: `${text}\n${one("gita", "user_gita", "admin")}` });
    await done(up.up("--parallel", "64"));
    expect(await administrators()).toEqual(["user_gita"]);
  });

  it.each([
    ["a resource of its own", each, true],
    // One resource knows its whole change, and refuses it before the first write.
    ["one resource with others", all, false],
  ])("keeps the role at create, update and destroy, and the error has the name: %s", async (_, declare, others) => {
    await setRole("user_bea", null);
    const refused = async (command: Promise<Outcome>) => {
      const outcome = await command;
      expect(outcome.status).not.toBe(0);
      expect(outcome.output).toMatch(
        /Ada Abbott \(ada@acme.test, user_ada\) is the last administrator of organization acme/,
      );
      expect(outcome.output).not.toMatch(/^\s+at .*\.[jt]s:\d+/m);
      expect(await administrators()).toEqual(["user_ada"]);
    };
    const up = await stackOf(declare({ user_ada: "read", user_jun: "comment" }));
    await refused(up.up("--parallel", "64"));
    expect(await role("user_jun")).toBe(others ? "comment" : "read");
    await up.write(declare({ user_ada: "admin", user_jun: "comment" }));
    await done(up.up());
    await up.write(declare({ user_ada: "edit", user_jun: "review" }));
    await refused(up.up("--parallel", "64"));
    expect(await role("user_jun")).toBe(others ? "review" : "comment");

    // An administrator whose previous role was guest would become a guest again.
    await setRole("user_ada", null);
    await setRole("user_bea", "admin");
    const again = await stackOf(declare({ user_ada: "admin", user_jun: "create" }));
    await done(again.up());
    await setRole("user_bea", null);
    await refused(again.destroy("--parallel", "64"));
    expect(await role("user_jun")).toBe(others ? "review" : "create");
  });
});

it("keeps the last administrator if two stacks, one in each host, lower one after the other while lists lag", async () => {
  emulator.setReadLag({ lists: 60_000 });
  const first = await stackOf(each({ user_bea: "read" }));
  await done(first.up("--skip-preview"));
  const second = await pluginStack(moved(each({ user_ada: "read" }).text), settings());
  stacks.push(second);
  // The list still has Bea as an administrator.
  expect(await administrators()).toEqual(["user_bea", "user_ada"]);
  const outcome = await second.up("--skip-preview");
  expect(outcome.status).not.toBe(0);
  expect(outcome.output).toContain("(ada@acme.test, user_ada) is the last administrator of organization acme");
  expect([await role("user_ada"), await role("user_bea")]).toEqual(["admin", "read"]);
});

describe("a change of resources that does not change the access of people", () => {
  const roles = { user_ines: "edit", "Hugo@acme.test": "edit", user_jun: "comment", user_ada: "admin" };
  const found = async () => [await role("user_ines"), await role("user_hugo"), await role("user_jun")];

  it("sends no write if single resources become one for all people, or the reverse, and a destroy restores the roles", async () => {
    const before = await found();
    const up = await stackOf(each(roles));
    await done(up.up());
    const declared = await found();
    expect(declared).toEqual(["edit", "edit", "comment"]);
    for (const text of [all(roles), each(roles)]) {
      await up.write(text);
      expect(await writesOf(() => done(up.up()))).toEqual([]);
      await done(up.preview("--expect-no-changes"));
    }
    expect(await found()).toEqual(declared);
    expect(await up.resources()).toHaveLength(4);
    const undone = await writesOf(() => done(up.destroy()));
    expect(undone.map(([user]) => user).sort()).toEqual(["user_hugo", "user_ines", "user_jun"]);
    expect(await found()).toEqual(before);
  });

  it("sends no write for another name, a component, an id instead of an e-mail, or another case", async () => {
    const up = await stackOf(program(one("hugo", "hugo@acme.test", "edit")));
    await done(up.up());
    const component = 'const team = new pulumi.ComponentResource("docs:test:Team", "team");';
    for (const lines of [
      [one("renamed", "hugo@acme.test", "edit")],
      [component, one("renamed", "hugo@acme.test", "edit", ", { parent: team }")],
      [component, one("renamed", "Hugo@Acme.Test", "edit", ", { parent: team }")],
      [component, one("renamed", "user_hugo", "edit", ", { parent: team }")],
      [one("hugo", "HUGO@acme.test", "edit")],
    ]) {
      await up.write(program(...lines));
      expect(await writesOf(() => done(up.up()))).toEqual([]);
    }
    await done(up.preview("--expect-no-changes"));
    expect(await role("user_hugo")).toBe("edit");
  });
});

describe("MemberRoles in a preview", () => {
  it("shows each person whose role changes, and drift as the person's role", async () => {
    const roles = { user_ines: "edit", "hugo@acme.test": "edit", user_jun: "comment" };
    const up = await stackOf(all(roles));
    await done(up.up());
    await client.updateMember({ ...at("user_jun"), body: { role: "create" } });
    await client.removeMember(at("user_hugo"));
    const drift = await done(up.preview("--diff"));
    expect(drift.output).toMatch(/~ user_jun\s*: "create" => "comment"/);
    expect(drift.output).toMatch(/\+ hugo@acme.test\s*: "edit"/);
    expect(drift.output).not.toMatch(/[~+-] user_ines/);

    const failed = await up.up();
    expect(failed.output).toMatch(/hugo@acme.test is not a member of organization acme.*people become members/);
    expect(await role("user_jun")).toBe("comment");

    const { "hugo@acme.test": _, ...members } = roles;
    await up.write(all({ ...members, user_ines: "review" }));
    const preview = await done(up.preview("--diff"));
    expect(preview.output).toMatch(/~ user_ines\s*: "edit" => "review"/);
    expect(preview.output).not.toMatch(/[~+-] user_jun/);
    await done(up.up());
    await done(up.preview("--expect-no-changes"));
    await done(up.destroy());
    expect([await role("user_ines"), await role("user_jun")]).toEqual(["read", "read"]);
  });

  it("accepts values that are known only during the up", async () => {
    const up = await stackOf(
      program(
        one("first", "user_ines", "edit"),
        'const first = new docs.MemberRole("second", { user: "user_hugo", role: "review" });',
        'new docs.MemberRoles("all", { roles: { user_jun: first.role.apply((role) => role) }, sso: [first.userId.apply(() => "user_jun")] });',
      ),
    );
    await done(up.preview());
    await done(up.up());
    expect(await client.getMember(at("user_jun"))).toMatchObject({ role: "review", sso: true });
    await done(up.preview("--expect-no-changes"));
  });
});

import { writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { startEmulator } from "../../../provider/emulator";
import { pluginProject } from "../../../scripts/plugin-stack";
import { root, type Stack } from "../../../scripts/stack";
import { ownProcesses } from "../../support/engine-node";
import { engineBench } from "../bench";

const bench = engineBench();
const { done, refused } = bench;

const project = (options = "") => `${pluginProject}${options}`;

/** A program in any language: resources as the engine knows them, without classes of this package. */
const program = (...lines: string[]) => ({
  text: [
    'import * as pulumi from "@pulumi/pulumi";',
    "class Resource extends pulumi.CustomResource {",
    "  constructor(type: string, name: string, args: pulumi.Inputs, options?: pulumi.CustomResourceOptions) {",
    '    super("docs:index:" + type, name, args, options);',
    "  }",
    "}",
    "class Provider extends pulumi.ProviderResource {",
    '  constructor(name: string, args: pulumi.Inputs) { super("docs", name, args); }',
    "}",
    ...lines,
  ].join("\n"),
});
const resource = (type: string, name: string, args: object, options = "{}") =>
  `new Resource("${type}", "${name}", ${JSON.stringify(args)}, ${options});`;

async function stackOf(text: ReturnType<typeof program>, environment = bench.settings()): Promise<Stack> {
  const stack = await bench.stackOf(text, environment);
  await writeFile(path.join(stack.folder, "Pulumi.yaml"), project());
  return stack;
}

const writes = () => bench.emulator.log.filter(({ method }) => method !== "GET").map(({ row }) => row);

describe("a program without classes of the package", () => {
  it("creates, finds drift in a plain preview, corrects it, warns below the resource, and destroys", async () => {
    const environment = { ...bench.settings(), ...ownProcesses };
    const stack = await stackOf(program(resource("Site", "portal", { title: "Portal" })), environment);
    const preview = done(await stack.preview("--diff"), /docs:index:Site: \(create\)/);
    expect(preview.output).not.toContain("__");
    done(await stack.up());
    const [{ id = "", outputs } = {}] = await stack.resources();
    expect(outputs).toMatchObject({ title: "Portal", siteId: id });
    await bench.client.updateSite({ organizationId: "acme", siteId: id, body: { title: "Changed" } });
    bench.emulator.resetRequests();
    done(await stack.preview("--diff"), /~ title: "Changed" => "Portal"/);
    expect(bench.emulator.requests()).toEqual({ getSite: 1 });
    done(await stack.up(), /~ 1 updated/);
    done(await stack.preview("--expect-no-changes"));
    done(await stack.destroy());
    expect(writes()).toEqual(["updateSite", "deleteSite"]);
  });

  it("is refused at preview for a second manager, a person twice, and wrong values", async () => {
    const role = (name: string, user: string) => resource("MemberRole", name, { user, role: "admin" });
    const stack = await stackOf(program(role("ada", "user_ada"), role("again", "user_ada")));
    refused(await stack.preview(), /MemberRole "\w+" and MemberRole "\w+" both manage the role of user_ada/);
    await stack.write(program(role("first", "ada@acme.test"), role("second", "user_ada")));
    bench.emulator.resetRequests();
    refused(
      await stack.preview(),
      /ada@acme.test and user_ada are the same person|user_ada and ada@acme.test are the same/,
    );
    // By id or by e-mail: the engine decides which of the two comes first.
    expect(Object.values(bench.emulator.requests())).toEqual([1]);
    await stack.write(program(resource("Site", "short", { title: "A", colour: "red" })));
    refused(
      await stack.preview(),
      /property title value \{A\} has a problem: found .*\(1 character\); use 2 to 128 characters/,
      /property colour value \{red\} has a problem: there is no such property; remove it or use one of organizationId/,
    );
  });
});

describe("a secret input", () => {
  it("appears in no error, and derived values are encrypted in the state", async () => {
    const role = (user: string, name: string) =>
      `new Resource("MemberRole", "ada", { user: pulumi.secret("${user}"), role: pulumi.secret("${name}") });`;
    const stack = await stackOf(program(role("hushed user", "hushedrole")));
    const { output } = refused(
      await stack.preview(),
      /user: found a text of 11 characters; use/,
      /role: found a text of 10 characters; use one of/,
    );
    expect(output).not.toMatch(/hushed/);

    await stack.write(program(role("hushed@x.test", "admin")));
    expect(refused(await stack.up(), /\[secret\]/).output).not.toMatch(/hushed/);

    await stack.write(program(role("ada@acme.test", "admin")));
    done(await stack.up());
    const [{ outputs = {} } = {}] = await stack.resources();
    const encrypted = { "4dabf18193072939515e22adb298388d": expect.any(String) };
    for (const name of ["user", "role", "email", "displayName", "userId"]) {
      expect([name, outputs[name]]).toEqual([name, expect.objectContaining(encrypted)]);
    }
    done(await stack.preview("--expect-no-changes"));
  });
});

describe("provider objects", () => {
  const object = (name: string, args: Record<string, unknown>) =>
    `const ${name} = new Provider("${name}", { ...${JSON.stringify({ ...args, token: undefined })}, ` +
    `token: pulumi.secret("${args.token}") });`;

  it("each serve an organization without environment variables, with tokens that are encrypted in the state", async () => {
    const other = await startEmulator({ organizationId: "other" });
    const own = { baseUrl: bench.emulator.url, organizationId: "acme", token: bench.emulator.token };
    const second = { baseUrl: other.url, organizationId: "other", token: other.token };
    const declared = program(
      object("first", own),
      object("second", second),
      resource("Site", "a", { title: "First" }, "{ provider: first }"),
      resource("Site", "b", { title: "Second" }, "{ provider: second }"),
    );
    try {
      const stack = await stackOf(declared, {});
      done(await stack.up());
      expect((await stack.resources()).map(({ outputs }) => outputs.organizationId).sort()).toEqual(["acme", "other"]);
      const state = await stack.stateFile();
      for (const { token } of [own, second]) expect(state).not.toContain(token);
      done(await stack.destroy());
    } finally {
      await other.close();
    }
  });

  it("keep access that moves to another one: the deletion is refused, and the solution of the message works", async () => {
    const own = { baseUrl: bench.emulator.url, organizationId: "acme", token: bench.emulator.token };
    const membership = { teamId: "team_support", user: "user_ada", role: "member" };
    const byDefault = (name: string) => resource("TeamMembership", name, membership);
    const moved = (name: string) => resource("TeamMembership", name, membership, "{ provider: own }");
    const stack = await stackOf(program(byDefault("tm1")));
    done(await stack.up());
    const isMember = async () => {
      const members = await bench.client.listTeamMembers({ organizationId: "acme", teamId: "team_support" });
      return JSON.stringify(members).includes("user_ada");
    };
    expect(await isMember()).toBe(true);

    await stack.write(program(object("own", own), moved("tm2")));
    const words =
      /the state records the default provider for it, and the provider object "own" manages organization acme/;
    refused(await stack.up(), words);
    expect(await isMember()).toBe(true);
    const urn = (await stack.resources()).find((one) => one.urn.endsWith("tm1"))?.urn ?? "";
    done(await stack.run("state", "delete", urn, "--yes"));
    done(await stack.up());
    done(await stack.preview("--expect-no-changes"));
    expect(await isMember()).toBe(true);
  });

  it("keep their organization: a change is refused before it is recorded, and the corrected program works", async () => {
    const own = { baseUrl: bench.emulator.url, organizationId: "acme", token: bench.emulator.token };
    const site = resource("Site", "portal", { title: "Kept" }, "{ provider: own }");
    const stack = await stackOf(program(object("own", own), site), {});
    done(await stack.up("--refresh"));
    await stack.write(program(object("own", { ...own, organizationId: "beta" }), site));
    refused(
      await stack.up("--refresh"),
      /the provider object "own" of this stack manages organization acme, but its organizationId/,
    );
    await stack.write(program(object("own", own), site));
    done(await stack.up("--refresh"));
    done(await stack.preview("--expect-no-changes"));
  });
});

describe("commands without a program", () => {
  it("pulumi do reads, and changes nothing outside a stack; ignoring the protection deletes", async () => {
    const stack = await stackOf(program(resource("Site", "kept", { title: "Protected book" }, "{ protect: true }")));
    done(await stack.up());
    const [{ id = "" } = {}] = await stack.resources();
    bench.emulator.resetRequests();
    const plugin = path.join(root, "plugin", "pulumi-resource-docs");
    const direct = (type: string, ...args: string[]) =>
      stack.run("do", "--package", plugin, "--stateless", `docs:index:${type}`, ...args);
    done(await direct("Site", "read", id), /title +: "Protected book"/);
    const changes = [
      ["Site", "delete", id],
      ["Site", "patch", id, "--title", "Changed"],
      ["Site", "create", "--title", "Second"],
    ] as const;
    const refusal =
      /pulumi do --stateless would change the organization without a stack, .* run pulumi up or docs-org up/;
    for (const [type, ...args] of changes) refused(await direct(type, ...args, "--yes"), refusal);
    refused(await stack.destroy(), /cannot be deleted/);
    expect(writes()).toEqual([]);
    stack.environment.PULUMI_OPTION_IGNORE_PROTECT = "true";
    done(await stack.destroy(), "- 2 deleted");
    expect(writes()).toEqual(["deleteSite"]);
  });
});

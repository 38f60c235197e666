import path from "node:path";
import { describe, expect, it } from "vitest";
import { pluginStack } from "../../../scripts/plugin-stack";
import { root, type Stack } from "../../../scripts/stack";
import { ownProcesses } from "../../support/engine-node";
import { engineBench } from "../bench";

const bench = engineBench();
const { done, refused } = bench;

/** A program in any language: resources as the engine knows them, without classes of this package. */
const program = (...lines: string[]) => ({
  text: [
    'import * as pulumi from "@pulumi/pulumi";',
    "class Resource extends pulumi.CustomResource {",
    "  constructor(type: string, name: string, args: pulumi.Inputs, options?: pulumi.CustomResourceOptions) {",
    '    super("docs:index:" + type, name, args, options);',
    "  }",
    "}",
    ...lines,
  ].join("\n"),
});
const resource = (type: string, name: string, args: object, options = "{}") =>
  `new Resource("${type}", "${name}", ${JSON.stringify(args)}, ${options});`;

const stackOf = (text: ReturnType<typeof program>, environment = bench.settings()): Promise<Stack> =>
  bench.stackOf(text, environment, pluginStack);

const writes = () => bench.emulator.log.filter(({ method }) => method !== "GET").map(({ row }) => row);

describe("a program without classes of the package", () => {
  it("creates, finds drift in a plain preview, corrects it, reads with pulumi do, and deletes without the protection", async () => {
    const environment = { ...bench.settings(), ...ownProcesses };
    const stack = await stackOf(
      program(resource("Site", "portal", { title: "Portal" }, "{ protect: true }")),
      environment,
    );
    const created = done(await stack.up("--diff"), /docs:index:Site: \(create\)/);
    expect(created.output).not.toContain("__");
    const [{ id = "", outputs } = {}] = await stack.resources();
    expect(outputs).toMatchObject({ title: "Portal", siteId: id });
    await bench.client.updateSite({ organizationId: "acme", siteId: id, body: { title: "Changed" } });
    bench.emulator.resetRequests();
    done(await stack.preview("--diff"), /~ title: "Changed" => "Portal"/);
    expect(bench.emulator.requests()).toEqual({ getSite: 1 });
    done(await stack.up(), /~ 1 updated/);

    const plugin = path.join(root, "plugin", "pulumi-resource-docs");
    const direct = (type: string, ...args: string[]) =>
      stack.run("do", "--package", plugin, "--stateless", `docs:index:${type}`, ...args);
    done(await direct("Site", "read", id), /title +: "Portal"/);
    const refusal =
      /pulumi do --stateless would change the organization without a stack, .* run pulumi up or docs-org up/;
    refused(await direct("Site", "delete", id, "--yes"), refusal);
    refused(await direct("Site", "create", "--title", "Second", "--yes"), refusal);
    stack.environment.PULUMI_OPTION_IGNORE_PROTECT = "true";
    done(await stack.destroy(), "- 2 deleted");
    expect(writes()).toEqual(["updateSite", "deleteSite"]);
  });

  it("is refused at preview for wrong values", async () => {
    const stack = await stackOf(program(resource("Site", "short", { title: "A", colour: "red" })));
    refused(
      await stack.preview(),
      /property title value \{A\} has a problem: found .*\(1 character\); use 2 to 128 characters/,
      /property colour value \{red\} .* no such property; .* organizationId/,
    );
  });
});

it("shows a secret input in no error, and encrypts derived values in the state", async () => {
  const role = (user: string, name: string) =>
    `new Resource("MemberRole", "ada", { user: pulumi.secret("${user}"), role: pulumi.secret("${name}") });`;
  const stack = await stackOf(program(role("hushed user", "hushedrole")));
  const { output } = refused(
    await stack.preview(),
    /user: found a text of 11 characters; use/,
    /role: found a text of 10 characters; use one of/,
  );
  expect(output).not.toMatch(/hushed/);

  await stack.write(program(role("ada@acme.test", "admin")));
  done(await stack.up());
  const [{ outputs = {} } = {}] = await stack.resources();
  const encrypted = { "4dabf18193072939515e22adb298388d": expect.any(String) };
  for (const name of ["user", "role", "email", "displayName", "userId"]) {
    expect([name, outputs[name]]).toEqual([name, expect.objectContaining(encrypted)]);
  }
});

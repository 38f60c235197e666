import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { pluginStack } from "../../../scripts/plugin-stack";
import type { ResourceState, Stack } from "../../../scripts/stack";
import { latest, rows, seedOfVersion } from "../../states/everything";
import { engineBench } from "../bench";

/** The only resource whose id does not say what it manages. */
const [roles] = rows.filter(({ resource }) => resource === "MemberRoles");
const existing = rows
  .filter((row) => row !== roles)
  .map(({ resource, name, id }) => ({ type: `docs:index:${resource}`, name, id }));
const options = ["--protect=false", "--generate-code=false", "--yes", "--skip-preview"];

const bench = engineBench(async () => ({ seed: await seedOfVersion(latest) }));
const { stackOf, done, refused, takeWrites } = bench;
const emptyStack = () => stackOf({ text: "" }, bench.settings(), pluginStack);

const imported = async (stack: Stack) => (await stack.resources()).filter(({ id }) => id !== undefined);
const idsOf = (all: readonly { readonly type: string; readonly id?: string }[]) =>
  all.map(({ type, id }) => `${type} ${id}`).sort();

/** The program that declares what was imported, as `pulumi import` writes it. */
function declared(resources: readonly ResourceState[]): string {
  const lines = resources.map(({ urn, type, id, inputs }) => {
    const name = JSON.stringify(urn.split("::").at(-1));
    return `new docs.${type.split(":").at(-1)}(${name}, ${JSON.stringify(inputs)}, { import: ${JSON.stringify(id)} });`;
  });
  return ['import * as docs from "pulumi-docs-org/plugin";', ...lines].join("\n");
}

it("imports every resource by type, name and id: with a file, and the option import", async () => {
  const stack = await emptyStack();
  await writeFile(path.join(stack.folder, "import.json"), JSON.stringify({ resources: existing }));
  done(await stack.run("import", "--file", "import.json", ...options));
  const byFile = await imported(stack);
  expect(idsOf(byFile)).toEqual(idsOf(existing));

  done(await stack.run("state", "delete", "--all", "--force", "--yes"));
  await stack.write({ text: declared(byFile) });
  expect(done(await stack.up()).output).toMatch(`= ${existing.length} imported`);
  expect(idsOf(await imported(stack))).toEqual(idsOf(existing));
  done(await stack.preview("--expect-no-changes"));
  expect(takeWrites()).toEqual([]);
});

it("refuses an id that does not say what it manages", async () => {
  const stack = await emptyStack();
  refused(
    await stack.run("import", "docs:index:MemberRoles", "writers", "acme/roles", ...options),
    /MemberRoles cannot be imported: .*"acme\/roles" .*; declare it without an import, which sends nothing if /,
  );
});

it("imports children of a component for a program that declares only some properties, and reads unmanaged objects", async () => {
  const program = [
    'import * as pulumi from "@pulumi/pulumi";',
    'import * as docs from "pulumi-docs-org/plugin";',
    'const parent = new pulumi.ComponentResource("acme:index:Group", "group");',
    'new docs.Site("handbook", { title: "Handbook" }, { parent, import: "site_handbook" });',
    'const site = docs.Site.get("live", "site_product");',
    'const { roles } = docs.MemberRoles.get("live", "acme/roles", { roles: { "cem@acme.test": "create" } });',
    'export const found = pulumi.all([site.title, site.proxy]).apply(([title, proxy]) => title + ", " + (proxy ?? "no proxy"));',
    "export { roles };",
  ];
  const stack = await stackOf({ text: program.join("\n") }, bench.settings(), pluginStack);
  const { output } = done(await stack.up());
  expect(output).toMatch("= 1 imported");
  expect(output).not.toMatch("updated");
  expect(await stack.outputs()).toEqual({ found: "Product docs, no proxy", roles: { "cem@acme.test": "create" } });
  // What the program omits is not managed.
  Object.assign(bench.emulator.state.organizations.get("acme")?.sites.get("site_handbook") ?? {}, {
    basename: "moved",
  });
  done(await stack.preview("--refresh", "--expect-no-changes"));
  expect(takeWrites()).toEqual([]);
});

import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as definitions from "../../../provider/definitions";
import { type Emulator, startEmulator } from "../../../provider/emulator";
import { pluginStack } from "../../../scripts/plugin-stack";
import type { Outcome, ResourceState, Stack } from "../../../scripts/stack";
import { latest, rows, seedOf } from "../../states/everything";

/** The only resource whose id does not say what it manages. */
const [roles] = rows.filter(({ resource }) => resource === "MemberRoles");
const existing = rows
  .filter((row) => row !== roles)
  .map(({ resource, name, id }) => ({ type: `docs:index:${resource}`, name, id }));
const options = ["--protect=false", "--generate-code=false", "--yes", "--skip-preview"];

describe("an import through the plugin", () => {
  let emulator: Emulator;
  let stack: Stack;
  beforeAll(async () => {
    emulator = await startEmulator({ seed: await seedOf(latest) });
    const { url, token, organizationId } = emulator;
    stack = await pluginStack(
      { text: "" },
      { DOCS_BASE_URL: url, DOCS_TOKEN: token, DOCS_ORGANIZATION_ID: organizationId },
    );
  });
  afterAll(async () => {
    await stack.remove();
    await emulator.close();
  });

  const done = ({ status, output }: Outcome): string => {
    if (status !== 0) throw new Error(output);
    return output;
  };
  const writes = () => emulator.log.filter(({ method }) => method !== "GET");
  const forget = async () => done(await stack.run("state", "delete", "--all", "--force", "--yes"));

  const imported = async () => (await stack.resources()).filter(({ id }) => id !== undefined);
  const idsOf = (all: readonly { readonly type: string; readonly id?: string }[]) =>
    all.map(({ type, id }) => `${type} ${id}`).sort();

  const nameOf = ({ urn }: Pick<ResourceState, "urn">) => urn.split("::").at(-1) ?? "";

  /** The program that declares what was imported, as `pulumi import` writes it. */
  function declared(resources: readonly ResourceState[]): string {
    const lines = resources.map(({ urn, type, id, inputs }) => {
      const name = JSON.stringify(nameOf({ urn }));
      return `new docs.${type.split(":").at(-1)}(${name}, ${JSON.stringify(inputs)}, { import: ${JSON.stringify(id)} });`;
    });
    return ['import * as docs from "pulumi-docs-org/plugin";', ...lines].join("\n");
  }

  it("has a test for every resource", () => {
    const tested = new Set(rows.map(({ resource }) => resource));
    expect([...tested].sort()).toEqual(Object.keys(definitions).sort());
  });

  it("imports every resource by type, name and id: with a file, and the option import", async () => {
    await writeFile(path.join(stack.folder, "import.json"), JSON.stringify({ resources: existing }));
    done(await stack.run("import", "--file", "import.json", ...options));
    const byFile = await imported();
    expect(idsOf(byFile)).toEqual(idsOf(existing));

    await forget();
    await stack.write({ text: declared(byFile) });
    expect(done(await stack.up())).toMatch(`= ${existing.length} imported`);
    expect(idsOf(await imported())).toEqual(idsOf(existing));
    done(await stack.preview("--expect-no-changes"));
    expect(writes()).toEqual([]);
  });

  it("refuses an id that does not say what it manages", async () => {
    const { status, output } = await stack.run("import", "docs:index:MemberRoles", "writers", "acme/roles", ...options);
    expect(status).not.toBe(0);
    expect(output).toContain(
      'MemberRoles cannot be imported: the id "acme/roles" does not say what it manages; declare it without an import, which ' +
        "sends nothing if the declared values are live",
    );
  });

  it("imports children of a component for a program that declares only some properties, and reads unmanaged objects", async () => {
    await forget();
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
    await stack.write({ text: program.join("\n") });
    const output = done(await stack.up());
    expect(output).toMatch("= 1 imported");
    expect(output).not.toMatch("updated");
    expect(await stack.outputs()).toEqual({ found: "Product docs, no proxy", roles: { "cem@acme.test": "create" } });
    // What the program omits is not managed.
    Object.assign(emulator.state.organizations.get("acme")?.sites.get("site_handbook") ?? {}, { basename: "moved" });
    done(await stack.preview("--refresh", "--expect-no-changes"));
    expect(writes()).toEqual([]);
  });
});

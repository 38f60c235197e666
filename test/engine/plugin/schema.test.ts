import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { pluginStack } from "../../../scripts/plugin-stack";
import { root } from "../../../scripts/stack";
import { engineBench, program } from "../bench";

const bench = engineBench();
const { done } = bench;

it("gives the engine a schema that it accepts", async () => {
  const stack = await bench.stackOf(program());
  const executable = path.join(root, "plugin", "pulumi-resource-docs");
  const { stdout } = done(await stack.run("package", "get-schema", executable));
  const schema = JSON.parse(stdout.slice(stdout.indexOf("{")));
  expect(schema).toMatchObject({ name: "docs", version: require("../../../package.json").version });
  expect(Object.keys(schema.resources)).toContain("docs:index:Site");
  // Stricter than the engine: it reports what a code generator would stumble over.
  await writeFile(path.join(stack.folder, "schema.json"), JSON.stringify(schema));
  done(await stack.run("schema", "check", "schema.json"));
});

/** A program that calls functions by their tokens, as a generated SDK does. */
const calling = (...lines: string[]) => ({ text: ['import * as pulumi from "@pulumi/pulumi";', ...lines].join("\n") });
const call = (name: string, args: string) => `pulumi.runtime.invokeOutput<any>("docs:index:${name}", ${args})`;

it("answers functions of a program, and keeps the result of a secret argument secret", async () => {
  const stack = await bench.stackOf(
    calling(
      `export const found = ${call("getSites", '{ title: "Hand" }')}.items.apply((sites: any[]) => sites.map(({ id }) => id));`,
      `export const hidden = ${call("getPublishedSite", '{ siteId: "site_product", shareKey: pulumi.secret("key") }')}.site.title;`,
    ),
    bench.settings(),
    pluginStack,
  );
  done(await stack.up(), /hidden *: \[secret\]/);
  expect(await stack.outputs()).toMatchObject({ found: ["site_handbook"] });
});

it("answers lookups of a TypeScript program with the settings of a provider object, also in its first preview", async () => {
  const { url: baseUrl, token, organizationId } = bench.emulator;
  const lines = [
    'import * as docs from "pulumi-docs-org/plugin";',
    `const provider = new docs.Provider("own", ${JSON.stringify({ baseUrl, token, organizationId })});`,
    'export const found = docs.getSitesOutput({ title: "Hand" }, { provider }).apply((all) => all.map(({ id }) => id));',
    `docs.getSite({ siteId: "site_product" }, { provider }).then(({ title }) => console.log("read " + title));`,
  ];
  const stack = await bench.stackOf({ text: lines.join("\n") }, {}, pluginStack);
  done(await stack.preview(), /read Product docs/, /"site_handbook"/);
});

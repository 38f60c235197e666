import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { engineBench } from "../bench";
import { pluginStack } from "./plugin-stack";

const bench = engineBench();
const site = (name: string) => `import * as docs from "pulumi-docs-org/plugin";\nnew docs.Site("${name}", { title: "Portal" });`;
it("x", async () => {
  const stack = await pluginStack(site("portal"), bench.settings());
  try {
  console.info((await stack.up()).output);
  await stack.write({ text: site("front") });
  console.info((await stack.preview()).output);
  console.info((await stack.up()).output);
  await stack.setConfig("docs:organizationId", "acme");
  console.info((await stack.up()).output);
  } finally { await stack.remove(); }
});

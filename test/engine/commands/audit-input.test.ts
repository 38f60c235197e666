import { spawnSync } from "node:child_process";
import path from "node:path";
import { expect, it } from "vitest";
import { exported } from "../../audit/support";

const cli = path.join(__dirname, "..", "..", "..", "dist", "cli", "index.js");
const settings = { DOCS_BASE_URL: "http://127.0.0.1:1", DOCS_TOKEN: "secret", DOCS_ORGANIZATION_ID: "acme" };

it.each([[[]], [["--state", "-"]]])("reads a state from the standard input: %j", (args) => {
  const input = exported("b", { type: "Site", outputs: { organizationId: "globex" } });
  const env = { ...process.env, ...settings };
  const { status, stderr } = spawnSync(process.execPath, [cli, "audit", ...args], { input, env, encoding: "utf8" });
  expect([status, stderr]).toEqual([
    1,
    'docs-org: the standard input: stack docs/b manages organization globex, and the settings name "acme"; correct ' +
      "DOCS_ORGANIZATION_ID, or use the state of a stack of this organization\n",
  ]);
});

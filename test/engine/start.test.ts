import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { startEmulator } from "../../provider/emulator";
import { projectFiles } from "../../provider/export/project";
import { Stack } from "../../scripts/stack";
import { ownProcesses } from "../support/engine-node";
import { pluginFile } from "../support/engine-node/plugin";
import { settingsOf } from "../support/settings";

/** What an export writes for a program with the dynamic host. */
const files = projectFiles({
  name: "docs-org-test",
  target: { host: "dynamic", format: "resources" },
  organization: { organization: "acme" },
  children: [],
});
const exported = (name: string) => files.get(name) ?? "";

let stack: Stack;
let cache: string;
beforeEach(async () => {
  stack = await Stack.create({ text: "" });
  cache = await mkdtemp(path.join(stack.folder, "cache-"));
  await stack.linkPackage();
  await write("Pulumi.yaml", exported("Pulumi.yaml"));
});
afterEach(() => stack.remove());

const write = (name: string, text: string) => writeFile(path.join(stack.folder, name), text);
const kept = (folder: string) => readdir(path.join(cache, "pulumi-docs-org", folder)).catch(() => []);

async function node(environment: NodeJS.ProcessEnv = {}, ...before: string[]) {
  const args = [...before, "--require=pulumi-docs-org/start", "./index.ts"];
  return stack.execute(process.execPath, args, { XDG_CACHE_HOME: cache, ...environment });
}

const telling = (value: string) => `
import { one } from "./other";
enum Kind { value = ${value} }
const loaded = Object.keys(require.cache).some((file) => /[\\\\/]typescript[\\\\/]lib/.test(file));
console.log(Kind.value, loaded ? "compiled" : "kept", one.join());
`;

describe("pulumi-docs-org/start", () => {
  it("compiles each file once, and again when it, the settings or what they extend have changed", async () => {
    await write(
      "other.ts",
      "export class Other { declare a: string; b?: number }\nexport const one = Object.keys(new Other());\n",
    );
    await write("index.ts", telling("1"));
    await write("tsconfig.json", '{ "extends": "./base.json", "compilerOptions": { "module": "node16" } }');
    await write("base.json", '{ "compilerOptions": { "target": "es2022", "useDefineForClassFields": false } }');
    const printed = async () => (await node()).output;
    expect(await printed()).toBe("1 compiled \n");
    expect(await printed()).toBe("1 kept \n");
    expect(await kept("programs")).toHaveLength(2);
    await write("index.ts", telling("2"));
    expect(await printed()).toBe("2 compiled \n");
    // The field b exists from now on: es2022 defines fields that have no value.
    await write("base.json", '{ "compilerOptions": { "target": "es2022" } }');
    expect(await printed()).toBe("2 compiled b\n");
    expect(await printed()).toBe("2 kept b\n");
    expect(await kept("programs")).toHaveLength(2);
  });

  it("runs a program also without a place for what it compiles, and with damaged files there", async () => {
    await write("index.ts", 'const text: string = "hello"; console.log(text);');
    expect((await node({ XDG_CACHE_HOME: "/dev/null/cache" })).output).toBe("hello\n");
    expect((await node()).output).toBe("hello\n");
    const [file = ""] = await kept("programs");
    const place = path.join(cache, "pulumi-docs-org", "programs", file);
    for (const damaged of ["", (await readFile(place, "utf8")).slice(0, 40)]) {
      await writeFile(place, damaged);
      expect((await node()).output).toBe("hello\n");
    }
  });

  it("names the place of a mistake, and the lines of the source in a stack", async () => {
    await write("index.ts", "const a = 1;\nconst b = = a;\n");
    expect((await node()).stderr).toContain("SyntaxError: index.ts(2,11): error TS1109: Expression expected.");
    await write("index.ts", '\ninterface Long {\n  a: string;\n}\n\nthrow new Error("boom");\n');
    for (const _ of ["compiled", "kept"]) {
      const { stderr } = await node({}, "--require=source-map-support/register");
      expect(stderr).toContain(`${path.join(stack.folder, "index.ts")}:6:7`);
    }
    await write("tsconfig.json", "{ compilerOptions: { target: 5 } }");
    expect((await node()).stderr).toContain("tsconfig.json(1,");
  });

  it("lets the SDK load TypeScript and npm's own modules only when a function is serialized", async () => {
    await write(
      "index.ts",
      `import * as pulumi from "@pulumi/pulumi";
const loaded = () => ["typescript", "@npmcli/arborist"].filter((name) =>
  Object.keys(require.cache).some((file) => file.includes("node_modules/" + name + "/")));
const before = loaded();
const greeting = "hello";
pulumi.runtime.serializeFunction(() => greeting).then(({ text }) => console.log(before, loaded(), text.includes("hello")));
`,
    );
    await node();
    expect((await node()).output).toContain("[] [ 'typescript' ] true");
  });

  // An older language host does not load pulumi-docs-org/start.
  it.each(["pulumi-docs-org", "pulumi-docs-org/plugin"])(
    "is not needed by a program that imports %s: the package itself lets these modules load late",
    async (name) => {
      const script = `
const { _load: load } = require("node:module");
const docs = require("${name}");
const late = /@npmcli.arborist|normalize-package-data|typescript.lib|pulumi.automation|zod.v4.locales.(?!en.cjs)/;
const loaded = () => Object.keys(require.cache).filter((file) => late.test(file)).length;
const before = loaded();
const { automation } = require("@pulumi/pulumi");
const { z } = require("zod");
console.log(typeof docs.Site, before, typeof automation.LocalWorkspace, typeof z.locales.de, loaded() > 0);
console.log(require("node:module")._load === load);`;
      const { output } = await stack.execute(process.execPath, ["-e", script]);
      expect(output).toBe("function 0 function function true\ntrue\n");
    },
  );
});

describe("a project with the settings of an export", () => {
  const program = `
import * as pulumi from "@pulumi/pulumi";
import * as docs from "pulumi-docs-org";
const id = "from the program";
class Own extends pulumi.dynamic.Resource {
  constructor(name: string) {
    super({ create: async () => ({ id, outs: {} }) }, name, {});
  }
}
new docs.Site("handbook", { title: "Handbook of the program" });
export const own = new Own("own").id;
// The type is wrong, because nothing may check it.
export const compiler: number = Object.keys(require.cache).some((file) => file.includes("/ts-node/")) ? "ts-node" : "start";
`;

  it("runs resources of the package and dynamic resources of the program", async () => {
    const emulator = await startEmulator();
    onTestFinished(() => emulator.close());
    Object.assign(stack.environment, settingsOf(emulator), { XDG_CACHE_HOME: cache, ...ownProcesses });
    await write("index.ts", program);
    const up = await stack.up();
    expect(up.status, up.output).toBe(0);
    expect(up.output).toMatch(/own *: "from the program"/);
    expect(up.output).toMatch(/compiler *: "start"/);
    expect(emulator.log.filter(({ method }) => method === "POST")).toHaveLength(1);
    // A language host of another age than the CLI ignores the options, and ts-node, which is installed, compiles and checks.
    await write("index.ts", program.replace("compiler: number", "compiler: string"));
    const ignoring = { PULUMI_LANGUAGE_NODEJS_RUN_PATH: "", PULUMI_NODEJS_TRANSPILE_ONLY: "" };
    Object.assign(stack.environment, ignoring);
    await write("tsconfig.json", exported("tsconfig.json"));
    const ignored = await stack.up();
    expect(ignored.status, ignored.output).toBe(0);
    expect(ignored.output).toMatch(/compiler *: "start" => "ts-node"/);
  });
});

describe("the start of the plugin", () => {
  /** Starts the plugin and waits until it has kept what V8 compiled. */
  async function start(): Promise<string> {
    const wait = `const { spawn } = require("node:child_process");
const plugin = spawn(process.execPath, [${JSON.stringify(pluginFile)}]);
plugin.stdout.once("data", (port) => { console.log(/^\\d+\\n$/.test(port)); setTimeout(() => plugin.kill("SIGTERM"), 700); });
plugin.stderr.pipe(process.stderr);`;
    return (await stack.execute(process.execPath, ["-e", wait], { XDG_CACHE_HOME: cache })).output;
  }

  it("keeps what V8 has compiled, and does not run damaged code", async () => {
    expect(await start()).toBe("true\n");
    const [file = "", ...others] = await kept("code");
    expect(others).toEqual([]);
    const place = path.join(cache, "pulumi-docs-org", "code", file);
    const first = await readFile(place);
    expect(await start()).toBe("true\n");
    expect(await readFile(place)).toEqual(first);
    await writeFile(place, Buffer.concat([first.subarray(0, 5000), Buffer.alloc(first.length - 5000)]));
    expect(await start()).toBe("true\n");
    expect((await readFile(place)).subarray(5000)).not.toEqual(Buffer.alloc(first.length - 5000));
    await rm(path.join(cache, "pulumi-docs-org"), { recursive: true });
  });
});

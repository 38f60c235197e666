import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { run } from "../../provider/cli/program";

const root = join(__dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "emulate-"));

/** The package as it is installed, compiled once: a compiler in each process would take most of the test's time. */
beforeAll(async () => {
  for (const name of ["package.json", "node_modules", "examples"]) symlinkSync(join(root, name), join(folder, name));
  const sources = readdirSync(join(root, "provider"), { recursive: true, encoding: "utf8" });
  await build({
    entryPoints: sources.filter((name) => name.endsWith(".ts")).map((name) => join(root, "provider", name)),
    outdir: join(folder, "dist"),
    format: "cjs",
    platform: "node",
    target: "node20",
  });
}, 60_000);

afterAll(() => rmSync(folder, { recursive: true }));

/** The command as a process of its own, with that DOCS_TOKEN. */
function start(token: string | undefined, ...args: string[]) {
  const command = [join(folder, "dist/cli/index.js"), "emulate", ...args];
  const { DOCS_TOKEN: _, ...others } = process.env;
  const env = token === undefined ? others : { ...others, DOCS_TOKEN: token };
  const child = spawn(process.execPath, command, { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const written = { stdout: "", stderr: "" };
  child.stderr.on("data", (data) => {
    written.stderr += data;
  });
  const line = new Promise<string>((resolve) => {
    child.stdout.on("data", (data) => {
      written.stdout += data;
      if (written.stdout.includes("\n")) resolve(written.stdout.split("\n", 1)[0] as string);
    });
  });
  const exit = once(child, "close").then(([code]) => ({ code, ...written }));
  return { child, exit, line };
}

/** The command in this process: its exit status and what it says on stderr. */
async function mistake(...args: string[]): Promise<[number, string]> {
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  onTestFinished(() => write.mockRestore());
  const code = await run(args);
  return [code, write.mock.calls.map(([text]) => text).join("")];
}

test("it prints one JSON line, applies the options, and ends with 0 at SIGTERM", async () => {
  const seed = join(folder, "seed.yaml");
  writeFileSync(seed, "organizations:\n  one: {}\n  two: { sites: [{ id: site_1, title: Docs }] }\n");
  const options = ["--seed", seed, "--token", "secret", "--organization", "two", "--rate", "0.1", "--latency", "100"];
  const { child, exit, line } = start(undefined, ...options, "--version", "0.202", "--reading", "lastPage=null");
  const { url, ...others } = JSON.parse(await line);
  expect(others).toEqual({ token: "secret", organizationId: "two" });
  const read = () => fetch(`${url}/v1/orgs/two/sites/site_1`, { headers: { authorization: "Bearer secret" } });
  const before = performance.now();
  const [answer, limited] = await Promise.all([read(), read()]);
  expect(performance.now() - before).toBeGreaterThan(95);
  expect([answer.status, limited.status].sort()).toEqual([200, 429]);
  // Only the newer version has appliedType.
  expect(await (answer.status === 200 ? answer : limited).json()).toMatchObject({ appliedType: "basic" });
  const described = JSON.parse(await (await fetch(`${url}/_emulator`)).text());
  expect(described.version).toBe("0.202");
  expect(described.operations).toContainEqual({
    row: "getSite",
    method: "GET",
    path: "/v1/orgs/{organizationId}/sites/{siteId}",
  });
  expect(Object.keys(described.faults).join(" ")).toBe("row times skip delay status headers body reset damage");
  expect(described.control).toContainEqual({ method: "POST", path: "/_emulator/faults", does: "adds a fault" });
  child.kill("SIGTERM");
  const { code, stdout, stderr } = await exit;
  expect({ code, stderr, lines: stdout.split("\n").length }).toEqual({ code: 0, stderr: "", lines: 2 });
});

test("without options, it has a random token and the built-in organization; SIGINT ends it", async () => {
  const { child, exit, line } = start("");
  const { url, token, organizationId } = JSON.parse(await line);
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(token).toMatch(/^token_\w{20}$/);
  const answer = await fetch(`${url}/v1/orgs/${organizationId}/sites`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(answer.status).toBe(200);
  child.kill("SIGINT");
  expect((await exit).code).toBe(0);
});

test.each<[string, string[], string]>([
  ["the environment", [], "from-environment"],
  ["the command line", ["--token", "from-option"], "from-option"],
])("the token comes from %s", async (_, options, expected) => {
  const { child, exit, line } = start("from-environment", ...options);
  const { url, token, organizationId } = JSON.parse(await line);
  expect(token).toEqual(expected);
  if (expected !== "from-option") expect(child.spawnargs.join(" ")).not.toContain(token);
  const answer = await fetch(`${url}/v1/orgs/${organizationId}/sites`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(answer.status).toBe(200);
  child.kill("SIGTERM");
  expect(await exit).toMatchObject({ code: 0, stderr: "" });
});

test("an invalid token is refused without being shown", async () => {
  vi.stubEnv("DOCS_TOKEN", "two words");
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await mistake("emulate")).toEqual([2, expect.toHaveWording("an invalid token")]);
});

test.each([
  [["--port", "70000"], /^docs-org: .*argument '70000' is invalid\. Use a whole number from 0 to 65535\.\n$/],
  [["--prt", "1"], /^docs-org: unknown option '--prt' \(Did you mean --port\?\)\n$/],
  [["--rate", "0"], /^docs-org: option '--rate <number>' argument '0' is invalid\. Use a number above 0\.\n$/],
  [["--latency", "1s"], /^docs-org: .*argument '1s' is invalid\. Use a whole number of milliseconds\.\n$/],
  [["--token", "a b"], /^docs-org: --token is not a token; use printable characters without spaces\n$/],
  [["--version", "0.2"], /^docs-org: .*argument '0\.2' is invalid\. Allowed choices are 0\.146, 0\.202\.\n$/],
  [
    ["--reading", "count=none"],
    /^docs-org: .*argument 'count=none' is invalid\. Use count=total or count=page or count=absent\.\n$/,
  ],
  [
    ["--reading", "counts=all"],
    /^docs-org: .*argument 'counts=all' is invalid\. Use one of lastPage, .*, as NAME=VALUE\.\n$/,
  ],
  [
    ["--caller", "nobody"],
    /^docs-org: the organization "\w+" has no member "nobody"; use --caller with the id of a member\n$/,
  ],
  [["--members", "-1"], /^docs-org: .*argument '-1' is invalid\. Use a whole number from 0 to 1000000\.\n$/],
  [["--seed", "nowhere.yaml"], /^docs-org: could not read the seed file nowhere\.yaml: there is no such file; /],
  [["--seed", "biome.json"], /^docs-org: biome\.json:\d+:\d+: organizations: missing; use an object\n/],
  [["more"], /^docs-org: too many arguments for 'emulate'\. Expected 0 arguments but got 1\.\n$/],
  [
    ["--read-lag", "lists=10"],
    /^docs-org: .*argument 'lists=10' is invalid\. Use lists=10s, all=10s or the name of an operation that reads; units are ms, s and m\.\n$/,
  ],
  [["--read-lag", "list=10s"], /^docs-org: readLag\.list: there is no such property; did you mean "lists"\?\n$/],
])("emulate %j is refused with 2", async (args, sentence) => {
  expect(await mistake("emulate", ...args)).toEqual([2, expect.stringMatching(sentence)]);
});

test("a port in use is reported in one sentence", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void taken.close());
  await once(taken, "listening");
  const { port } = taken.address() as { port: number };
  const sentence = `could not serve on port ${port}: listen EADDRINUSE: address already in use 127.0.0.1:${port}; use another port, or 0 for any free port`;
  expect(await mistake("emulate", "--port", String(port))).toEqual([1, `docs-org: ${sentence}\n`]);
});

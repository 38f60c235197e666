import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Check } from "../../provider/doctor/check";
import { checkNode, checkVariables } from "../../provider/doctor/machine";
import { packageVersion } from "../../provider/run/package";
import { docsOrg, emulate, freshFolder } from "../support/docs-org";
import { serve } from "../support/http-server";

/** The findings of these checks, with the settings of the environment. */
async function find(...names: string[]): Promise<{ status: number; findings: (Check | undefined)[] }> {
  const { status, stdout } = await docsOrg("doctor", "--format", "json");
  const all: Check[] = JSON.parse(stdout);
  return { status, findings: names.map((name) => all.find((one) => one.name === name)) };
}

const ok = { status: "ok" };
const wrong = (text: string | RegExp) => ({ status: "wrong", text: expect.stringMatching(text) });

/** A home without a login, and a PATH with an engine of this version and `more` programs. */
function machine(version: string, ...more: string[]) {
  const home = freshFolder();
  for (const [name, text] of [["pulumi", `echo v${version}`], ...more.map((one) => [one, ""])] as const) {
    const file = path.join(home, name);
    writeFileSync(file, `#!/bin/sh\n${text}\n`);
    chmodSync(file, 0o755);
  }
  const others = { PULUMI_BACKEND_URL: "", PULUMI_ACCESS_TOKEN: "", XDG_CACHE_HOME: path.join(home, "cache") };
  Object.assign(process.env, { PATH: `${home}:/usr/bin:/bin`, PULUMI_HOME: path.join(home, ".pulumi"), ...others });
  return home;
}

test("says what was found, a line each", async () => {
  const emulator = await emulate();
  const home = machine("3.270.1", "pulumi-language-nodejs");
  const { stdout } = await docsOrg("doctor");
  const stable = stdout.replace(process.versions.node, "NODE").replaceAll(home, "HOME");
  expect(stable.replace(packageVersion, "VERSION")).toHaveWording("what the doctor finds");
  expect(Object.keys(emulator.requests())).toEqual(["listMembers"]);
});

test("a token that the service does not accept", async () => {
  await emulate();
  process.env.DOCS_TOKEN = "another-token";
  const { status, findings } = await find("settings", "token", "clock");
  expect(status).toBe(1);
  const text = /answered 401 .* The token was taken from .* DOCS_TOKEN\.$/;
  expect(findings).toMatchObject([ok, wrong(text), ok]);
});

test("an address where nothing listens", async () => {
  await emulate();
  process.env.DOCS_BASE_URL = "http://127.0.0.1:1";
  const { findings } = await find("settings", "token", "clock");
  const clock = { status: "skipped", text: "the service did not answer" };
  expect(findings).toMatchObject([ok, wrong(/nothing listens at this address/), clock]);
});

test("a clock that is an hour behind the service, also if the service refuses the token", async () => {
  const server = await serve((response) => {
    const date = new Date(Date.now() + 3_600_000).toUTCString();
    response.writeHead(401, { date, "content-type": "application/json" }).end('{"error":{"message":"no"}}');
  });
  onTestFinished(() => server.close());
  await emulate();
  process.env.DOCS_BASE_URL = server.url;
  const { findings } = await find("clock");
  expect(findings).toMatchObject([wrong(/^60 minutes behind the service; set the time of this machine/)]);
});

test("an organization of the folder's file that is not that of the settings, and a grant that ends, and has ended", async () => {
  await emulate();
  const folder = machine("3.270.0");
  const cem = "cem@acme.test: { role: create, expires: { on: 2026-11-27, then: read } }";
  writeFileSync(path.join(folder, "organization.yaml"), `organization: acme\nmembers: { user_ada: admin, ${cem} }\n`);
  const before = process.cwd();
  process.chdir(folder);
  onTestFinished(() => process.chdir(before));
  Object.assign(process.env, { DOCS_ORGANIZATION_ID: "other", DOCS_NOW: "2026-11-26T09:00:00Z" });
  const text = expect.stringMatching(/ acme of organization\.yaml; DOCS_ORGANIZATION_ID names other,/);
  const ends = { status: "note", text: expect.toHaveWording("a grant that ends tomorrow") };
  expect((await find("settings", "token", "ends")).findings).toMatchObject([{ status: "note", text }, ok, ends]);
  process.env.DOCS_NOW = "2026-11-28T09:00:00Z";
  const given = { status: "note", text: expect.toHaveWording("a grant that has ended and is still given") };
  expect((await find("ends")).findings).toMatchObject([given]);
});

test("settings that are missing or wrong", async () => {
  await emulate();
  process.env.DOCS_TOKEN = "";
  const { findings } = await find("settings", "token");
  expect(findings).toMatchObject([wrong(/^there is no token.*DOCS_TOKEN/), { status: "skipped" }]);
  process.env.DOCS_TOKEN = "secret-of-acme";
  process.env.DOCS_LOG = "all";
  expect((await find("settings")).findings).toMatchObject([wrong(/DOCS_LOG is "all"; use debug/)]);
});

test("an engine that is too old, and one without a language host", async () => {
  await emulate();
  machine("3.100.0", "pulumi-language-nodejs");
  expect((await find("engine", "language host")).findings).toMatchObject([
    wrong(/pulumi is 3\.100\.0, too old\); .* 3\.259 /),
    ok,
  ]);
  machine("3.270.0");
  expect((await find("engine", "language host")).findings).toMatchObject([
    wrong(/neither beside it nor /),
    wrong(/not on the PATH; install the whole Pulumi CLI/),
  ]);
});

test("a plugin in the folder of the CLI that is not that of this package", async () => {
  await emulate();
  const home = machine("3.270.0");
  const installed = path.join(home, ".pulumi", "plugins", "resource-docs-v0.1.0");
  mkdirSync(installed, { recursive: true });
  writeFileSync(path.join(installed, "index.js"), "another");
  const { findings } = await find("plugin");
  expect(findings).toMatchObject([wrong(/has another content than the package; run docs-org plugin install$/)]);
});

test("a backend that cannot be reached, in the words of the CLI", async () => {
  await emulate();
  const home = machine("3.270.0", "pulumi-language-nodejs");
  const whoami =
    '[ "$1" = version ] && echo v3.270.0 && exit; echo "error: no such bucket in $PULUMI_BACKEND_URL" >&2; exit 1';
  writeFileSync(path.join(home, "pulumi"), `#!/bin/sh\n${whoami}\n`);
  process.env.PULUMI_BACKEND_URL = "postgres://me:secret@nowhere";
  expect((await find("backend")).findings).toMatchObject([
    wrong("^no such bucket in postgres://me@nowhere; .*PULUMI_BACKEND_URL, .*pulumi login$"),
  ]);
});

test("variables that change what a run does", () => {
  const statusesIn = (environment: NodeJS.ProcessEnv) =>
    checkVariables(environment).map(({ name, status }) => [name, status]);
  const proxy = { https_proxy: "http://proxy.test:3128" };
  expect(
    statusesIn({ ...proxy, DOCS_NOW: "2027-01-31", PULUMI_OPTION_EXCLUDE: "x", NODE_TLS_REJECT_UNAUTHORIZED: "0" }),
  ).toEqual([
    ["https_proxy", "note"],
    ["DOCS_NOW", "note"],
    ["PULUMI_OPTION_EXCLUDE", "note"],
    ["NODE_TLS_REJECT_UNAUTHORIZED", "wrong"],
  ]);
  for (const name of ["no_proxy", "no_grpc_proxy"]) {
    expect(statusesIn({ ...proxy, [name]: "acme.test, 127.0.0.1", DOCS_NOW: "" })).toEqual([["variables", "ok"]]);
  }
});

test("compares versions of Node.js by number", () => {
  expect(checkNode("20.9.0")).toMatchObject(wrong("^20\\.9\\.0 is too old; .* 20\\.18\\.1 "));
  expect([checkNode("20.18.1"), checkNode("100.0.0")]).toMatchObject([ok, ok]);
});

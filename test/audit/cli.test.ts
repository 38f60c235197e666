import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import type { Audit } from "../../provider/audit/report";
import { run } from "../../provider/cli/program";
import { type Emulator, startEmulator } from "../../provider/emulator";
import { previews } from "../review/previews";
import { latest, seedOf } from "../states/everything";
import { stateOf } from "../states/exported";
import { exported, unmanagedIn } from "./support";

const folder = mkdtempSync(path.join(tmpdir(), "audit-"));
const v1 = path.join(folder, "v1.json");
const environment = { ...process.env };
let emulator: Emulator;

/** What the service holds for the exported state, and two more people that no stack declares. */
beforeAll(async () => {
  emulator = await startEmulator({ seed: await seedOf(latest) });
  writeFileSync(v1, await stateOf(latest, emulator));
  emulator.resetRequests();
});
afterEach(() => {
  emulator.resetRequests();
  process.env = { ...environment };
});
afterAll(async () => {
  await emulator.close();
  rmSync(folder, { recursive: true });
});

function settings(organizationId = emulator.organizationId) {
  return { DOCS_BASE_URL: emulator.url, DOCS_TOKEN: emulator.token, DOCS_ORGANIZATION_ID: organizationId };
}

function file(name: string, text: string): string {
  const place = path.join(folder, name);
  writeFileSync(place, text);
  return place;
}

/** The command in this process: its exit status, and what it writes. */
const audit = (...args: string[]) => auditWith({}, ...args);

async function auditWith(
  given: NodeJS.ProcessEnv,
  ...args: string[]
): Promise<{ status: number; stdout: string; stderr: string }> {
  Object.assign(process.env, settings(), given);
  const written = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    const write = vi.spyOn(process[name], "write").mockImplementation((text, ...[done]: unknown[]) => {
      written[name] += text;
      if (typeof done === "function") done();
      return true;
    });
    onTestFinished(() => write.mockRestore());
  }
  const status = await run(["audit", ...args]);
  vi.restoreAllMocks();
  expect(written.stdout + written.stderr).not.toContain(emulator.token);
  return { status, ...written };
}

it("compares the live organization with an exported state", async () => {
  const { status, stdout, stderr } = await audit("--state", v1, "--format", "json");
  expect([status, stderr]).toEqual([0, ""]);
  const result: Audit = JSON.parse(stdout);
  expect(unmanagedIn(result)).toEqual(["user_ada admin", "user_eli review"]);
  expect(result).toMatchObject({
    version: 1,
    organization: "acme",
    stacks: ["docs-org-test/test"],
    verdict: {
      kind: "unmanaged",
      text: "No stack manages 2 people with a role (1 administrator); 84.61 % is declared.",
    },
    coverage: {
      roles: { declared: 3, there: 5, percent: 60 },
      memberships: { declared: 4, there: 4, percent: 100 },
      saml: { declared: 1, there: 1 },
      sites: { declared: 2, there: 2 },
      translations: { declared: 1, there: 1 },
    },
    guests: 1,
    hiddenEmails: 1,
    gone: [],
    shared: [],
  });
  // All that it asked was what is there.
  expect(emulator.log.filter(({ method }) => method !== "GET")).toEqual([]);
});

it("ends with 2 if asked and if there are unmanaged objects, after writing the audit", async () => {
  const failing = await audit("--state", v1, "--fail-on", "unmanaged");
  expect(failing).toMatchObject({
    status: 2,
    stderr: "docs-org: unmanaged objects were found (--fail-on unmanaged)\n",
  });
  expect(failing.stdout).toMatch(/^<!-- docs-org audit of acme -->\n## ⚠️ No stack manages 2 people/);
  const people = exported("people", {
    type: "MemberRoles",
    inputs: { roles: { "ADA@acme.test": "admin", user_eli: "review" } },
  });
  const complete = await audit("--state", v1, "--state", file("people.json", people), "--fail-on", "unmanaged");
  expect([complete.status, complete.stderr]).toEqual([0, ""]);
  expect(complete.stdout).toContain("- in total: 13 of 13 declared, 100 %\n");
});

it("writes a page", async () => {
  const { status, stdout } = await audit("--state", v1, "--format", "html");
  expect(status).toBe(0);
  expect(stdout).toMatch(/^<!doctype html>[\s\S]*84\.61 %[\s\S]*<\/html>\n$/);
});

it.each([
  [
    "of another organization",
    () => exported("b", { type: "Site", outputs: { organizationId: "globex" } }),
    /manages organization globex, and the settings name "acme"; /,
  ],
  [
    "that is a preview",
    () => previews.change,
    /is a preview, not the state of a stack; use what pulumi stack export prints\n$/,
  ],
])("refuses a state %s without a request", async (_name, text, message) => {
  const { status, stdout, stderr } = await audit("--state", file("wrong.json", text()));
  expect([status, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(message);
  expect(stderr.split("\n")).toHaveLength(2);
  expect(emulator.requests()).toEqual({});
});

it("names the file that cannot be read, the team that does not exist, and the token that was refused", async () => {
  expect(await audit("--state", path.join(folder, "none.json"))).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^docs-org: could not read the state .*none\.json: there is no such file/),
  });
  expect(await audit("--state", v1, "--team", "team_x")).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^docs-org: organization acme has no team "team_x"; use the id of a team/),
  });
  emulator.fault({ row: "listSites", times: 1, status: 403 });
  expect(await audit("--state", v1)).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(
      /list the sites of organization acme.* The token was taken from the environment variable DOCS_TOKEN\.\n$/,
    ),
  });
});

it("reports mistakes in the settings: the source of organization and address, and everything that is missing", async () => {
  const globex = file("globex.json", exported("b", { type: "Site", outputs: { organizationId: "globex" } }));
  expect(await auditWith({ DOCS_ORGANIZATION_ID: "globex" }, "--state", globex)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining(
      "The organization id was taken from the environment variable DOCS_ORGANIZATION_ID.",
    ),
  });
  expect(await auditWith({ DOCS_BASE_URL: "http://docs.test" }, "--state", v1)).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^docs-org: DOCS_BASE_URL: the base URL "http:\/\/docs\.test" would send the token/),
  });
  expect(await auditWith({ DOCS_BASE_URL: "", DOCS_TOKEN: "" }, "--state", v1)).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/no address of the service; .*\nthere is no token/s),
  });
});

import { writeFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, expect, it } from "vitest";
import type { Audit } from "../../provider/audit/report";
import type { Emulator } from "../../provider/emulator";
import { latest, seedOfVersion } from "../states/everything";
import { stateOf } from "../states/exported";
import { docsOrg, emulate, freshFolder } from "../support/docs-org";
import { exported, unmanagedIn } from "./support";

let emulator: Emulator;
let v1: string;

/** A service with the objects of the exported state, and with two more people that no stack declares. */
beforeEach(async () => {
  emulator = await emulate({ seed: await seedOfVersion(latest) });
  v1 = file("v1.json", await stateOf(latest, emulator));
  emulator.resetRequests();
});

/** The path of a file with this text. */
function file(name: string, text: string): string {
  const place = path.join(freshFolder(), name);
  writeFileSync(place, text);
  return place;
}

const audit = (...args: string[]) => docsOrg("audit", ...args);

it("compares the live organization with an exported state", async () => {
  const { status, stdout, stderr } = await audit("--state", v1, "--format", "json");
  expect([status, stderr]).toEqual([0, ""]);
  const result: Audit = JSON.parse(stdout);
  expect(unmanagedIn(result)).toEqual(["user_ada admin", "user_eli review"]);
  expect(result).toMatchObject({
    version: 1,
    organization: "acme",
    stacks: ["docs-org-test/test"],
    verdict: { kind: "unmanaged", text: expect.stringMatching(/ 2 people .* 84\.6 %/) },
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
  // It only reads.
  expect(emulator.log.filter(({ method }) => method !== "GET")).toEqual([]);
});

it("ends with 2 if asked and if there are unmanaged objects, after writing the audit", async () => {
  const failing = await audit("--state", v1, "--fail-on", "unmanaged");
  expect(failing).toMatchObject({
    status: 2,
    stderr: "docs-org: unmanaged objects were found (--fail-on unmanaged)\n",
  });
  expect(failing.stdout).toMatch(/^No stack manages 2 people/);
  const people = exported("people", {
    type: "MemberRoles",
    inputs: { roles: { "ADA@acme.test": "admin", user_eli: "review" } },
  });
  const complete = await audit("--state", v1, "--state", file("people.json", people), "--fail-on", "unmanaged");
  expect([complete.status, complete.stderr]).toEqual([0, ""]);
  expect(complete.stdout).toContain("  in total: 13 of 13 declared, 100 %\n");
});

it("lists what ends within 30 days, of states and of live SAML providers", async () => {
  process.env.DOCS_NOW = "2126-10-20T12:00:00Z";
  const ends = await audit("--state", v1, "--fail-on", "unmanaged", "--fail-on", "expiring=1d", "--format", "json");
  expect([ends.status, JSON.parse(ends.stdout).ends]).toEqual([2, []]);
  const { status, stdout, stderr } = await audit("--state", v1, "--fail-on", "expiring=30d");
  expect([status, stderr]).toEqual([2, expect.stringContaining("(--fail-on expiring=30d)\n")]);
  expect(stdout).toMatch(
    /\n◷ Begins or ends soon \(1\)\n {2}the certificate of SAML provider ".*" expires on 2126-10-28, in 7 days;/,
  );
});

it.each([
  ["html", /^<!doctype html>[\s\S]*<p class="evidence">docs-org .* commit[\s\S]*84\.6 %[\s\S]*<\/html>\n$/],
  ["markdown", /84\.6 %[\s\S]*\n\n<sub>docs-org .* commit `c`.* Left out: .*<\/sub>\n$/],
  ["text", /84\.6 %[\s\S]*\n\ndocs-org .* commit c.* Left out: .*\n$/],
  ["json", /^\{\n {2}"evidence": \{[\s\S]*"commit": "c"/],
] as const)("writes it with its evidence, as %s", async (format, expected) => {
  process.env.DOCS_COMMIT = "c";
  const { status, stdout } = await audit("--state", v1, "--format", format);
  expect(status).toBe(0);
  expect(stdout).toMatch(expected);
});

it("refuses the state of another organization without a request", async () => {
  const other = exported("b", { type: "Site", outputs: { organizationId: "globex" } });
  expect(await audit("--state", file("other.json", other))).toEqual({
    status: 1,
    stdout: "",
    stderr: expect.stringMatching(/^docs-org: [^\n]* globex, [^\n]* "acme"; [^\n]*\n$/),
  });
  expect(emulator.requests()).toEqual({});
});

it("names the file that cannot be read, the team that does not exist, and the token that was refused", async () => {
  expect(await audit("--state", "none.json")).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^docs-org: could not read .*none\.json: there is no such file/),
  });
  expect(await audit("--state", v1, "--team", "team_x")).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^docs-org: .* no team "team_x"; /),
  });
  emulator.fault({ row: "listSites", times: 1, status: 403 });
  expect(await audit("--state", v1)).toMatchObject({
    status: 1,
    stderr: expect.toHaveWording("an audit whose token is refused"),
  });
});

it("reports mistakes in the settings: the source of organization and address, and everything that is missing", async () => {
  const mistakes = async (settings: NodeJS.ProcessEnv, state = v1): Promise<string> => {
    Object.assign(process.env, settings);
    const { status, stderr } = await audit("--state", state);
    expect(status).toBe(1);
    return stderr;
  };
  const globex = file("globex.json", exported("b", { type: "Site", outputs: { organizationId: "globex" } }));
  expect(await mistakes({ DOCS_ORGANIZATION_ID: "globex" }, globex)).toMatch(
    /organization id was taken from .* DOCS_ORGANIZATION_ID\./,
  );
  expect(await mistakes({ DOCS_BASE_URL: "http://docs.test" })).toHaveWording("an address without TLS");
  expect(await mistakes({ DOCS_BASE_URL: "", DOCS_TOKEN: "" })).toHaveWording("no address and no token");
});

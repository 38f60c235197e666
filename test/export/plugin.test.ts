import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { latest, seedOfVersion } from "../states/everything";
import { emulate, freshFolder } from "../support/docs-org";
import { declaredByProgram, exporting, importedIn, readFiles } from "./support";

vi.setConfig({ testTimeout: 120_000 });

const plugin = ["--host", "plugin"];
const yaml = [...plugin, "--language", "yaml"];
const resources = ["--format", "resources"];
/** Objects of every kind. */
const everything = async () => ({ seed: await seedOfVersion(latest) });

/** Exports into a new folder, without a failure. */
async function exported(...args: string[]): Promise<{ out: string; stdout: string; stderr: string }> {
  const out = freshFolder();
  const { status, stdout, stderr } = await exporting("--out", out, ...args);
  expect([status, stderr]).toEqual([0, expect.any(String)]);
  return { out, stdout, stderr };
}

const importFileIn = (out: string) => JSON.parse(readFileSync(join(out, "import.json"), "utf8")).resources;

const ofTeams = ["support", "writers"].map((team) => ({
  type: "docs:index:TeamMembers",
  name: `acme-team_${team}`,
  id: `team_${team}`,
}));
const others = [
  { type: "docs:index:SamlProvider", name: "acme-acme-sign-in", id: "saml_acme" },
  { type: "docs:index:Site", name: "acme-handbook", id: "site_handbook" },
  { type: "docs:index:Site", name: "acme-product-docs", id: "site_product" },
  { type: "docs:index:SiteAdaptiveSchema", name: "acme-product-docs", id: "site_product" },
  { type: "docs:index:SiteStructureOrder", name: "acme-product-docs", id: "site_product" },
  { type: "docs:index:Translation", name: "acme-guides-fr", id: "translation_fr" },
];
/** Everything but `MemberRoles`. */
const byId = [...ofTeams, ...others];

const runtime = `runtime:
  name: nodejs
  options: # compiles index.ts once, and starts fast: docs/concepts/start-up.md of pulumi-docs-org
    typescript: false
    nodeargs: --require=pulumi-docs-org/start
`;

const project = (more: string) => `name: ${more}
plugins:
  providers:
    - name: docs
      path: node_modules/pulumi-docs-org/plugin
`;

describe("docs-org export --host plugin", () => {
  it("writes a program that refers to the file, and an import file with types, names and ids only", async () => {
    const emulator = await emulate(await everything());
    const { out, stdout, stderr } = await exported(...plugin);
    const files = readFiles(out);
    expect(files["index.ts"]).toBe(
      'import * as docs from "pulumi-docs-org/plugin";\n\nnew docs.Organization("acme", { file: "organization.yaml" });\n',
    );
    expect(files["Pulumi.yaml"]).toBe(project(`"acme"\n${runtime}main: index.ts`));
    const dynamic = readFiles((await exported()).out);
    expect(Object.keys(files)).toEqual(Object.keys(dynamic));
    for (const file of ["organization.yaml", "certs/acme-sign-in.pem", "tsconfig.json"]) {
      expect(files[file]).toBe(dynamic[file]);
    }
    expect(importFileIn(out)).toEqual([
      { type: "docs:index:Organization", name: "acme", component: true },
      ...byId.map((one) => ({ ...one, parent: "acme" })),
    ]);
    expect(stdout.replaceAll(out, "FOLDER")).toHaveWording("an export for the plugin");
    expect(stderr).toContain('docs-org: site "Handbook" (site_handbook): spaces, ');
    expect(emulator.log.every(({ method }) => method === "GET")).toBe(true);
    expect(JSON.stringify(files)).not.toContain(emulator.token);
  });

  it("writes a statement for each resource", async () => {
    await emulate(await everything());
    const { out, stdout } = await exported(...plugin, ...resources);
    const { out: dynamic } = await exported(...resources);
    expect(readFiles(out)["index.ts"]).toBe(
      readFiles(dynamic)["index.ts"]?.replace('"pulumi-docs-org"', '"pulumi-docs-org/plugin"'),
    );
    expect(declaredByProgram(out)).toEqual(importedIn(dynamic));
    expect(importFileIn(out)).toEqual(byId);
    expect(stdout).toContain("creates only acme-members, which cannot be imported;");
  });

  it("leaves a team without members to the first up, since its id does not say whether it is managed", async () => {
    const emulator = await emulate();
    emulator.state.organizations.get("acme")?.teams.get("team_writers")?.members.clear();
    const { out, stdout } = await exported(...plugin, "--team", "team_writers");
    expect(importFileIn(out).map(({ name }: { name: string }) => name)).not.toContain("acme-team_writers");
    expect(stdout).toContain("creates only acme-members, acme-team_writers, acme-notes, which");
  });

  it("gives the component another name in the import file if a resource has its name", async () => {
    const sites = [{ id: "site_1", title: "Members" }];
    await emulate({ seed: { organizations: { org_1: { members: [{ userId: "user_1", role: "admin" }], sites } } } });
    const { out } = await exported(...plugin, "--name", "a");
    expect(importFileIn(out)).toEqual([
      { type: "docs:index:Organization", name: "a", component: true },
      { type: "docs:index:Site", name: "a-members", id: "site_1", parent: "a" },
    ]);
  });
});

describe("docs-org export --language yaml", () => {
  it("writes a program in Pulumi YAML that refers to the file", async () => {
    await emulate(await everything());
    const { out, stdout } = await exported(...yaml);
    const { out: typescript } = await exported(...plugin);
    const { "index.ts": _, "tsconfig.json": _config, ...same } = readFiles(typescript);
    const program = `
resources:
  organization:
    type: docs:Organization
    name: "acme"
    properties:
      file: organization.yaml
`;
    expect(readFiles(out)).toEqual({ ...same, "Pulumi.yaml": project('"acme"\nruntime: yaml') + program });
    expect(stdout).toContain(": organization.yaml, certs/acme-sign-in.pem, Pulumi.yaml, import.json\n");
    expect(stdout).toContain("creates only acme-members, acme-notes, which");
  });

  it("refuses the dynamic host, which runs TypeScript only, and a program with each resource", async () => {
    const emulator = await emulate();
    const refusals = [
      ["--host plugin", "--language", "yaml"],
      ["--host plugin", "--language", "yaml", "--host", "dynamic"],
      ["--format file", ...yaml, ...resources],
    ] as const;
    for (const [needs, ...options] of refusals) {
      expect(await exporting("--out", freshFolder(), ...options)).toEqual({
        status: 2,
        stdout: "",
        stderr: expect.stringMatching(new RegExp(`^docs-org: --language yaml needs ${needs}: .*\\n$`)),
      });
    }
    expect(emulator.log).toEqual([]);
  });
});

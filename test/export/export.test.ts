import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import type { Seed } from "../../provider/emulator";
import { prepareExport } from "../../provider/export/export";
import { loadOrganization } from "../../provider/organization/file/loader";
import { connectBySettings } from "../../provider/run/context";
import { certificateOne } from "../support/certificates";
import { emulate, freshFolder } from "../support/docs-org";
import {
  changedEntries,
  declaredByFile,
  declaredByProgram,
  entriesIn,
  exporting,
  importedIn,
  readFiles,
} from "./support";

vi.setConfig({ testTimeout: 120_000 });

const names = [
  "Pulumi.yaml",
  "certs/acme-sign-in.pem",
  "import.json",
  "index.ts",
  "organization.yaml",
  "tsconfig.json",
];

it("writes a program, the organization and the import file, and changes nothing", async () => {
  const emulator = await emulate();
  const out = join(freshFolder(), "new", "folder");
  const { status, stdout, stderr } = await exporting("--out", out);
  expect([status, stderr]).toEqual([0, expect.any(String)]);
  const files = readFiles(out);
  expect(Object.keys(files)).toEqual(names);
  expect(emulator.log.every(({ method }) => method === "GET")).toBe(true);
  expect(JSON.stringify(files)).not.toContain(emulator.token);

  expect(files["index.ts"]).toBe(
    'import * as docs from "pulumi-docs-org";\n\nnew docs.Organization("acme", { file: "organization.yaml" });\n',
  );
  expect(files["organization.yaml"]).toBe(richFile);
  const started = readFileSync(join(__dirname, "../../docs/getting-started.md"), "utf8");
  expect(started).toContain(files["Pulumi.yaml"]?.replace('name: "acme"', "name: our-docs").trim());
  expect(started).toContain(files["tsconfig.json"]?.trim());

  const { resources } = JSON.parse(files["import.json"] ?? "");
  const titles = { team_engineers: "Engineers", team_support: "Support", team_writers: "Writers" };
  const teams = Object.entries(titles).map(([id, title]) => ({ id, title }));
  expect(resources.slice(0, 2)).toEqual([
    { type: "docs:index:Organization", name: "acme", component: true },
    {
      type: "docs:index:OrganizationNotes",
      name: "acme-notes",
      component: true,
      parent: "acme",
      inputs: {
        review: {
          organization: "acme",
          grants: [],
          teams,
          guards: { allowPublic: ["product-docs"], minAdmins: 2, maxRemovals: "25%" },
        },
      },
    },
  ]);
  expect(resources.slice(2).map(({ name, id, parent }: Record<string, string>) => [name, id, parent])).toEqual([
    ["acme-members", "acme/roles", "acme"],
    ["acme-team_engineers", "team_engineers", "acme"],
    ["acme-team_support", "team_support", "acme"],
    ["acme-team_writers", "team_writers", "acme"],
    ["acme-acme-sign-in", "saml_acme", "acme"],
    ["acme-partners", "saml_partners", "acme"],
    ["acme-handbook", "site_handbook", "acme"],
    ["acme-product-docs", "site_product", "acme"],
    ["acme-product-docs", "site_product", "acme"],
    ["acme-product-docs", "site_product", "acme"],
    ["acme-api-reference-ja", "translation_ja", "acme"],
    ["acme-guides-de", "translation_de", "acme"],
    ["acme-guides-fr", "translation_fr", "acme"],
  ]);

  expect(importedIn(out)).toEqual(declaredByFile(out, "acme"));
  expect(await changedEntries(out)).toEqual([]);

  expect(stdout).toMatch(/^13 resources were written to .*new.folder: /);
  expect(stdout).toContain("  pulumi import --file import.json --protect=false --generate-code=false --yes\n");
  expect(stdout).toContain("  pulumi preview --refresh --expect-no-changes\n");
  expect(stderr).toHaveWording("an export of everything");
});

const richFile = `# yaml-language-server: $schema=node_modules/pulumi-docs-org/organization.schema.json

organization: acme

# Refuses changes that leave too few administrators, or take access from too many people.
guards:
  minAdmins: 2
  maxRemovals: 25%
  #undeclaredAdmins: refuse # also refuses administrators who are not in members: remove the #

# The role of a person who is removed from this file: restore, leave, guest (the default) or remove.
#onRelease: guest

members:
  ada@acme.test: admin
  bea@acme.test: { role: admin, sso: true }
  cem@acme.test: create
  dana@acme.test: create
  eli@acme.test: review
  femi@acme.test: edit
  gita@acme.test: edit
  hugo@acme.test: comment
  ines@acme.test: read
  jun@acme.test: read
  kofi@acme.test: read

teams:
  team_engineers:
    title: Engineers
    members:
      bea@acme.test: owner
      eli@acme.test: member
      femi@acme.test: member
      gita@acme.test: member
  team_support:
    title: Support
    members:
      hugo@acme.test: owner
      ines@acme.test: member
      lena@acme.test: member
  team_writers:
    title: Writers
    members:
      cem@acme.test: owner
      dana@acme.test: member
      femi@acme.test: member

saml:
  acme-sign-in:
    id: saml_acme
    label: Acme sign-in
    entityID: https://idp.acme.test/metadata
    ssoURL: https://idp.acme.test/sso
    defaultRole: read
    defaultTeam: team_support
    certificateFile: certs/acme-sign-in.pem
  partners:
    id: saml_partners
    label: Partners
    entityID: urn:partners
    ssoURL: https://idp.partners.test/sso
    defaultRole: guest

sites:
  handbook:
    id: site_handbook
    title: Handbook
    visibility: unlisted
    basename: handbook
    agentsContext: included
    published: false
    type: basic
  product-docs:
    id: site_product
    title: Product docs
    visibility: public
    basename: product
    adaptiveContent:
      enabled: true
    agentsContext: included
    defaultSiteSpace: sitespace_product_guides
    defaultSiteSection: section_guides
    published: true
    type: ultimate
    spaces:
      - guides
      - reference
    allowPublic: true
    order:
      - section_guides
      - group_developers
    adaptiveSchema:
      claims:
        beta:
          type: boolean
          description: Takes part in the beta.
        plan:
          type: string
          description: Plan of the customer.
          enum:
            - free
            - business
      unsignedClaims:
        language:
          type: string
          description: Language that the visitor chose.

translations:
  api-reference-ja:
    id: translation_ja
    source:
      space: reference
      language: en
    language: ja
  guides-de:
    id: translation_de
    source:
      space: guides
      language: en
    language: de
  guides-fr:
    id: translation_fr
    source:
      space: guides
      language: en
    language: fr
    instructions: Address the reader formally.
`;

it("is the same, byte by byte, in each run and in any order of the service", async () => {
  const emulator = await emulate();
  const [first, second] = [freshFolder(), freshFolder()];
  await exporting("--out", first);
  const organization = emulator.state.organizations.get("acme");
  for (const list of [organization?.sites, organization?.saml, organization?.translations] as Map<string, unknown>[]) {
    const entries = [...list].reverse();
    list.clear();
    for (const [id, one] of entries) list.set(id, one);
  }
  await exporting("--out", second);
  expect(await changedEntries(first)).toEqual([]);
  expect(readFiles(second)).toEqual(readFiles(first));
});

it("writes a statement for each resource with --format resources", async () => {
  await emulate();
  const out = freshFolder();
  expect((await exporting("--out", out, "--format", "resources")).status).toBe(0);
  expect(Object.keys(readFiles(out))).toEqual(["Pulumi.yaml", "import.json", "index.ts", "tsconfig.json"]);
  expect(readFiles(out)["index.ts"]).toMatch(
    /^import \* as docs from "pulumi-docs-org";\n\nconst organizationId = "acme";\n/,
  );
  expect(readFiles(out)["index.ts"]).toContain(`
// Writers
new docs.TeamMembers("acme-team_writers", {
  organizationId,
  teamId: "team_writers",
  members: {
    "cem@acme.test": "owner",
    "dana@acme.test": "member",
    "femi@acme.test": "member"
  },
});
`);
  expect(readFiles(out)["index.ts"]).toContain("  siteId: site_product_docs.id,\n");
  expect(declaredByProgram(out)).toEqual(importedIn(out));
  expect(await changedEntries(out)).toEqual([]);
});

it("overwrites nothing without --force, and names all existing files", async () => {
  await emulate({ seed: withCertificate });
  const out = freshFolder();
  await exporting("--out", out);
  const all = Object.keys(readFiles(out));
  expect(all).toEqual([
    "Pulumi.yaml",
    "certs/idp.pem",
    "import.json",
    "index.ts",
    "organization.yaml",
    "tsconfig.json",
  ]);
  for (const name of all) writeFileSync(join(out, name), "mine");
  const { status, stdout, stderr } = await exporting("--out", out);
  expect([status, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(/^docs-org: nothing was written: .*--force to overwrite them\n$/);
  for (const name of all) expect(stderr).toContain(join(out, name));
  expect(Object.values(readFiles(out))).toEqual(all.map(() => "mine"));
  expect(readdirSync(out).filter((name) => name.startsWith("."))).toEqual([]);

  expect((await exporting("--out", out, "--force")).status).toBe(0);
  expect(Object.values(readFiles(out))).not.toContain("mine");
  expect(Object.keys(readFiles(out))).toEqual(all);
});

it("goes on where a killed take-over has written files, and keeps files that differ", async () => {
  await emulate({ seed: withCertificate });
  const folder = freshFolder();
  const context = await connectBySettings();
  const taking = async () => {
    const target = { host: "plugin", format: "none" } as const;
    return (await prepareExport(context, { folder, name: "acme", target })).write();
  };
  await taking();
  const written = readFiles(folder);
  // The file that refers to the others is the last one.
  rmSync(join(folder, "organization.yaml"));
  await taking();
  expect(readFiles(folder)).toEqual(written);
  writeFileSync(join(folder, "certs/idp.pem"), "mine");
  await expect(taking()).rejects.toThrow(/idp\.pem already exists; use another folder, or move it away$/);
  expect(readFiles(folder)).toEqual({ ...written, "certs/idp.pem": "mine" });
});

const privateKey = ["-----BEGIN PRIVATE", "KEY-----\nc2VjcmV0\n-----END PRIVATE", "KEY-----\n"].join(" ");

const withCertificate: Seed = {
  organizations: {
    acme: {
      members: [{ userId: "user_1", role: "admin" }],
      saml: [{ id: "saml_1", label: "IdP", certificate: privateKey + certificateOne }],
    },
  },
};

it("writes a certificate to a separate file, without other secrets in its text", async () => {
  await emulate({ seed: withCertificate });
  const out = freshFolder();
  expect((await exporting("--out", out)).status).toBe(0);
  const files = readFiles(out);
  expect(files["organization.yaml"]).toContain("certificateFile: certs/idp.pem");
  expect(files["certs/idp.pem"]).toBe(certificateOne);
  expect(JSON.stringify(files)).not.toContain("PRIVATE");
});

it("takes at most two requests for each team and one for each site, and loads as the live organization", async () => {
  const emulator = await emulate({ size: { members: 2_000, teams: 20, sites: 20 } });
  const out = freshFolder();
  expect((await exporting("--out", out)).status).toBe(0);
  // 23 teams, 22 sites, and 20 other requests.
  expect(emulator.log.length).toBeLessThanOrEqual(2 * 23 + 22 + 20);
  const { organization } = loadOrganization(join(out, "organization.yaml"));
  const live = emulator.state.organizations.get("acme");
  const roles = [...(live?.members.values() ?? [])].filter(({ role }) => role !== null);
  expect(Object.keys(organization.members ?? {})).toHaveLength(roles.length);
  expect(Object.keys(organization.teams ?? {})).toHaveLength(23);
  // Roles, teams, SAML providers, sites, a schema, an order and translations.
  expect(entriesIn(out)).toHaveLength(1 + 23 + 2 + 22 + 1 + 1 + 3);
  expect(importedIn(out)).toEqual(declaredByFile(out, "acme"));
  expect(await changedEntries(out)).toEqual([]);
});

it("exports a site without its profile if that cannot be read, and says so", async () => {
  const emulator = await emulate();
  emulator.fault({ row: "getPublishedSite", times: 9, status: 403, body: { error: { code: 403, message: "No" } } });
  const out = freshFolder();
  const { status, stderr } = await exporting("--out", out);
  expect(status).toBe(0);
  expect(stderr).toMatch(/^docs-org: site "Product docs" \(site_product\): spaces, .*: could not read .*403/m);
  const { "product-docs": product } = loadOrganization(join(out, "organization.yaml")).organization.sites ?? {};
  expect(product).toMatchObject({ type: "ultimate", agentsContext: "included" });
  expect(Object.keys(product ?? {})).not.toContain("spaces");
});

it("exports an empty organization: one administrator", async () => {
  await emulate({
    seed: { organizations: { org_1: { members: [{ userId: "user_1", email: "Me@One.test", role: "admin" }] } } },
  });
  const out = freshFolder();
  expect((await exporting("--out", out, "--name", "one")).status).toBe(0);
  const { organization } = loadOrganization(join(out, "organization.yaml"));
  expect(organization).toEqual({
    ...{ organization: "org_1", guards: { maxRemovals: "25%" } },
    members: { "Me@One.test": "admin" },
  });
  const files = readFiles(out);
  expect(files["index.ts"]).toContain('new docs.Organization("one", ');
  expect(importedIn(out).map(([resource, name]) => [resource, name])).toEqual([["MemberRoles", "one-members"]]);
  expect(importedIn(out)).toEqual(declaredByFile(out, "one"));
  expect(await changedEntries(out)).toEqual([]);
});

it("adds a named team without members, and refuses an unknown one", async () => {
  const emulator = await emulate();
  const organization = emulator.state.organizations.get("acme");
  organization?.teams.get("team_writers")?.members.clear();
  const out = freshFolder();
  const { stderr } = await exporting("--out", out, "--team", "team_writers");
  expect(loadOrganization(join(out, "organization.yaml")).organization.teams?.team_writers).toEqual({ members: {} });
  expect(stderr).not.toContain("not members of the organization");

  const lost = await exporting("--out", join(out, "b"), "--team", "team_x");
  expect([lost.status, lost.stderr]).toEqual([1, expect.stringMatching(/^docs-org: .* no team "team_x"; [^\n]*\n$/)]);
  expect(existsSync(join(out, "b"))).toBe(false);
});

it("refuses an unreadable list, names it, and leaves nothing behind", async () => {
  const emulator = await emulate();
  emulator.fault({ row: "listSamlProviders", times: 1, status: 403 });
  const out = join(freshFolder(), "a", "b");
  const { status, stdout, stderr } = await exporting("--out", out);
  expect([status, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(/^docs-org: .* SAML providers .* 403[^\n]*\n$/);
  expect(existsSync(join(out, ".."))).toBe(false);
});

it("refuses an impossible folder, and invalid names", async () => {
  await emulate();
  const file = join(freshFolder(), "file");
  writeFileSync(file, "");
  const inside = await exporting("--out", join(file, "inside"));
  expect([inside.status, inside.stderr]).toEqual([
    1,
    expect.stringMatching(/^docs-org: could not write .*: a file .*\n$/),
  ]);
  for (const name of ["", "a b", "../a", "__proto__", "a".repeat(101)]) {
    const { status, stderr } = await exporting("--out", file, "--name", name);
    expect([status, stderr]).toEqual([2, expect.stringMatching(/^docs-org: --name .*letters, digits[^\n]*\n$/)]);
  }
});

it("reads a newer version of the service", async () => {
  await emulate({ version: "0.202" });
  const out = freshFolder();
  expect((await exporting("--out", out)).status).toBe(0);
  expect(readFiles(out)["organization.yaml"]).toBe(richFile.replaceAll("    agentsContext: included\n", ""));
  expect(await changedEntries(out)).toEqual([]);
});

it("shows the progress on a terminal, and clears the line", async () => {
  await emulate();
  const { isTTY } = process.stderr;
  process.stderr.isTTY = true;
  onTestFinished(() => {
    process.stderr.isTTY = isTTY;
  });
  const { stderr } = await exporting("--out", freshFolder());
  const [before, after] = stderr.split(/(?<=\r)(?=docs-org: )/);
  expect(before).toMatch(
    /^\rread 1 of 4 lists\r[\s\S]*\rread 9 of 9 people in teams\r[\s\S]*\rread 2 of 2 sites\r {16,}\r$/,
  );
  expect(before).not.toContain("\n");
  expect(after).not.toContain("\r");
});

import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { richTextOf } from "../../provider/api/groups/rich-text";
import type { Emulator, Seed } from "../../provider/emulator";
import type { LiveEverything } from "../../provider/export/draft";
import { draftOf } from "../../provider/export/draft";
import { yamlOf } from "../../provider/export/yaml";
import type { Notes } from "../../provider/organization/drafts/drafting";
import { declarable } from "../../provider/organization/drafts/drafting";
import { loadOrganization } from "../../provider/organization/file/loader";
import { siteAdaptiveSchema } from "../../provider/resources/site-adaptive-schema/site-adaptive-schema";
import { certificateOne } from "../support/certificates";
import { emulate, freshFolder } from "../support/docs-org";
import { changedEntries, declaredByFile, declaredByProgram, exporting, importedIn, readFiles } from "./support";

vi.setConfig({ testTimeout: 120_000 });

/** Texts that mean something else in YAML or in a program, or that cannot be seen. */
const texts = [
  "a: b # c",
  "- x",
  "!include certs/*.yaml",
  "&anchor",
  "*alias",
  "<<",
  "null",
  "true",
  "0123",
  "1e3",
  "2027-01-31",
  "{ a: b }",
  "members:\n  mallory@evil.test: admin",
  "line\r\nbreak ",
  " leading\tand trailing ",
  "# comment",
  "it's",
  'quoted "twice"',
  "back\\slash",
  `\`$${"{process.exit(1)}"}\``,
  '"); process.exit(1); ("',
  `$$5, $$${"{a}"} or $${"{acme-site-1.id}"}`,
  "yes",
  "12:30:45",
  "0o17",
  "*/ // <!--",
  "turned \u202Eround",
  "separated\u2028here\u2029and\u0085there",
  "nothing\u0000\u0007\u001B[31m",
  "👩‍💻 🚀",
  "\uFEFFmarked",
  "tag \u{E0001}",
  "__proto__",
  "constructor",
  `${"x".repeat(100)} ${"y".repeat(27)}`,
];

const seed: Seed = {
  organizations: {
    acme: {
      members: [
        { userId: "user_1", role: "admin" },
        { userId: "__proto__", role: "edit" },
        { userId: "constructor", role: "edit" },
        { userId: "0123", role: "read" },
        { userId: "user_2", role: "read", email: "two@acme.test" },
        { userId: "user_3", role: "read" },
      ],
      spaces: [{ id: "guides", title: "a: b # c" }],
      sites: texts.map((title, index) => ({ id: `site_${index}`, title, published: index === 0 })),
      teams: texts.map((title, index) => ({
        id: index === 0 ? "__proto__" : `team_${index}`,
        title: title.slice(0, 64),
        members: { user_1: "owner", [["user_2", "user_3", "constructor"][index % 3] as string]: "member" },
      })),
      saml: texts.map((title, index) => ({
        id: `saml_${index}`,
        label: title.slice(0, 30),
        entityID: title,
        ...(index === 0 && { certificate: certificateOne }),
      })),
      translations: [
        { id: "translation_1", source: { space: "guides" }, language: "fr", instructions: texts.join("\n") },
      ],
    },
  },
};

/** An organization in which two people have one e-mail, and one has an e-mail that no file can name. */
async function hostile() {
  const emulator = await emulate({ seed });
  const members = emulator.state.organizations.get("acme")?.members;
  for (const [id, email] of [
    ["constructor", "TWO@acme.test"],
    ["user_3", "*@acme.test"],
  ] as const) {
    Object.assign(members?.get(id) ?? {}, { email });
  }
  return emulator;
}

it("writes every title exactly, in a file that can be read back", async () => {
  const emulator = await hostile();
  const out = freshFolder();
  const { status, stderr } = await exporting("--out", out);
  expect([status, stderr]).toEqual([0, expect.any(String)]);
  const { organization } = loadOrganization(join(out, "organization.yaml"));
  expect(Object.keys(organization)).toEqual([
    ...["organization", "guards", "members", "teams", "saml", "sites", "translations"],
  ]);
  expect(organization.members).toEqual({
    user_1: "admin",
    user_2: "read",
    constructor: "edit",
    "0123": "read",
    user_3: "read",
  });
  const titles = Object.values(organization.sites ?? {}).map(({ title }) => title);
  expect(titles.sort()).toEqual([...texts].sort());
  const labels = Object.values(organization.saml ?? {}).map(({ label }) => label);
  expect(labels.sort()).toEqual(texts.map((text) => text.slice(0, 30)).sort());
  expect(
    Object.values(organization.teams ?? {})
      .map(({ title }) => title)
      .sort(),
  ).toEqual(
    texts
      .slice(1)
      .map((text) => text.slice(0, 64))
      .sort(),
  );
  expect(organization.translations).toEqual({
    "a-b-c-fr": expect.objectContaining({ language: "fr", instructions: richTextIn(emulator) }),
  });
  const written = JSON.stringify(readFiles(out)["organization.yaml"]);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  expect(written).not.toMatch(/[\0-\x1F\x7F-\x9F\u202A-\u202E\u2028\uFEFF]/);

  expect(stderr).toContain('member "__proto__" (__proto__) is left out');
  expect(stderr).toMatch(/\n(?!.*member).*\(__proto__\) is left out: /);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  expect(stderr).not.toMatch(/[\0-\x09\x0B-\x1F\u202E]/);

  expect(importedIn(out)).toEqual(declaredByFile(out, "acme"));
  expect(await changedEntries(out)).toEqual([]);
});

/** A text in one paragraph with line breaks is no plain text, which has a paragraph for each line. */
function richTextIn({ state }: Emulator) {
  const instructions = state.organizations.get("acme")?.translations.get("translation_1")?.instructions;
  expect(JSON.stringify(instructions)).toContain("\\n- x\\n");
  return instructions;
}

it("writes a program that compiles and declares the imported resources", async () => {
  await hostile();
  const out = freshFolder();
  const { status } = await exporting("--out", out, "--format", "resources", "--name", "one");
  expect(status).toBe(0);
  const files = readFiles(out);
  expect(Object.keys(files)).toEqual(["Pulumi.yaml", "import.json", "index.ts", "tsconfig.json"]);
  const { resources } = JSON.parse(files["import.json"] ?? "");
  expect(resources.length).toBeGreaterThan(3 * texts.length);
  expect(resources.every((one: object) => !("parent" in one) && !("component" in one))).toBe(true);
  expect(declaredByProgram(out)).toEqual(importedIn(out));
  expect(await changedEntries(out)).toEqual([]);
  expect(files["index.ts"]?.match(/protect: true/g)).toHaveLength(texts.length);
});

const member = (id: string, more: object = {}) => ({
  role: "read",
  sso: false,
  user: { id, displayName: id, ...more },
});
const mate = (userId: string, role = "member") => ({ userId, role });

/** What the emulator would not answer. */
const strange = {
  organizationId: "org_1",
  members: [member("user_1", { email: "one@a.test" }), { ...member("user_2"), role: "emperor" }, member("a@b")],
  teams: [
    { id: "team_1", title: "One", people: [mate("user_9"), mate("user_1", "owner")] },
    { id: "team_2", title: "x".repeat(65), people: [mate("a@b")] },
    { id: "team_3", title: "Three", people: [mate("user_1", "king")] },
    { id: "team:4", title: "Four", people: [] },
  ],
  saml: [
    { id: "saml_1", label: "x".repeat(31), certificate: "", entityID: "", ssoURL: "", defaultRole: null },
    {
      id: "saml_2",
      label: "Two",
      ssoURL: "no url",
      defaultRole: "emperor",
      defaultTeam: { id: "team_9", title: "Gone" },
    },
  ],
  sites: [{ id: "site_1", title: "x", visibility: "secret", published: true }],
  translations: [
    { id: "t_1", source: { space: "s", language: "en" }, language: "fr", instructions: richTextOf("half \uD800") },
  ],
  details: {
    sites: { schemas: new Map([["site_1", { properties: { beta: { type: "color" } } }]]) },
    translations: { spaceTitles: new Map() },
  },
} as unknown as LiveEverything;

it("leaves out values that a file cannot declare, and says so", () => {
  const { organization, notes } = draftOf(strange);
  expect(organization).toEqual({
    organization: "org_1",
    guards: { maxRemovals: "25%" },
    members: { "one@a.test": "read" },
    teams: {
      team_1: { title: "One", members: { "one@a.test": "owner", user_9: "member" } },
      team_2: {},
      team_3: { title: "Three" },
    },
    saml: { two: { id: "saml_2", label: "Two" } },
    sites: { x: { id: "site_1", published: true } },
    translations: { "s-fr": { id: "t_1", source: { space: "s", language: "en" }, language: "fr" } },
  });
  expect(notes.map((note) => note.replace(/x{31,}…?/, "x")).join("\n")).toHaveWording("values that no file can have");
});

it.each([
  ["a dangerous name", JSON.parse('{"__proto__":{"type":"boolean","description":""}}')],
  ["an empty name", { "": { type: "boolean", description: "" } }],
])("leaves out claims with %s", (_, claims) => {
  const notes: Notes = [];
  expect(declarable("site", siteAdaptiveSchema.inputs, { claims }, notes)).toEqual({});
  expect(notes).toEqual([expect.stringMatching(/^site: claims is left out.* as a name$/)]);
});

it("uses no YAML references and no folded lines", () => {
  const claim = { type: "string" as const, description: "word ".repeat(60).trim() };
  const text = yamlOf({ organization: "o", sites: { a: { adaptiveSchema: { claims: { one: claim, "<<": claim } } } } });
  expect(text).not.toMatch(/[&*]a/);
  expect(text.split("\n").filter((line) => line.includes("word word"))).toHaveLength(2);
  expect(text).toContain('"<<":');
});

import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { parse } from "yaml";
import { writeBackend } from "../../provider/deployment/backend";
import { findOrganization, noticeOfBackend, openProject, placeOfState } from "../../provider/deployment/project";
import { organizationVariable } from "../../provider/organization/file/reader";
import { messageOf } from "../organization/files";
import { freshFolder } from "../support/docs-org";

let root: string;
const write = (name: string, content: string | Buffer) => writeFileSync(join(root, name), content);
const open = () => openProject(root, { PULUMI_BACKEND_URL: "file:///backend" });

beforeEach(() => {
  root = freshFolder();
});

test("a folder in the place of organization.yaml is refused in one sentence", () => {
  mkdirSync(join(root, "organization.yaml"));
  expect(open).toThrow(/^could not read .*organization\.yaml: it is a folder;/);
  expect(findOrganization(root)).toBeUndefined();
});

test("a pipe in the place of organization.yaml is refused instead of waited for", () => {
  execFileSync("mkfifo", [join(root, "organization.yaml")]);
  expect(open).toThrow(/^could not read .*organization\.yaml: .* regular file$/);
});

test("a file that is called organization.yml is named", () => {
  write("organization.yml", "organization: acme\n");
  expect(open).toThrow(/^there is no organization\.yaml in .*; rename organization\.yml to it$/);
});

test("a key that is declared twice is left to the plugin, which names both places", () => {
  write("organization.yaml", "organization: acme\nsites: {}\nsites: {}\n");
  expect(open().name).toBe("acme");
});

test.each(["plain one", "a#b", "a?b", "a%2Fb", "a\nb"])(
  "the local state is in the folder, whatever its name: %j",
  (name) => {
    const folder = join(root, name);
    const url = () => parse(readFileSync(join(folder, ".docs-org", "Pulumi.yaml"), "utf8")).backend.url;
    mkdirSync(folder);
    writeFileSync(join(folder, "organization.yaml"), "organization: acme\n");
    expect(noticeOfBackend(openProject(folder, { PULUMI_HOME: root }))).toContain("no backend was chosen");
    const chosen = { PULUMI_HOME: root, PULUMI_BACKEND_URL: "postgres://me:secret@db/states" };
    expect(noticeOfBackend(openProject(folder, chosen))).toMatch(
      /^the state is kept in postgres:\/\/me@db\/states; add backend: /,
    );
    expect(noticeOfBackend(openProject(folder, { ...chosen, PULUMI_BACKEND_URL: "file:///states" }))).toBeUndefined();
    const isPlain = name === "plain one";
    expect(isPlain ? url() : fileURLToPath(url())).toBe(
      isPlain ? "file://./state" : join(folder, ".docs-org", "state"),
    );
    expect(placeOfState(folder, {})).toBe("local");
    // A moved folder has the state that moved with it.
    const moved = join(root, "moved");
    renameSync(folder, moved);
    openProject(moved, { PULUMI_HOME: root });
    expect(parse(readFileSync(join(moved, ".docs-org", "Pulumi.yaml"), "utf8")).backend.url).toBe("file://./state");
  },
);

test("broken YAML is reported with its place, not as a wrong organization", () => {
  write("organization.yaml", "organization: [acme\n");
  expect(open).toThrow(/organization\.yaml:1:15: found \[ .*\n 1 \| organization: \[acme\n/);
  expect(findOrganization(root)).toBeUndefined();
});

test.each([
  ["", ":1:1: the file is empty"],
  ["sites: {}\n", ":1:1: organization: missing;"],
  ["organization: 7\n", ":1:15: organization: found 7;"],
  ["organization: [acme]\n", ':1:15: organization: found ["acme"];'],
  ["title: &a acme\norganization: *a\n", ":2:15: found the alias *a"],
])("a file without the id of an organization is refused, and nothing is written (%#)", (content, message) => {
  write("organization.yaml", content);
  expect(open).toThrow(`organization.yaml${message}`);
  expect(findOrganization(root)).toBeUndefined();
  expect(readdirSync(root)).toEqual(["organization.yaml"]);
});

test("a variable that names another organization is refused, and chooses it if the file says so", () => {
  const openAs = (DOCS_ORGANIZATION_ID: string) => {
    vi.stubEnv("DOCS_ORGANIZATION_ID", DOCS_ORGANIZATION_ID);
    return openProject(root, { PULUMI_BACKEND_URL: "file:///backend", DOCS_ORGANIZATION_ID });
  };
  onTestFinished(() => void vi.unstubAllEnvs());
  write("organization.yaml", "organization: beta\n");
  expect(openAs("beta").name).toBe("beta");
  expect(messageOf(() => openAs("acme"))).toHaveWording("another organization in a variable");
  write("organization.yaml", `organization: ${organizationVariable}\n`);
  // The project of one organization is not that of another one in the same folder.
  expect(openAs("acme").name).toBe("acme");
  expect(openAs("beta")).toMatchObject({ name: "beta", organizationId: "beta" });
  vi.stubEnv("DOCS_ORGANIZATION_ID", undefined);
  expect(messageOf(open)).toContain("organization.yaml:1:15: DOCS_ORGANIZATION_ID is not set");
});

test.each(["x".repeat(101), "a b", ".a"])("the id %j cannot name a project", (id) => {
  write("organization.yaml", `organization: ${id}\n`);
  expect(open).toThrow(/^organization\.yaml: organization: found ".*; .* 100 char/);
  expect(readdirSync(root)).toEqual(["organization.yaml"]);
});

test.each([Buffer.from("organization: acme\n", "utf16le"), Buffer.from([0xff, 0xfe, 0x00, 0x01])])(
  "a file that is not UTF-8 is refused (%#)",
  (content) => {
    write("organization.yaml", content);
    expect(open).toThrow(/organization\.yaml:1:\d+: (.* not UTF-8|found the invisible)/);
  },
);

test("what a killed engine left of a description of the state is removed, and nothing else", () => {
  write("organization.yaml", "organization: acme\n");
  const stacks = join(root, ".docs-org", "state", ".pulumi", "stacks", "acme");
  mkdirSync(stacks, { recursive: true });
  const files = { "main.json": "{}", "main.json.attrs": "", "other.json": "", "other.json.attrs": '{"md5":"x"}' };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(stacks, name), text);
  writeFileSync(join(stacks, "cut.json.attrs"), '{"md5":');
  openProject(root, { PULUMI_HOME: root });
  expect(readdirSync(stacks).sort()).toEqual(["main.json", "other.json", "other.json.attrs"]);
});

test("a byte order mark and CRLF are accepted", () => {
  write("organization.yaml", "\uFEFForganization: acme\r\n");
  expect(open().name).toBe("acme");
});

test("a file in the place of the project is refused", () => {
  write("organization.yaml", "organization: acme\n");
  write(".docs-org", "");
  expect(open).toThrow(expect.toHaveWording("a file in the place of the project"));
});

test("a project without properties is refused", () => {
  write("organization.yaml", "organization: acme\n");
  mkdirSync(join(root, ".docs-org"));
  write(".docs-org/Pulumi.yaml", "text");
  expect(open).toThrow(/^could not read \.docs-org\/Pulumi\.yaml: found no properties; correct it, or restore/);
});

test("the files of the project are replaced as a whole, and nothing else is left", () => {
  write("organization.yaml", "organization: acme\n");
  open();
  write(".docs-org/index.js", "half");
  open();
  expect(readdirSync(join(root, ".docs-org")).sort()).toEqual([".gitignore", "Pulumi.yaml", "index.js", "state"]);
});

test.each([
  ["organization: acme # the id", "organization: acme # the id\nbackend: s3://b\n"],
  ["backend: s3://a # owned by ops\norganization: acme\n", "backend: s3://b # owned by ops\norganization: acme\n"],
  [
    "organization: acme\nbackend: # ops\n  's3://a'\nsites: {}\n",
    "organization: acme\nbackend: # ops\n  s3://b\nsites: {}\n",
  ],
  ["backend: >-\r\n  s3://a\r\norganization:\r\n  acme\r\n", "backend: s3://b\r\norganization:\r\n  acme\r\n"],
  ['"organization": "acme"\r\nsites: {}', '"organization": "acme"\r\nbackend: s3://b\r\nsites: {}'],
  ["{ organization: acme, backend: s3://a }", "{ organization: acme, backend: s3://b }"],
  ["{ organization: acme }\n", "{ organization: acme, backend: s3://b }\n"],
  ["!!str organization: acme\n", undefined],
])("a backend is written without a change of anything else (%#)", (before, after) => {
  write("organization.yaml", before);
  const writing = () => writeBackend(root, "s3://b");
  if (after === undefined) expect(writing).toThrow('write "backend: s3://b" into it');
  else writing();
  expect(readFileSync(join(root, "organization.yaml"), "utf8")).toBe(after ?? before);
  expect(readdirSync(root)).toEqual(["organization.yaml"]);
});

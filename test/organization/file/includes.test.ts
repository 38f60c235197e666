import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { loadOrganization } from "../../../provider/organization/file/loader";
import { certificateOne } from "../../support/certificates";
import { folderWith, load, mistakesInFolder, now, refusalOf } from "../files";

const root = (sections: string) => ({ "organization.yaml": `organization: o\n${sections}` });

test("the example of a large organization is read from its files", () => {
  const { organization, places } = loadOrganization("examples/organization-file/large/organization.yaml", { now });
  expect(organization.members).toEqual({ "lead@acme.test": "admin", "writer@acme.test": "edit" });
  expect(Object.keys(organization.teams ?? {})).toEqual(["team_docs", "team_platform"]);
  expect(places.of(["teams", "team_platform", "members", "lead@acme.test"])).toEqual({
    file: "examples/organization-file/large/teams/platform.yaml",
    line: 4,
    column: 14,
  });
});

test("a file can leave the organization to a variable, and choose its includes by it; no other variable is read", () => {
  const [chosen, home] = [`\${DOCS_ORGANIZATION_ID}`, `\${HOME}`];
  const files = {
    "organization.yaml": `organization: ${chosen}\nteams: !include teams/${chosen}.yaml\nsites: { s: { title: "${home}" } }\n`,
    "teams/acme.yaml": "t1: { members: { a: owner } }\n",
    "teams/beta.yaml": "t2: { members: { a: owner } }\n",
  };
  for (const [id, team] of [
    ["acme", "t1"],
    ["beta", "t2"],
  ] as const) {
    vi.stubEnv("DOCS_ORGANIZATION_ID", id);
    const { organization } = load(files);
    expect(organization).toMatchObject({ organization: id, sites: { s: { title: home } } });
    expect(Object.keys(organization.teams ?? {})).toEqual([team]);
  }
  vi.stubEnv("DOCS_ORGANIZATION_ID", undefined);
  expect(mistakesInFolder(folderWith(files))).toEqual([
    expect.stringContaining(":1:15: DOCS_ORGANIZATION_ID is not set"),
    expect.stringContaining(":2:17: DOCS_ORGANIZATION_ID is not set"),
  ]);
  vi.unstubAllEnvs();
});

test("every section can be included, and so can the members of a team; paths are relative to their file", () => {
  const { organization, places } = load({
    ...root(
      ["members", "sites", "saml", "translations"].map((name) => `${name}: !include ${name}.yml\n`).join("") +
        'teams: !include "**/*.team.yaml"\n',
    ),
    "members.yml": "a: admin\n",
    "sites.yml": "s: { title: Site }\n",
    "saml.yml": "idp: { label: IdP }\n",
    "translations.yml": "fr: { source: { space: s, language: en }, language: fr }\n",
    "b.team.yaml": "t2: { members: { a: owner } }\n",
    "teams/deep/a.team.yaml":
      "t1: { members: !include people/?.yaml }\nt3: { members: !include ../../members.team.yml }\n",
    "teams/deep/people/1.yaml": "a: owner\n",
    "teams/deep/people/2.yaml": "b: member\n",
    "members.team.yml": "c: member\n",
    "node_modules/x.team.yaml": "t4: {}\n",
    ".hidden/x.team.yaml": "t5: {}\n",
  });
  expect(organization).toEqual({
    organization: "o",
    members: { a: "admin" },
    sites: { s: { title: "Site" } },
    saml: { idp: { label: "IdP" } },
    translations: { fr: { source: { space: "s", language: "en" }, language: "fr" } },
    teams: {
      t1: { members: { a: "owner", b: "member" } },
      t2: { members: { a: "owner" } },
      t3: { members: { c: "member" } },
    },
  });
  expect(places.of(["teams", "t1", "members", "b"])?.file).toMatch(/\/teams\/deep\/people\/2\.yaml$/);
});

test("a certificate is read relative to the file that names it", () => {
  const { organization } = load({
    ...root("saml: !include saml/*.yaml\n"),
    "saml/idp.yaml": "idp: { label: IdP, certificateFile: idp.pem }\n",
    "saml/idp.pem": certificateOne,
  });
  expect(organization.saml?.idp).toEqual({ label: "IdP", certificate: certificateOne });
});

test("mistakes in several files are in one message, each with its file", () => {
  const folder = folderWith({
    ...root('teams: !include "*/*.yaml"\nmembers: !include members.yaml\n'),
    "a/1.yaml": "t1: { members: { a: boss } }\n",
    "a/2.yaml": "\tt2: {}\n",
    "b/1.yaml": "t1: {}\n",
    "b/2.yaml": "",
    "b/3.yaml": "- t3\n",
    "members.yaml": "W@x.test: read\nw@x.test: read\n",
  });
  expect(mistakesInFolder(folder).join("\n")).toHaveWording("mistakes of included files");
});

test("two spellings of a user in two files are found", () => {
  const folder = folderWith({
    ...root('members: !include "?.yaml"\n'),
    "a.yaml": "W@x.test: read\n",
    "b.yaml": "w@x.test: read\n",
  });
  expect(refusalOf(folder)).toMatch(/^b\.yaml:1:1: .*\ba\.yaml, line 1\)$/m);
});

test.each([
  "/etc/hosts.yaml",
  "C:/x.yaml",
  "../other/x.yaml",
  "../*/x.yaml",
  "in/../../other/*.yaml",
  "in/**/../../../x.yaml",
  "link/x.yaml",
  "link/*.yaml",
  "file.yaml",
  "in/self.yaml",
  "in/none/*.yaml",
  "*/*/none*.yaml",
  "folder.yaml",
  "pipe.yaml",
  "large.yaml",
  "**/**/x.yaml",
  "*a*a*a*.yaml",
  "+(a|aa)+.yaml",
  "{a,b}.yaml",
  ".env",
])("!include %s is refused", (pattern) => {
  const base = folderWith({
    "other/x.yaml": "secret: read\n",
    "home/organization.yaml": `organization: o\nteams: !include in/one.yaml\nmembers: !include "${pattern}"\n`,
    "home/in/one.yaml": "t: {}\n",
    "home/.env": "secret\n",
  });
  const home = join(base, "home");
  mkdirSync(join(home, "folder.yaml"));
  symlinkSync("../other", join(home, "link"));
  symlinkSync("../other/x.yaml", join(home, "file.yaml"));
  symlinkSync("../organization.yaml", join(home, "in/self.yaml"));
  execFileSync("mkfifo", [join(home, "pipe.yaml")]);
  writeFileSync(join(home, "large.yaml"), "");
  truncateSync(join(home, "large.yaml"), 8 * 1024 * 1024 + 1);
  const message = refusalOf(home);
  expect(message).toMatch(/^organization\.yaml:3:19: /);
  expect(message.split("\n")[0]).toHaveWording(pattern);
  expect(message).not.toContain("secret");
});

test("links inside the folder are followed, except cycles", () => {
  const folder = folderWith({ ...root('teams: !include "in/**/*.yaml"\n'), "in/a.yaml": "t: {}\n" });
  symlinkSync("..", join(folder, "in/ring"));
  symlinkSync("a.yaml", join(folder, "in/b.yaml"));
  expect(refusalOf(folder)).toMatch(/^in\/b\.yaml:1:1: "t" is declared twice; .*\bin\/a\.yaml, line 1\)/);
});

test("the number of includes is limited", () => {
  const teams = Array.from({ length: 1001 }, (_, index) => `  t${index}: { members: !include m.yaml }\n`).join("");
  const folder = folderWith({ ...root(`teams:\n${teams}`), "m.yaml": "a: owner\n" });
  const reason = "!include m.yaml: there are more than 1000 includes before it";
  expect(refusalOf(folder)).toMatch(new RegExp(`^organization\\.yaml:1003:30: ${reason}\n`));
});

test("a file that matches its own pattern is reported", () => {
  const folder = folderWith(root('teams: !include "*.yaml"\n'));
  expect(refusalOf(folder)).toMatch(/^organization\.yaml:2:17: !include organization\.yaml: .* itself/);
});

test("members that include each other are reported", () => {
  const folder = folderWith({
    ...root("teams: !include a.yaml\n"),
    "a.yaml": "t: { members: !include b.yaml }\n",
    "b.yaml": "u: !include a.yaml\n",
  });
  expect(refusalOf(folder)).toMatch(/^b\.yaml:1:13: !include can only replace members/);
});

test("the file itself must be in its folder, exist, have the right name, and be no folder", () => {
  const base = folderWith({ "other/x.yaml": "secret: read\n", "home/organisation.yaml": "organization: o\n" });
  const home = join(base, "home");
  const file = join(home, "organization.yaml");
  expect(refusalOf(home)).toHaveWording("a file of another name");
  symlinkSync("../other/x.yaml", file);
  expect(refusalOf(home)).toHaveWording("a file outside its folder");
  const folder = () => loadOrganization(base);
  expect(refusalOf(home, folder).replace(base, "FOLDER")).toHaveWording("a folder instead of a file");
  const nowhere = () => loadOrganization(join(home, "no/organization.yaml"));
  expect(refusalOf(home, nowhere)).toHaveWording("a file that does not exist");
});

test.each([
  ["values in values", `members: ${"[".repeat(100_000)}\n`, "nested too deeply"],
  ["closed values in values", `members: ${"[".repeat(500)}${"]".repeat(500)}\n`, "this is nested too deeply"],
  [
    "indented without end",
    `members:\n${Array.from({ length: 1500 }, (_, i) => `${" ".repeat(i + 1)}a:`).join("\n")}\n`,
    "nested too deeply",
  ],
  [
    "a billion laughs",
    `a: &a [x, x]\n${Array.from({ length: 30 }, (_, i) => `b${i}: &b${i} [*${i ? `b${i - 1}` : "a"}, *${i ? `b${i - 1}` : "a"}]`).join("\n")}\n`,
    "found the anchor &b29",
  ],
  ["a text for a terminal", "members: { a: \u001B[2J }\n", "invisible character U+001B"],
])("%s: refused", (_, text, reason) => {
  const message = refusalOf(folderWith(root(text)));
  expect(message).toContain(reason);
  expect(message).not.toContain("\u001B");
});

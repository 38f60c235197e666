import { expect, test } from "vitest";
import { certificateOne } from "../support/certificates";
import { folderWith, loadIn, mistakesInFolder, refusalOf } from "./files";

const mistakesOf = (text: string | Buffer, others: Readonly<Record<string, string>> = {}) =>
  mistakesInFolder(folderWith({ "organization.yaml": text, ...others }));

/** A file of the organization `o` with the rest of its lines. */
const file = (rest: string) => `organization: o\n${rest}`;

/** Files, each with one mistake; `messages.txt` has the messages. */
const table: readonly [name: string, text: string][] = [
  // The text itself.
  ["empty", ""],
  ["only comments", "# later\n"],
  ["a list", "- a\n"],
  ["a tab", "organization: o\nmembers:\n\ta: read\n"],
  ["no space", "organization: o\nmembers:\n  a:read\n  b: read\n"],
  ["no colon", "organization: o\nmembers\n"],
  ["an open bracket", "organization: o\nguards: { minAdmins: 1\n"],
  ["a pair in an open list", "organization: o\nmembers: [a\n  b: c\n"],
  ["an open quote", "organization: 'o\n"],
  // One mistake is one message, whatever a parser makes of the rest.
  ["a bracket too many", "organization: o\nmembers: { a: read }}\nteams:\n  t:\n    members:\n      a: owner\n"],
  [
    "a merge conflict",
    "organization: o\n<<<<<<< HEAD\nmembers: { a: read }\n=======\nmembers: { a: edit }\n>>>>>>> other\nteams: {}\n",
  ],
  ["lines that are indented otherwise", "organization: o\nmembers:\n  a: read\n b: read\nteams: {}\n"],
  ["tabs in two lines", "organization: o\nmembers:\n\ta: read\n\tb: read\n"],
  ["a reserved character", "organization: @o\n"],
  ["two colons", "organization: a: b\n"],
  ["two documents", "organization: o\n---\norganization: p\n"],
  ["an older YAML", "%YAML 1.1\n---\norganization: o\n"],
  ["a turned direction", "organization: o # \u202Eabc\n"],
  ["a control character", "organization: \u0000\n"],
  // YAML that is more than data.
  ["an anchor", "organization: &id o\n"],
  ["an alias", file("members: { a: *x }\n")],
  ["a merge key", file("members: { <<: { a: read } }\n")],
  ["a tag", file("members: !people { a: read }\n")],
  ["binary", "organization: !!binary aGk=\n"],
  ["a key with a tag", file("members: { !!str a: read }\n")],
  ["a list as key", file("members: { [a]: read }\n")],
  ["no key", file("members: { : read }\n")],
  ["a dangerous key", file("members: { __proto__: read }\n")],
  ["an empty key", file("members: { '': read }\n")],
  // Keys.
  ["a duplicate", file("members: { a: read, 'a': edit }\n")],
  ["a duplicate section", "organization: o\nmembers: {}\nmembers: {}\n"],
  ["two spellings", file("members:\n  W@x.test: read\n  w@x.test: read\n")],
  ["two spellings in a team", file("teams: { t: { members: { W@x.test: owner, w@x.test: owner } } }\n")],
  ["a pattern as member", file("members: { '*@acme.test': read }\n")],
  ["an invisible character in a name", file('members: { "a\u200B": read }\n')],
  ["a letter that nobody sees, in an e-mail", file('members: { "ada\u3164@acme.test": read }\n')],
  [
    "a pattern of too many stars",
    file(`teams: { t: { members: { ${"a".repeat(30)}@x.test: owner }, ignore: ["${"*a".repeat(1_000)}"] } }\n`),
  ],
  ["a pattern with parentheses", file('teams: { t: { members: { a@x.test: owner }, ignore: ["+(a|b)@x.test"] } }\n')],
  ["a strange team", file("teams: { 'a::b': {} }\n")],
  ["a strange site", file("sites: { -a: {} }\n")],
  ["an unknown section", file("member: { a: read }\n")],
  // Values.
  ["no organization", "members: {}\n"],
  ["a number", "organization: 12\n"],
  ["a wrong role", file("members: { a: reed }\n")],
  ["no role", file("members:\n  a:\n")],
  ["expires without a role", file("members: { a: { expires: { on: 2027-01-31, then: read } } }\n")],
  ["expires without then", file("members: { a: { role: edit, expires: { on: 2027-01-31 } } }\n")],
  ["a day alone", file("members: { a: { role: edit, expires: 2027-01-31 } }\n")],
  ["a day alone in a team", file("teams: { t: { members: { a: { role: owner, expires: 2027-01-31 } } } }\n")],
  ["an impossible day", file("members: { a: { role: edit, expires: { on: 2027-02-30, then: read } } }\n")],
  ["a day of another form", file("members: { a: { role: edit, expires: { on: 31.1.2027, then: read } } }\n")],
  ["an impossible time", file("members: { a: { role: edit, expires: { on: 2027-02-30T18:00Z, then: read } } }\n")],
  ["a time without an offset", file("members:\n  a:\n    role: edit\n    from: 2027-01-31 18:00\n")],
  [
    "a beginning after the end",
    file("members: { a: { role: edit, from: 2027-02-01, expires: { on: 2027-02-01T00:30+01:00, then: read } } }\n"),
  ],
  ["a mark taken back", file("members: { a: { role: edit, sso: false } }\n")],
  ["a role in a team", file("teams: { t: { members: { a: admin } } }\n")],
  [
    "what follows in a team",
    file("teams: { t: { members: { a: { role: owner, expires: { on: 2027-01-31, then: read } } } } }\n"),
  ],
  ["a long title", file(`teams: { t: { title: ${"x".repeat(65)} } }\n`)],
  ["no share", file("guards: { maxRemovals: many }\n")],
  ["half a person", file("guards: { maxRemovals: 2.5 }\n")],
  ["a share of nothing", file("guards: { maxRemovals: 0% }\n")],
  ["a wrong visibility", file("sites: { s: { visibility: publik } }\n")],
  ["no include", file("teams: teams/*.yaml\n")],
  ["a misplaced include", file("guards: !include guards.yaml\n")],
  ["an include of a map", file("teams: !include { a: b }\n")],
  // What two places say.
  [
    "approvers of what the file lacks",
    file('guards: { approvers: { admn: [ada], team_b: ["@ada"], admin: [ada] } }\nmembers: { b: admin }\n'),
  ],
  ["an administrator who is not there", file("guards: { requiredAdmins: [a] }\nmembers: { b: admin }\n")],
  [
    "an administrator misspelt",
    file("guards: { requiredAdmins: [ops@acme.tset] }\nmembers: { ops@acme.test: admin }\n"),
  ],
  ["an administrator who is none", file("guards: { requiredAdmins: [a] }\nmembers: { a: edit }\n")],
  [
    "an administrator no longer",
    file(
      "guards: { requiredAdmins: [A@x.test] }\nmembers: { a@x.test: { role: admin, expires: { on: 2026-11-30, then: read } } }\n",
    ),
  ],
  [
    "an administrator later",
    file("guards: { requiredAdmins: [A@x.test] }\nmembers: { a@x.test: { role: admin, from: 2027-01-31 } }\n"),
  ],
  ["a backend with a variable", file("backend: s3://states/\u0024{DOCS_ORGANIZATION_ID}\n")],
  ["too few administrators", file("guards: { minAdmins: 2 }\nmembers: { a: admin }\n")],
  [
    "too few administrators after the end of a grant",
    file(
      "guards: { minAdmins: 2 }\nmembers: { a: admin, b: { role: admin, expires: { on: 2026-11-30, then: read } }, c: { role: admin, from: 2027-01-31 } }\n",
    ),
  ],
  ["no administrators", file("guards: { minAdmins: 2 }\nmembers: {}\n")],
  [
    "somebody who is a member of a team and ignored in it",
    file(
      'teams: { t: { members: { A@x.test: owner, user_b: member, c@y.test: member }, ignore: ["*@X.test", user_b] } }\n',
    ),
  ],
  ["an unknown team", file("teams: { t: {} }\nsaml: { s: { label: S, defaultTeam: other_team } }\n")],
  [
    "two certificates",
    file(`saml: { s: { label: S, certificate: ${JSON.stringify(certificateOne)}, certificateFile: a.pem } }\n`),
  ],
  ["two certificates, one elsewhere", file("saml: { s: { certificate: x, certificateFile: ../a.pem } }\n")],
  ["no schema", file("sites: { s: { adaptiveSchema: {} } }\n")],
  [
    "an unsigned claim among the signed ones",
    file("sites: { s: { adaptiveSchema: { claims: { unsigned: { type: boolean, description: d } } } } }\n"),
  ],
  // Certificates and includes by name.
  ["no certificate", file("saml: { s: { label: S, certificate: secret } }\n")],
  ["no certificate in the file", file("saml: { s: { label: S, certificateFile: note.txt } }\n")],
  ["no file of a certificate", file("saml: { s: { label: S, certificateFile: a.pem } }\n")],
  ["a certificate elsewhere", file("saml: { s: { label: S, certificateFile: ../a.pem } }\n")],
  ["nothing to include", file("teams: !include teams/*.yaml\n")],
  ["a file to include that is not there", file("teams: !include teams.yaml\n")],
  ["an include without quotes", file("teams: !include *.yaml\n")],
  ["an include of another kind", file("teams: !include note.txt\n")],
];

test.each(table)("%s has a message with its place, and one that says what to do", (name, text) => {
  const mistakes = mistakesOf(text, { "note.txt": "my secret" });
  expect(mistakes.join("\n").replaceAll("organization.yaml:", "")).toHaveWording(name);
});

test("text that is not UTF-8 is reported with its line", () => {
  const text = Buffer.from("organization: o\nmembers: { m\xFCller@acme.test: read }\n", "latin1");
  expect(mistakesOf(text)).toEqual([expect.toHaveWording("a file that is not UTF-8")]);
  const wide = Buffer.from("\uFEFForganization: o\n", "utf16le");
  expect(mistakesOf(wide)[0]).toMatch(/^organization.yaml:1:1: .* not UTF-8/);
});

test.each([
  "saml: { s: { label: S, certificate: secret } }",
  "backend: postgres://me:secret@db/states",
  "backend: postgres:/me:secret@db",
])("a secret is never quoted: %s", (line) => {
  expect(refusalOf(folderWith({ "organization.yaml": `organization: o\n${line}\n` }))).not.toContain("secret");
});

test("nothing is checked against a section that the file does not have", () => {
  const text =
    "organization: o\nguards: { minAdmins: 5, requiredAdmins: [a] }\nsaml: { s: { label: S, defaultTeam: t } }\n";
  expect(() => loadIn(folderWith({ "organization.yaml": text }))).not.toThrow();
});

test.each(["null", "[]", "5"])("members that are %s are one mistake", (members) => {
  const text = `organization: o\nguards: { minAdmins: 2, requiredAdmins: [a] }\nmembers: ${members}\n`;
  expect(mistakesOf(text)).toEqual([expect.stringContaining(`.yaml:3:10: members: found ${members};`)]);
});

test("a mistake causes no other mistakes", () => {
  const text = file("guards: { minAdmins: 1, requiredAdmins: [a@x.test] }\nmembers: { A@x.test: admn }\n");
  expect(mistakesOf(text)).toEqual([expect.stringContaining('.yaml:3:22: members["A@x.test"]: found "admn";')]);
});

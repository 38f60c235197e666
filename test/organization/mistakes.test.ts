import { expect, test } from "vitest";
import { certificateOne } from "../support/certificates";
import { filesIn, loadIn, refusalOf } from "./files";

/** What is wrong with a file, without the quoted lines. */
function mistakesOf(text: string | Buffer, others: Readonly<Record<string, string>> = {}): string[] {
  const message = refusalOf(filesIn({ "organization.yaml": text, ...others }));
  return message.split("\n").filter((line) => !/^ +\d* \| /.test(line));
}

const roles = '"admin", "create", "review", "edit", "comment", "read", "guest"';
const writtenOut = "write the values out where they are used, so that reviewers see them";
const forms = "use a path with /, to files that end in .yaml or .yml, with the wildcards *, ** and ?";

/** A file with more than its first line. */
const o = (rest: string) => `organization: o\n${rest}`;

/** Files, each with one mistake, and the message expected. */
const table: readonly [name: string, text: string, ...expected: string[]][] = [
  // The text itself.
  ["empty", "", "1:1: the file is empty"],
  ["only comments", "# later\n", "1:1: the file is empty"],
  ["a list", "- a\n", '1:1: found ["a"]; use an object'],
  ["a tab", "organization: o\nmembers:\n\ta: read\n", "3:1: found a tab; indent with spaces"],
  [
    "no space",
    "organization: o\nmembers:\n  a:read\n  b: read\n",
    '3:3: found a line without a key; write "key: value", with a space after the colon',
  ],
  [
    "no colon",
    "organization: o\nmembers\n",
    '2:1: found a line without a key; write "key: value", with a space after the colon',
  ],
  ["an open bracket", "organization: o\nguards: { minAdmins: 1\n", "2:9: found { without its end; close it with }"],
  [
    "a pair in an open list",
    "organization: o\nmembers: [a\n  b: c\n",
    "2:10: found [ without its end; close it with ]",
    '2:11: found a line without a key; write "key: value", with a space after the colon',
  ],
  ["an open quote", "organization: 'o\n", "1:15: found ' without its end; close it with '"],
  // One mistake is one message, whatever a parser makes of the rest.
  [
    "a bracket too many",
    "organization: o\nmembers: { a: read }}\nteams:\n  t:\n    members:\n      a: owner\n",
    "2:21: found } after the end of a value; remove it, or put the whole value in quotes",
  ],
  [
    "a merge conflict",
    "organization: o\n<<<<<<< HEAD\nmembers: { a: read }\n=======\nmembers: { a: edit }\n>>>>>>> other\nteams: {}\n",
    "2:1: found the marker of a merge conflict; resolve the conflict",
  ],
  [
    "lines that are indented otherwise",
    "organization: o\nmembers:\n  a: read\n b: read\nteams: {}\n",
    "4:1: found a line that is not indented like the lines beside it; indent them alike",
  ],
  [
    "tabs in two lines",
    "organization: o\nmembers:\n\ta: read\n\tb: read\n",
    "3:1: found a tab; indent with spaces",
    "4:1: found a tab; indent with spaces",
  ],
  ["a reserved character", "organization: @o\n", "1:15: found @ as the first character; put the text in quotes"],
  [
    "two colons",
    "organization: a: b\n",
    "1:15: found a second key in one line, or a line that is indented too far; begin a new line, or put the text in quotes",
  ],
  [
    "two documents",
    "organization: o\n---\norganization: p\n",
    "2:1: found a second document; use one in a file, without ---",
  ],
  [
    "an older YAML",
    "%YAML 1.1\n---\norganization: o\n",
    "1:1: found YAML 1.1; the file is read as YAML 1.2, so remove this line",
  ],
  ["a turned direction", "organization: o # \u202Eabc\n", "1:19: found the invisible character U+202E; remove it"],
  ["a control character", "organization: \u0000\n", "1:15: found the invisible character U+0000; remove it"],
  // YAML that is more than data.
  ["an anchor", "organization: &id o\n", `1:19: found the anchor &id; ${writtenOut}`],
  [
    "an alias",
    o("members: { a: *x }\n"),
    `2:15: found the alias *x; if it is a text, put it in quotes: "*x"; if not, ${writtenOut}`,
  ],
  ["a merge key", o("members: { <<: { a: read } }\n"), `2:12: found the merge key <<; ${writtenOut}`],
  ["a tag", o("members: !people { a: read }\n"), "2:10: !people has no meaning here; remove it"],
  ["binary", "organization: !!binary aGk=\n", "1:24: !!binary cannot be used; remove it"],
  ["a key with a tag", o("members: { !!str a: read }\n"), "2:18: a key must be a text without a tag"],
  ["a list as key", o("members: { [a]: read }\n"), "2:12: a key must be a text without a tag"],
  ["no key", o("members: { : read }\n"), "2:11: a key must be a text without a tag"],
  ["a dangerous key", o("members: { __proto__: read }\n"), "2:12: this name cannot be used"],
  // Keys.
  [
    "a duplicate",
    o("members: { a: read, 'a': edit }\n"),
    '2:21: "a" is declared twice; keep one of them (the first is in line 2)',
  ],
  [
    "a duplicate section",
    "organization: o\nmembers: {}\nmembers: {}\n",
    '3:1: "members" is declared twice; keep one of them (the first is in line 2)',
  ],
  [
    "two spellings",
    o("members:\n  W@x.test: read\n  w@x.test: read\n"),
    '4:3: members["w@x.test"]: "w@x.test" is the same user as "W@x.test"; keep one of them (the first is in line 3)',
  ],
  [
    "two spellings in a team",
    o("teams: { t: { members: { W@x.test: owner, w@x.test: owner } } }\n"),
    '2:43: teams.t.members["w@x.test"]: "w@x.test" is the same user as "W@x.test"; keep one of them (the first is in line 2)',
  ],
  [
    "a pattern as member",
    o("members: { '*@acme.test': read }\n"),
    '2:12: members["*@acme.test"]: found "*@acme.test"; use a user id or an e-mail of one person, without spaces and wildcards',
  ],
  [
    "an invisible character in a name",
    o('members: { "a\u200B": read }\n'),
    '2:12: members["a\\u200b"]: found "a\\u200b"; use a user id or an e-mail of one person, without spaces and wildcards',
  ],
  [
    "a letter that nobody sees, in an e-mail",
    o('members: { "ada\u3164@acme.test": read }\n'),
    '2:12: members["ada\\u3164@acme.test"]: found "ada\\u3164@acme.test"; use a user id or an e-mail of one person, without spaces and wildcards',
  ],
  [
    "a pattern of too many stars",
    o(`teams: { t: { members: { ${"a".repeat(30)}@x.test: owner }, ignore: ["${"*a".repeat(1_000)}"] } }\n`),
    `2:83: teams.t.ignore[0]: found "${"*a".repeat(28)}*..."; use at most 401 characters`,
  ],
  [
    "a pattern with parentheses",
    o('teams: { t: { members: { a@x.test: owner }, ignore: ["+(a|b)@x.test"] } }\n'),
    '2:54: teams.t.ignore[0]: found "+(a|b)@x.test"; use only the wildcards * and ?, and several patterns for alternatives',
  ],
  [
    "a strange team",
    o("teams: { 'a::b': {} }\n"),
    '2:10: teams["a::b"]: found "a::b"; use the id of a team: at most 100 characters without spaces, colons and slashes',
  ],
  [
    "a strange site",
    o("sites: { -a: {} }\n"),
    '2:10: sites["-a"]: found "-a"; use a name of letters, digits, dots, hyphens and underscores, with a letter or a digit first, at most 100 characters',
  ],
  ["an unknown section", o("member: { a: read }\n"), '2:1: member: there is no such property; did you mean "members"?'],
  // Values.
  ["no organization", "members: {}\n", "1:1: organization: missing; use a string"],
  ["a number", "organization: 12\n", "1:15: organization: found 12; use a string, in quotes"],
  [
    "a wrong role",
    o("members: { a: reed }\n"),
    `2:15: members.a: found "reed"; use one of ${roles}; did you mean "read"?`,
  ],
  ["no role", o("members:\n  a:\n"), `3:5: members.a: found null; use one of ${roles}, or an object with a role`],
  [
    "expires without a role",
    o("members: { a: { expires: { on: 2027-01-31, then: read } } }\n"),
    `2:12: members.a.role: missing; use one of ${roles}`,
  ],
  [
    "expires without then",
    o("members: { a: { role: edit, expires: { on: 2027-01-31 } } }\n"),
    `2:29: members.a.expires.then: missing; use one of ${roles}, "previous", "remove"`,
  ],
  [
    "a day alone",
    o("members: { a: { role: edit, expires: 2027-01-31 } }\n"),
    '2:38: members.a.expires: found "2027-01-31"; use an object such as { on: 2027-01-31, then: remove }',
  ],
  [
    "a day alone in a team",
    o("teams: { t: { members: { a: { role: owner, expires: 2027-01-31 } } } }\n"),
    '2:53: teams.t.members.a.expires: found "2027-01-31"; use an object such as { on: 2027-01-31 }',
  ],
  [
    "an impossible day",
    o("members: { a: { role: edit, expires: { on: 2027-02-30, then: read } } }\n"),
    '2:44: members.a.expires.on: found "2027-02-30"; use a day that exists, written as 2027-01-31',
  ],
  [
    "a day of another form",
    o("members: { a: { role: edit, expires: { on: 31.1.2027, then: read } } }\n"),
    '2:44: members.a.expires.on: found "31.1.2027"; use a day that exists, written as 2027-01-31',
  ],
  [
    "a mark taken back",
    o("members: { a: { role: edit, sso: false } }\n"),
    "2:34: members.a.sso: found false; use true, or omit it: the API cannot remove the mark",
  ],
  [
    "a role in a team",
    o("teams: { t: { members: { a: admin } } }\n"),
    '2:29: teams.t.members.a: found "admin"; use one of "owner", "member"',
  ],
  [
    "what follows in a team",
    o("teams: { t: { members: { a: { role: owner, expires: { on: 2027-01-31, then: read } } } } }\n"),
    '2:77: teams.t.members.a.expires.then: found "read"; use one of "owner", "member", "remove"',
  ],
  [
    "a long title",
    o(`teams: { t: { title: ${"x".repeat(65)} } }\n`),
    `2:22: teams.t.title: found "${"x".repeat(57)}..." (65 characters); use 1 to 64 characters`,
  ],
  [
    "no share",
    o("guards: { maxRemovals: many }\n"),
    '2:24: guards.maxRemovals: found "many"; use a whole number such as 5, or a share from "1%" to "100%"',
  ],
  [
    "half a person",
    o("guards: { maxRemovals: 2.5 }\n"),
    '2:24: guards.maxRemovals: found 2.5; use a whole number such as 5, or a share from "1%" to "100%"',
  ],
  [
    "a share of nothing",
    o("guards: { maxRemovals: 0% }\n"),
    '2:24: guards.maxRemovals: found "0%"; use a whole number such as 5, or a share from "1%" to "100%"',
  ],
  [
    "a wrong visibility",
    o("sites: { s: { visibility: publik } }\n"),
    '2:27: sites.s.visibility: found "publik"; use one of "public", "unlisted", "share-link", "visitor-auth"; did you mean "public"?',
  ],
  [
    "no include",
    o("teams: teams/*.yaml\n"),
    '2:8: teams: found "teams/*.yaml"; use an object; did you mean !include teams/*.yaml?',
  ],
  [
    "a misplaced include",
    o("guards: !include guards.yaml\n"),
    "2:18: !include can only replace members, teams, saml, sites or translations, or the members of a team",
  ],
  ["an include of a map", o("teams: !include { a: b }\n"), "2:8: !include has no meaning here; remove it"],
  // What two places say.
  [
    "an administrator who is not there",
    o("guards: { requiredAdmins: [a] }\nmembers: { b: admin }\n"),
    '2:28: guards.requiredAdmins[0]: "a" is not in members; add a there as admin',
  ],
  [
    "an administrator misspelt",
    o("guards: { requiredAdmins: [ops@acme.tset] }\nmembers: { ops@acme.test: admin }\n"),
    '2:28: guards.requiredAdmins[0]: "ops@acme.tset" is not in members; did you mean "ops@acme.test"?',
  ],
  [
    "an administrator who is none",
    o("guards: { requiredAdmins: [a] }\nmembers: { a: edit }\n"),
    '2:28: guards.requiredAdmins[0]: "a" has the role edit in members; declare admin there, or remove the user from requiredAdmins',
  ],
  [
    "an administrator no longer",
    o(
      "guards: { requiredAdmins: [A@x.test] }\nmembers: { a@x.test: { role: admin, expires: { on: 2026-11-30, then: read } } }\n",
    ),
    '2:28: guards.requiredAdmins[0]: "A@x.test" was admin until the end of 2026-11-30 in members; declare admin there, or remove the user from requiredAdmins',
  ],
  [
    "too few administrators",
    o("guards: { minAdmins: 2 }\nmembers: { a: admin }\n"),
    "2:22: guards.minAdmins: requires 2, and members has only 1 (a); declare more administrators",
  ],
  [
    "too few administrators after the end of a grant",
    o("guards: { minAdmins: 2 }\nmembers: { a: admin, b: { role: admin, expires: { on: 2026-11-30, then: read } } }\n"),
    "2:22: guards.minAdmins: requires 2, and members has only 1 (a), because the grant of b has ended; declare more administrators",
  ],
  [
    "no administrators",
    o("guards: { minAdmins: 2 }\nmembers: {}\n"),
    "2:22: guards.minAdmins: requires 2, and members has no administrator; declare more administrators",
  ],
  [
    "somebody who is a member of a team and ignored in it",
    o(
      'teams: { t: { members: { A@x.test: owner, user_b: member, c@y.test: member }, ignore: ["*@X.test", user_b] } }\n',
    ),
    '2:26: teams.t.members["A@x.test"]: "A@x.test" also matches ignore of the team; use either members or ignore',
    '2:43: teams.t.members.user_b: "user_b" also matches ignore of the team; use either members or ignore',
  ],
  [
    "an unknown team",
    o("teams: { t: {} }\nsaml: { s: { label: S, defaultTeam: other_team } }\n"),
    '3:37: saml.s.defaultTeam: "other_team" is not in teams; add the team to teams by its id; a team with only a title is not managed',
  ],
  [
    "two certificates",
    o(`saml: { s: { label: S, certificate: ${JSON.stringify(certificateOne)}, certificateFile: a.pem } }\n`),
    `2:${56 + JSON.stringify(certificateOne).length}: saml.s.certificateFile: use either certificate or certificateFile`,
  ],
  [
    "no schema",
    o("sites: { s: { adaptiveSchema: {} } }\n"),
    "2:15: sites.s.adaptiveSchema: use either jsonSchema, or claims and unsignedClaims",
  ],
  [
    "an unsigned claim among the signed ones",
    o("sites: { s: { adaptiveSchema: { claims: { unsigned: { type: boolean, description: d } } } } }\n"),
    '2:43: sites.s.adaptiveSchema.claims.unsigned: found "unsigned"; use another name, or declare claims that nobody signed in unsignedClaims',
  ],
  // Certificates and includes by name.
  [
    "no certificate",
    o("saml: { s: { label: S, certificate: secret } }\n"),
    "2:37: saml.s.certificate: found a text of 6 characters; use an X.509 certificate, as PEM or as base64",
  ],
  [
    "no certificate in the file",
    o("saml: { s: { label: S, certificateFile: note.txt } }\n"),
    '2:41: saml.s.certificateFile: "note.txt": found a text of 9 characters; use an X.509 certificate, as PEM or as base64',
  ],
  [
    "no file of a certificate",
    o("saml: { s: { label: S, certificateFile: a.pem } }\n"),
    '2:41: saml.s.certificateFile: "a.pem": there is no such file',
  ],
  [
    "a certificate elsewhere",
    o("saml: { s: { label: S, certificateFile: ../a.pem } }\n"),
    `2:41: saml.s.certificateFile: "../a.pem": it is outside the folder of the organization's file; keep it inside`,
  ],
  [
    "nothing to include",
    o("teams: !include teams/*.yaml\n"),
    '2:17: !include teams/*.yaml: no file matches "teams/*.yaml"',
  ],
  [
    "a file to include that is not there",
    o("teams: !include teams.yaml\n"),
    "2:17: !include teams.yaml: there is no such file",
  ],
  [
    "an include without quotes",
    o("teams: !include *.yaml\n"),
    "2:17: found an alias; a text that begins with * needs quotes",
  ],
  [
    "an include of another kind",
    o("teams: !include note.txt\n"),
    `2:17: !include note.txt: "note.txt" cannot be included; ${forms}`,
  ],
];

test.each(table)("%s", (_, text, ...expected) => {
  const wanted = expected.map((message) => `organization.yaml:${message}`);
  expect(mistakesOf(text, { "note.txt": "my secret" })).toEqual(wanted);
});

test("text that is not UTF-8 is reported with its line", () => {
  const text = Buffer.from("organization: o\nmembers: { m\xFCller@acme.test: read }\n", "latin1");
  expect(mistakesOf(text)).toEqual(["organization.yaml:2:13: this is not UTF-8 text; save the file as UTF-8"]);
  const wide = Buffer.from("\uFEFForganization: o\n", "utf16le");
  expect(mistakesOf(wide)[0]).toMatch(/^organization.yaml:1:1: this is not UTF-8 text/);
});

test("a certificate is never quoted, whatever its value is", () => {
  const folder = filesIn({ "organization.yaml": "organization: o\nsaml: { s: { label: S, certificate: secret } }\n" });
  expect(refusalOf(folder)).not.toContain("secret");
});

test("an omitted section is not checked", () => {
  const text =
    "organization: o\nguards: { minAdmins: 5, requiredAdmins: [a] }\nsaml: { s: { label: S, defaultTeam: t } }\n";
  expect(() => loadIn(filesIn({ "organization.yaml": text }))).not.toThrow();
});

test.each([
  ["null", 10],
  ["[]", 1],
  ["5", 10],
])("members that are %s are one mistake", (members, column) => {
  const text = `organization: o\nguards: { minAdmins: 2, requiredAdmins: [a] }\nmembers: ${members}\n`;
  expect(mistakesOf(text)).toEqual([`organization.yaml:3:${column}: members: found ${members}; use an object`]);
});

test("a mistake causes no other mistakes", () => {
  const text = o("guards: { minAdmins: 1, requiredAdmins: [a] }\nmembers: { a: admn }\n").replace(
    o(""),
    "organization: o\n",
  );
  expect(mistakesOf(text)).toEqual([
    `organization.yaml:3:15: members.a: found "admn"; use one of ${roles}; did you mean "admin"?`,
  ]);
});

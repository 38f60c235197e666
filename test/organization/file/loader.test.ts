import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { loadOrganization } from "../../../provider/organization/file/loader";
import { folderWith, load, refusalOf } from "../files";

const examples = "examples/organization-file";

test("the example is read, with the certificate instead of its file", () => {
  const { organization } = loadOrganization(`${examples}/organization.yaml`, { now: new Date("2026-12-01") });
  expect(organization).toMatchObject({
    organization: "org_123",
    guards: { minAdmins: 2, requiredAdmins: ["ops@acme.test"], maxRemovals: "25%" },
    members: {
      "lead@acme.test": "admin",
      "writer@acme.test": { role: "edit", sso: true, expires: { on: "2027-01-31", then: "read" } },
    },
    teams: { team_docs: { ignore: ["*@contractor.test"] } },
    sites: { handbook: { adaptiveSchema: { claims: { beta: { type: "boolean" } } } }, drafts: { protect: false } },
  });
  const { certificate, ...okta } = organization.saml?.okta ?? {};
  expect(certificate).toBe(readFileSync(`${examples}/certs/okta.pem`, "utf8"));
  expect(okta).not.toHaveProperty("certificateFile");
});

test("places have file, line and column, and later messages quote the line", () => {
  const { places } = loadOrganization(`${examples}/organization.yaml`);
  expect(places.of(["guards", "requiredAdmins", 0])).toEqual({
    file: `${examples}/organization.yaml`,
    line: 4,
    column: 42,
  });
  expect(places.of(["members", "nobody@acme.test"])).toBeUndefined();
  expect(places.report(["members", "reader@acme.test"], "loses the role")).toBe(
    `${examples}/organization.yaml:10:21: members["reader@acme.test"]: loses the role
 10 |   reader@acme.test: read
    |                     ^`,
  );
});

test("keys and days are texts, whatever they look like", () => {
  const { organization } = load({
    "organization.yaml": `organization: org_1
members:
  123: admin
  0x1F: edit
  0123: read
  true: read
  null: read
  1e3: { role: read, expires: { on: 2027-01-31, then: guest } }
teams: { 7: { members: { 123: owner, "on": member, y: member } } }
`,
  });
  expect(organization.members).toEqual({
    123: "admin",
    "0x1F": "edit",
    "0123": "read",
    true: "read",
    null: "read",
    "1e3": { role: "read", expires: { on: "2027-01-31", then: "guest" } },
  });
  expect(organization.teams?.[7]?.members).toEqual({ 123: "owner", on: "member", y: "member" });
});

test("a byte order mark and Windows line ends change nothing", () => {
  const { organization, places } = load({ "organization.yaml": "\uFEFForganization: o\r\nmembers:\r\n  a: read\r\n" });
  expect(organization).toEqual({ organization: "o", members: { a: "read" } });
  expect(places.of(["members", "a"])).toMatchObject({ line: 3, column: 3 });
  expect(places.of(["organization"])).toMatchObject({ line: 1, column: 1 });
});

test("all mistakes of all files come at once, in the order of files and lines", () => {
  const folder = folderWith({
    "organization.yaml": `organization: org_1
guards: { minAdmins: 2 }
members:
  lead@acme.test: admin
  Lead@acme.test: edit
teams: !include teams/*.yaml
saml: { okta: { label: Okta, defaultTeam: team_dcos } }
`,
    "teams/a.yaml": "team_docs: { exclusiv: true }\n",
    "teams/b.yaml": "team_docs: { members: {} }\n",
  });
  expect(refusalOf(folder)).toHaveWording("mistakes of all files");
});

test("a long line is quoted only around the mistake", () => {
  const folder = folderWith({
    "organization.yaml": `organization: o\nmembers: { a: read, ${Array.from({ length: 50 }, (_, i) => `u${i}: read`).join(", ")}, b: raed }\n`,
  });
  const [message = "", line = "", caret = ""] = refusalOf(folder).split("\n");
  expect(message).toContain('members.b: found "raed"');
  expect(line).toMatch(/^ 2 \| ….{0,120}b: raed }$/);
  expect(line[caret.indexOf("^")]).toBe("r");
});

test("a file with a mistake in every line gives a limited error", () => {
  const members = Array.from({ length: 1500 }, (_, index) => `  user${index}: raed`).join("\n");
  const lines = refusalOf(folderWith({ "organization.yaml": `organization: o\nmembers:\n${members}\n` })).split("\n");
  // Three lines for each of 1,000 mistakes: the sentence, the quoted line and the mark below it.
  expect(lines).toHaveLength(3 * 1000 + 1);
  expect(lines.at(-1)).toBe("and 500 more");
});

test("3,000 members are read, each with its place", () => {
  const members = Array.from({ length: 3_000 }, (_, index) => {
    const grant = `{ role: edit, reason: on-call, expires: { on: 2027-01-31, then: read } }`;
    return `  person${index}@acme.test: ${index % 10 === 0 ? grant : "edit"}`;
  });
  const folder = folderWith({ "organization.yaml": `organization: o\nmembers:\n${members.join("\n")}\n` });
  const { organization, places } = loadOrganization(`${folder}/organization.yaml`);
  expect(Object.keys(organization.members ?? {})).toHaveLength(3_000);
  expect(places.of(["members", "person2999@acme.test"])).toMatchObject({ line: 3_002, column: 3 });
});

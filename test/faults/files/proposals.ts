import fc from "fast-check";

/** Random proposals: what a branch may contain that wants to be more than data. */

export interface ProposalEntry {
  readonly path: Buffer;
  readonly mode: "100644" | "100755" | "120000" | "160000";
  readonly content: string;
}

export interface Proposal {
  readonly entries: readonly ProposalEntry[];
  /** Begins before the last commit of the main branch, so that git has something to merge. */
  readonly outdated: boolean;
}

/** The file that exists as soon as anything of a proposal is executed. */
export const canary = "CANARY";

const good = ["organization.yaml", "teams/writers.yaml", "teams/new.yaml", "members/a.yaml", "certs/okta.pem"];
const odd = [
  "teams/.hidden.yaml",
  "teams/.gitattributes",
  "teams/a.yml",
  "teams/a\nb.yaml",
  "teams/a\x1b[2J.yaml",
  "teams/-rf.yaml",
  "teams/--upload-pack=touch CANARY.yaml",
  "teams/$(touch CANARY).yaml",
  "teams/`touch CANARY`.yaml",
  "teams/;touch CANARY;.yaml",
  "teams/:(exclude)x.yaml",
  "teams/'\"\\.yaml",
  "teams/ a b .yaml",
  "teams/\u202e.yaml",
  "teams/\u202elmay.x",
  "teams/\u009b2J",
  "teams/::error::x",
  "teams/*.yaml",
  "teams/a.yaml/b.yaml",
  "teams",
  "members",
  "certs/run.sh",
  "certs/okta.pem/x.pem",
  "organization.yaml/x.yaml",
  "Teams/a.yaml",
  "organization.yaml ",
];
const elsewhere = [
  ".gitattributes",
  ".gitmodules",
  ".gitconfig",
  ".bashrc",
  "index.ts",
  "package.json",
  "Pulumi.yaml",
  "node_modules/.bin/docs-org",
  ".github/docs-org/review.sh",
  ".github/docs-org/common.sh",
  ".docs-org/Pulumi.yaml",
  "hooks/post-checkout",
];
const invalid = Buffer.from([...Buffer.from("teams/"), 0xff, 0xfe, ...Buffer.from(".yaml")]);

const path = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...good).map((name) => Buffer.from(name)) },
  { weight: 2, arbitrary: fc.constantFrom(...odd).map((name) => Buffer.from(name)) },
  { weight: 2, arbitrary: fc.constantFrom(...elsewhere).map((name) => Buffer.from(name)) },
  { weight: 1, arbitrary: fc.string({ minLength: 1, maxLength: 8 }).map((name) => Buffer.from(`teams/${name}.yaml`)) },
  { weight: 1, arbitrary: fc.constant(invalid) },
);

const attributes = "* filter=evil merge=evil diff=evil text eol=crlf ident working-tree-encoding=UTF-16 export-subst\n";
const content = fc.constantFrom(
  "organization: acme\n",
  "members: { mallory@evil.test: admin }\r\n$Id$ $Format:%H$\n",
  `#!/bin/sh\ntouch ${canary}\n`,
  `touch ${canary}\n`,
  attributes,
  `[submodule "x"]\n\tpath = teams/x.yaml\n\turl = ext::sh -c touch% ${canary}\n\tupdate = !touch ${canary}\n`,
  `{ "scripts": { "preinstall": "touch ${canary}" } }`,
  "",
  "\0binary\x1b]0;x\x07",
);
const target = fc.constantFrom(
  "/etc/passwd",
  "../index.ts",
  "../../../../etc",
  "organization.yaml",
  ".git/config",
  "/",
);

const entry: fc.Arbitrary<ProposalEntry> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ path, mode: fc.constantFrom("100644" as const, "100755" as const), content }) },
  { weight: 1, arbitrary: fc.record({ path, mode: fc.constant("120000" as const), content: target }) },
  { weight: 1, arbitrary: fc.record({ path, mode: fc.constant("160000" as const), content: fc.constant("") }) },
);

export const proposals: fc.Arbitrary<Proposal> = fc.record({
  entries: fc
    .array(entry, { minLength: 1, maxLength: 5 })
    .map((entries) => entries.filter(({ path }) => isPossible(path)))
    .filter((entries) => entries.length > 0),
  outdated: fc.boolean(),
});

/** Git has no such paths. */
const isPossible = (path: Buffer): boolean =>
  !path.includes(0) &&
  path
    .toString("latin1")
    .split("/")
    .every((part) => part !== "" && part !== "." && part !== "..");

/** A path as `git fast-import` reads it. */
export const quoted = (path: Buffer): string =>
  `"${path.toString("latin1").replace(/[^ !#-[\]-~]/g, (one) => `\\${one.charCodeAt(0).toString(8).padStart(3, "0")}`)}"`;

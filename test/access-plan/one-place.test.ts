import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";

/** Only the access plan compares levels and decides releases. The lists of exceptions below may only shrink. */

const provider = path.resolve("provider");
const sources = readdirSync(provider, { recursive: true, encoding: "utf8" }).filter(
  (file) => file.endsWith(".ts") && !/^(access-plan|emulator)\//.test(file),
);

/** What compares levels, or decides a release. */
const deciding = /\b(isLower|rankOfLevel|weakerRole|releaseRole|optionsFor|ascendingRoles)\b/g;

/** Comparisons with a level or a release option. */
const compared =
  /[=!]== (?:nothing\b|"(?:admin|owner|guest|leave|restore|remove)")|"(?:admin|owner|guest|leave|restore|remove)" [=!]==/g;

const mayDecide: Readonly<Record<string, string>> = {
  "cli/actions/access.ts": "lists the roles that a filter may name",
  "certify/edits.ts": "whether the end of a grant would undo a decision",
  "certify/comparison.ts": "compares a decision of people with what is live",
  "certify/sheet.ts": "which levels people may choose",
  "organization/grant-line.ts": "whether a grant would give more than the person has",
  "resources/shared/role.ts":
    "of the previous roles that resources of one run record, the weaker is an input of the plan",
  "review/model/access.ts": "shows the options that apply to a person",
  "review/model/grant-ends.ts": "orders what a grant gives before and after its end",
  "review/render/sections.ts": "colours of roles, by power",
};

const mayCompare: Readonly<Record<string, readonly [count: number, reason: string]>> = {
  "access-report/conditions.ts": [3, "the people that a condition of --fail-on is about"],
  "access-report/formats.ts": [8, "how a list shows people and roles"],
  "access/administrators.ts": [5, "the quorum against the live service"],
  "access/planned-changes.ts": [1, "which writes the reviewed plan lists"],
  "access/team-list.ts": [2, "the quorum against the live service"],
  "access/team.ts": [5, "the quorum against the live service"],
  "api/schema/filters.ts": [1, "the API spells a guest as null"],
  "certify/comparison.ts": [1, "a guest has nothing that needs a decision"],
  "certify/edits.ts": [6, "what follows a grant, and whether the file has a decision already"],
  "certify/sheet.ts": [3, "guests and owners in a sheet, and what a decision says"],
  "export/draft.ts": [1, "the administrators of a file, for its guards"],
  "organization/due-grants.ts": [2, "the end of a grant that was not given, and its words"],
  "organization/ending-grants.ts": [3, "what a file says about the end of a grant"],
  "organization/grant-line.ts": [1, "what a new line says of its end"],
  "organization/guards/administrators.ts": [3, "who administers, as the plan says, and the role of a single sign-on"],
  "organization/guards/names.ts": [2, "what a file says about a release"],
  "organization/guards/people.ts": [2, "the word for a loss"],
  "organization/guards/removals.ts": [1, "who has something, as the plan says"],
  "organization/guards/teams.ts": [2, "the people that the plan lowers, for the message"],
  "organization/sections/grants.ts": [1, "what a file says about the end of a grant"],
  "organization/sections/members.ts": [1, "the administrators in an audit"],
  "organization/sections/teams.ts": [5, "what a file says about a team, and the severity of a finding"],
  "organization/warnings.ts": [1, "who has something, as the plan says"],
  "resources/member-roles/member-roles.ts": [1, "the last administrator"],
  "resources/member-roles/plan.ts": [4, "reads nothing if everybody keeps the role; how a change is carried out"],
  "resources/saml-provider/review.ts": [1, "the risk of a default role"],
  "resources/saml-provider/saml-provider.ts": [1, "the API spells a guest as null"],
  "resources/shared/role-review.ts": [2, "a risk of an option"],
  "resources/shared/role.ts": [4, "how a planned change is carried out"],
  "resources/site-adaptive-schema/breaking.ts": [1, "not about access"],
  "resources/site-adaptive-schema/site-adaptive-schema.ts": [1, "not about access"],
  "resources/team-members/plan.ts": [6, "how a planned change is carried out"],
  "resources/team-members/team-members.ts": [1, "reads nothing if everybody stays"],
};

const countIn = (file: string, pattern: RegExp): number =>
  [...readFileSync(path.join(provider, file), "utf8").matchAll(pattern)].length;

it("compares levels and decides releases in the access plan only", () => {
  const found = sources.filter((file) => countIn(file, deciding) > 0).sort();
  expect(found).toEqual(Object.keys(mayDecide).sort());
});

it("compares roles and release options elsewhere only to read, to carry out, or to say it", () => {
  const found = sources
    // Reviews say in words what the plan has decided, and judge its risk.
    .filter((file) => !file.startsWith("review/"))
    .map((file) => [file, countIn(file, compared)] as const)
    .filter(([, count]) => count > 0);
  const listed = Object.entries(mayCompare).map(([file, [count]]) => [file, count]);
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(listed));
});

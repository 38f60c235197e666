import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { managementOf } from "../../provider/access/management";
import type { Plan, PlannedResource } from "../../provider/access/plan-file";
import { canonical, refuseOldPlan, usersOf, writePlan } from "../../provider/access/plan-file";
import { type ResourceWrite, refuseUnreviewed, refuseUnreviewedWrite } from "../../provider/access/refuse-unreviewed";
import { otherPerson, reviewedPlan } from "../../provider/access/reviewed";
import { Run } from "../../provider/run/run";
import { Settings } from "../../provider/run/settings";
import { freshFolder } from "../support/docs-org";

const made = "2026-11-26T12:00:00.000Z";
const file = () => join(freshFolder(), "plan.json");
const write = (to: string, more: Partial<Plan>) => {
  const plan = { project: "acme", stack: "main", organizations: ["acme"], refused: false, refreshed: true };
  const rest = { partial: false, users: {}, access: [], resources: [] };
  writeFileSync(to, writePlan({ format: "docs-org plan", version: 2, made, ...plan, ...rest, ...more }));
};
const contextWith = (more: Partial<Plan>, environment: NodeJS.ProcessEnv = {}, DOCS_PLAN = file()) => {
  write(DOCS_PLAN, more);
  const run = new Run({ settings: new Settings({ DOCS_PLAN, DOCS_NOW: made, ...environment }) });
  return { run, organizationId: "acme" } as Parameters<typeof refuseUnreviewedWrite>[0];
};

it("reads a plan again if its file has changed", () => {
  const to = file();
  const { run } = contextWith({}, {}, to);
  const read = reviewedPlan(run);
  expect(reviewedPlan(run)).toBe(read);
  write(to, { stack: "another" });
  expect(reviewedPlan(run)?.plan.stack).toBe("another");
});

it("refuses a plan for another service than the settings name, if they name one", () => {
  const read = (environment: NodeJS.ProcessEnv) =>
    reviewedPlan(contextWith({ origin: "https://docs.test" }, environment).run);
  expect([read({}), read({ DOCS_BASE_URL: "https://docs.test" })]).toEqual([expect.anything(), expect.anything()]);
  expect(() => read({ DOCS_BASE_URL: "https://other.test" })).toThrow("about the service at https://docs.test");
});

it.each([
  ["2026-11-25T12:00:00.000Z", /^$/],
  ["2026-11-25T11:59:59.999Z", /still to come/],
  ["2026-11-26T13:00:00.000Z", /^$/],
  ["2026-11-26T13:00:00.001Z", /longer ago than 1 hour/],
])("judges the age of a plan exactly: at %s", (DOCS_NOW, problem) => {
  const judge = () => refuseOldPlan({ made } as Plan, new Settings({ DOCS_NOW }), 3_600_000);
  expect(problemOf(judge)).toMatch(problem);
});

it("writes a plan in an order that does not depend on the preview", () => {
  const people = ["b", "a"].map((name) => [`${name}@acme.test`, name]);
  expect(Object.keys(usersOf(people))).toEqual(["a@acme.test", "b@acme.test"]);
  expect(canonical({ b: [undefined, null], a: undefined, A: 1 })).toBe('{"A":1,"b":[null,null]}');
});

const users = { "eli@acme.test": ["user_eli"] };
it.each([
  ["another member", "role", "user_kofi", ["acme"], /user_eli.*user_kofi now/],
  ["another member, in an organization that the plan does not know", "role", "user_kofi", [], /user_kofi now/],
  ["another member, in another organization", "role", "user_kofi", ["other"], undefined],
  ["the reviewed member", "role", "user_eli", ["acme"], undefined],
  ["nobody, so no role is given", "role", undefined, ["acme"], undefined],
  ["nobody, in a team, which would accept it", "team", undefined, ["acme"], /no member has this e-mail now/],
] as const)("an e-mail belongs by now to %s", (_, kind, userId, organizations, problem) => {
  const place = { kind, organization: "acme" };
  const text = otherPerson({ organizations: [...organizations], users }, place, "Eli@acme.test", { userId });
  expect(text ?? "").toMatch(problem ?? /^$/);
});

const role = { kind: "role", organization: "acme" } as const;
const accessPlan = (changes: object[], place: object = role) =>
  ({
    input: { managers: [{ declared: { assignments: [{ place, user: "eli@acme.test" }] } }] },
    identities: { find: () => ({ userId: "user_kofi" }) },
    changes,
  }) as never;

it.each([
  ["eli@acme.test", undefined, /was reviewed as user_eli/],
  ["/eli@acme.test", undefined, /was reviewed as user_eli/],
  ["t/eli@acme.test", "t", /was reviewed as user_eli/],
  ["/user_ada", undefined, /^$/],
])("up --only grants of %j judges nobody else (team %s)", (DOCS_ONLY, team, problem) => {
  const place = team === undefined ? role : { kind: "team", team, organization: "acme" };
  const work = () =>
    refuseUnreviewed(contextWith({ users }, DOCS_ONLY.includes("/") ? { DOCS_ONLY } : {}), accessPlan([], place));
  expect(problemOf(work)).toMatch(problem);
});

function problemOf(work: () => void): string {
  try {
    work();
    return "";
  } catch (error) {
    return String(error);
  }
}

it("says how a review shows a loss if one of the refused changes lacks only that", () => {
  const user = { userId: "user_eli", keys: ["user_eli"] };
  const access = [{ place: role, user, before: "unknown", after: "read", change: "changes" as const }];
  const change = (userId: string) => ({
    person: { userId, keys: [userId] },
    place: role,
    before: "edit",
    after: "read",
  });
  const changes = [change("user_eli"), change("user_kofi"), { ...change(""), person: { keys: ["new@acme.test"] } }];
  const refuse = () => refuseUnreviewed(contextWith({ access }), accessPlan(changes));
  expect(refuse).toThrow(/ user_eli .* user_kofi .*; new@acme.test .*a new plan reviewed that shows the present level/);
});

const site: PlannedResource = {
  ...{ urn: "urn", type: "Site", name: "a", id: "site_1", operation: "update", changed: ["title"], hidden: [] },
  properties: { organizationId: '"acme"', title: '"A"' },
};
const withTitle = (title: string, more = {}) => ({ properties: { ...site.properties, title, ...more } });
it.each<[string, planned: Partial<PlannedResource>, write: Partial<ResourceWrite>, first: boolean, again: boolean]>([
  ["an update", {}, {}, true, true],
  ["a creation", { operation: "create" }, { operation: "create" }, true, false],
  ["an update of another object", {}, { id: "site_2" }, false, false],
  ["another kind of resource", {}, { type: "Space" }, false, false],
  ["a deletion", { operation: "delete" }, { operation: "delete" }, true, true],
  ["a deletion of another object", { operation: "delete" }, { operation: "delete", id: "site_2" }, false, false],
  ["an update instead of a deletion", { operation: "delete", changed: [] }, { sent: [] }, false, false],
  ["the rest of a replacement", { operation: "replace", changed: [] }, {}, true, true],
  ["options of the engine", withTitle('"A"', { protect: "true" }), {}, true, true],
  ["a value that the plan hides", { ...withTitle("hidden"), hidden: ["title"] }, {}, true, true],
  ["another value", withTitle('"B"'), {}, false, false],
  ["the id of a new resource", withTitle("the id of Site b"), withTitle('"site_9"'), true, true],
  ["another id than a new one", withTitle("the id of Site b"), withTitle('"site_8"'), false, false],
  ["another id than the planned one", withTitle('"site_8"'), withTitle('"site_9"'), false, false],
])("a plan allows to write once, and again: %s", (_, planned, write, first, again) => {
  const context = contextWith({ resources: [{ ...site, ...planned }] });
  managementOf(context.run).recordObject("site_9");
  const one: ResourceWrite = { type: "Site", id: "site_1", operation: "update", ...withTitle('"A"'), sent: ["title"] };
  const allowed = () => problemOf(() => refuseUnreviewedWrite(context, { ...one, ...write })) === "";
  expect([allowed(), allowed()]).toEqual([first, again]);
});

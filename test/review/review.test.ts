import { describe, expect, it } from "vitest";
import type { Plan } from "../../provider/access/plan-file";
import { reviewChange } from "../../provider/cli/actions/deployment";
import type { Deployment } from "../../provider/deployment/deployment";
import { certificateNames } from "../../provider/resources/saml-provider/certificate";
import { groupOf } from "../../provider/review/model/access";
import { listEnds } from "../../provider/review/model/ends";
import { planOf } from "../../provider/review/plan/plan";
import { verify } from "../../provider/review/plan/verification";
import { htmlOf, markdownOf, textOf } from "../../provider/review/render/formats";
import { verdictOf } from "../../provider/review/verdict";
import { certificateChange, lossesOfNewPeople, undeclaredAdministrators } from "../../provider/text/shared-sentences";
import { certificateOne, certificateTwo } from "../support/certificates";
import { notesOf, organizationUrn, reviewOfPreview, unknown } from "./previews";
import {
  changesInReview,
  type PreviewStep,
  print,
  reviewedLines,
  reviewOfMessages,
  reviewOfSteps,
  reviewOfText,
  risksIn,
  textsOfRisks,
  urnOfStep,
} from "./support";

const guide = { type: "Site", name: "guide", live: { title: "Guide" } };

describe("the organizations of a review", () => {
  it("are those of the resources, and not the configured one of a component that has no organization itself", () => {
    const site = { type: "Site", live: { title: "a" }, declared: { title: "b" } };
    const component = { op: "create", type: "docs:index:Organization", name: "acme", declared: {} };
    const organizations = (...steps: PreviewStep[]) =>
      reviewOfText(print(steps), { organizationId: "beta" }).organizations;
    expect(organizations(component, site)).toEqual(["acme"]);
    expect(organizations(component)).toEqual(["beta"]);
  });
});

it("does not repeat the organization of the whole review beside each new resource", () => {
  const site = (name: string, organizationId: string) => {
    return { op: "create", type: "Site", name, declared: { organizationId, title: name } };
  };
  expect(textOf(reviewOfSteps(site("one", "acme")))).toMatch(/organization acme\.[\s\S]*\+ new one: title one\n/);
  const two = textOf(reviewOfSteps(site("one", "acme"), site("two", "beta")));
  expect(two).toContain("+ new two: organizationId beta, title two\n");
  // One that names no organization is in none of several.
  const unnamed = { op: "create", type: "Site", name: "three", declared: { title: "three" } };
  expect(reviewOfSteps(site("one", "acme"), site("two", "beta"), unnamed).organizations).toEqual(["acme", "beta"]);
});

describe("a refused provider", () => {
  it.each([
    ["default_0_1_0", undefined],
    ["other", "provider other"],
  ])("is named if a program has declared it: %s", (name, resource) => {
    const urn = urnOfStep({ type: "pulumi:providers:docs", name });
    const message = `pulumi:providers:docs resource '${name}' has a problem: no absolute URL`;
    const { refusals } = reviewOfMessages({ urn, message, severity: "error" });
    expect(refusals).toEqual([{ text: "no absolute URL", ...(resource && { resource }) }]);
  });
});

it("names no resource for a refusal of the stack itself", () => {
  const urns = [urnOfStep({ type: "pulumi:pulumi:Stack", name: "docs-prod" }), urnOfStep({ type: "Site", name: "" })];
  const refused = urns.map((urn, index) => ({ urn, message: `no ${index}`, severity: "error" }));
  expect(reviewOfMessages(...refused).refusals.map(({ resource }) => resource)).toEqual([undefined, undefined]);
});

describe("a changed property", () => {
  const names = (count: number) => Array.from({ length: count }, (_, index) => `a-long-name-of-somebody-${index + 10}`);
  const [long, longer] = [160, 161].map((length) => "x".repeat(length));
  it.each<[change: Partial<Record<"recorded" | "live" | "declared", unknown>>, words: string]>([
    [{ live: ["a", "b"], declared: ["b", "c"] }, "with c, without a"],
    [{ live: ["a"], declared: ["a", "b"] }, "with b"],
    [{ live: ["a", "b"], declared: ["a"] }, "without b"],
    [{ live: ["a", "b"], declared: ["b", "a"] }, '["a","b"] → ["b","a"]'],
    [{ live: ["a", 1], declared: ["a"] }, '["a",1] → ["a"]'],
    [{ live: "a", declared: ["a"] }, 'a → ["a"]'],
    [{ live: ["a"], declared: "a" }, '["a"] → a'],
    [{ live: ["[secret]"], declared: ["a"] }, '["(secret)"] → ["a"]'],
    [{ live: "[secret]", declared: "a" }, "(secret) → a"],
    [{ live: "a", declared: unknown }, "a → (known during the up)"],
    [{ live: unknown, declared: unknown }, "(known during the up) → (known during the up)"],
    [{ live: "a", declared: long }, `a → ${long}`],
    [{ live: "a", declared: longer }, `a → ${long}…`],
    [{ live: "a", declared: names(20) }, `a → ${names(20).join(", ")}`],
    [{ live: "a", declared: names(21) }, `a → ${names(20).join(", ")} and 1 other`],
    [
      { live: "a", declared: [unknown, ...names(20)] },
      `a → ${`["(known during the up)",${JSON.stringify(names(20)).slice(1)}`.slice(0, 160)}…`,
    ],
    [{ recorded: "a", live: null, declared: "a" }, "a → not set outside Pulumi; this up sets it back"],
    [{ recorded: "a", live: undefined, declared: "a" }, "a → not set outside Pulumi; this up sets it back"],
    [{ recorded: undefined, live: "b", declared: "a" }, "not set → b outside Pulumi; this up sets a"],
  ])("is told in words: %j", (change, words) => {
    const side = (name: keyof typeof change) =>
      name in change ? { [name]: { other: "[secret]", changed: change[name] } } : {};
    const step = { type: "other:index:Thing", ...side("recorded"), ...side("live"), ...side("declared") };
    expect(markdownOf(reviewOfSteps(step)).replaceAll("`", "")).toContain(`~ changed Thing one: changed ${words}\n`);
  });

  it.each([
    ["[secret]", "(secret)"],
    [unknown, "(known during the up)"],
  ])("tells a value that the preview does not show from a text that says the same: %s", (changed, words) => {
    const step = { type: "other:index:Thing", live: { changed }, declared: { changed: words } };
    expect(markdownOf(reviewOfSteps(step))).toContain(`\`changed\` ${words} → \`${words}\`\n`);
  });

  it("comes first if it decides who can open a site, and is of both origins if this up sets more than it sets back", () => {
    const [before, after] = [1, 2].map((value) => ({
      basename: value,
      proxy: value,
      published: value,
      visibility: value,
    }));
    const [thing] = reviewOfSteps({ type: "other:index:Thing", live: before, declared: after }).others;
    expect(thing?.properties.map(({ name }) => name)).toEqual(["visibility", "published", "proxy", "basename"]);
    const causeOf = (recorded: object, live: object, declared: object) =>
      reviewOfSteps({ type: "other:index:Thing", recorded, live, declared }).others[0]?.cause;
    expect(causeOf({ a: 1, b: 1 }, { a: 2, b: 2 }, { a: 1, b: 1 })).toBe("drift");
    expect(causeOf({ a: 1, b: 1 }, { a: 2, b: 2 }, { a: 1, b: 3 })).toBe("both");
    expect(causeOf({ a: 1, b: 1 }, { a: 2, b: 1 }, { a: 1, b: 3 })).toBe("both");
    expect(causeOf({ a: 1 }, { a: 2 }, { a: 3 })).toBe("both");
  });

  it("has a secret as it is, which is no title either, and says of what is kept only where something is deleted", () => {
    const [live, declared] = ["a", "[secret]"].map((certificate) => ({ label: "Okta", certificate }));
    expect(reviewOfSteps({ type: "SamlProvider", live, declared }).saml[0]?.properties).toMatchObject([
      { after: "[secret]" },
    ]);
    const option = { retainOnDelete: true };
    const hidden = {
      type: "Site",
      live: { title: "A" },
      declared: { title: "[secret]" },
      before: option,
      after: option,
    };
    const review = reviewOfSteps(hidden);
    expect([review.sites[0]?.title, reviewedLines(planOf(review))]).toEqual([
      undefined,
      ["resource  Site one: update", expect.stringContaining("title: ")],
    ]);
  });

  it("is none if only the order or case of ignored people is another, in a resource of this package", () => {
    const propertiesOf = (type: string, before: unknown, after: unknown) => {
      const [live, declared] = [before, after].map((ignore) => ({ roles: { user_a: "read" }, ignore }));
      return reviewOfSteps({ type, live, declared: { ...declared, allowRaise: true } }).others[0]?.properties.map(
        ({ name }) => name,
      );
    };
    const [one, other] = [
      ["user_b", "*@b.test"],
      ["*@B.test", "user_b"],
    ];
    expect(propertiesOf("MemberRoles", one, other)).toEqual(["allowRaise"]);
    expect(propertiesOf("TeamMembers", one, other)).toBeUndefined();
    expect(propertiesOf("TeamMembers", 1, 2)).toEqual(["ignore"]);
    // Two secrets may be two people.
    expect(propertiesOf("MemberRoles", ["user_b", "[secret]"], ["[secret]", "user_b"])).toEqual([
      "allowRaise",
      "ignore",
    ]);
    expect(propertiesOf("MemberRoles", one, ["user_b"])).toEqual(["allowRaise", "ignore"]);
    expect(propertiesOf("MemberRoles", [unknown], [unknown])).toEqual(["allowRaise", "ignore"]);
    expect(propertiesOf("MemberRoles", [unknown], one)).toEqual(["allowRaise", "ignore"]);
    expect(propertiesOf("other:index:MemberRoles", one, other)).toEqual(["allowRaise", "ignore"]);
  });
});

it("says where a role changes if there are several organizations, and how much is known of it", () => {
  const role = (name: string, more: object) => ({
    op: "create",
    type: "MemberRole",
    name,
    declared: { user: `user_${name}`, role: "edit", ...more },
  });
  const review = reviewOfSteps(
    role("a", { organizationId: "acme", sso: true }),
    role("b", { organizationId: "beta", role: unknown }),
    role("c", { organizationId: unknown, role: "[secret]" }),
    {
      op: "create",
      type: "TeamMembership",
      name: "d",
      declared: { organizationId: "acme", teamId: "t", user: "user_d", role: "member" },
    },
  );
  const markdown = markdownOf(review);
  for (const said of [
    "`user_a`: role in organization `acme` `edit` (the present role is not in the preview)",
    "single sign-on in organization `acme`: becomes marked",
    "`user_b`: role in organization `beta` not known yet",
    "`user_c`: role secret",
  ])
    expect(markdown).toContain(said);
  expect(markdown).toMatch(/`user_d`: team `t` in organization `acme` `member`$/m);
});

describe("the review of a preview", () => {
  it.each(["change", "drift", "moved", "guarded"] as const)("has its wording as text: %s", (name) => {
    expect(textOf(reviewOfPreview(name))).toHaveWording(name);
  });

  it("is not empty if people are no longer managed, and names those with the most access", () => {
    const roles = { user_ada: "admin", user_bea: "read" };
    const review = reviewOfSteps({ type: "MemberRoles", live: { roles }, declared: { roles: {}, onRelease: "leave" } });
    expect(review.verdict).toMatchObject({ kind: "risky", text: expect.toHaveWording("two people who keep access") });
    expect(risksIn(review)).toEqual(["administrator-unmanaged user_ada"]);
    const live = { roles: { user_bea: "read" }, sso: ["user_bea"] };
    const gone = reviewOfSteps({ op: "delete", type: "MemberRoles", live: { ...live, onRelease: "leave" } });
    expect(gone.verdict.text).toMatch(/1 person is no longer managed and keeps access/);
  });

  it("counts people, and not what each of them gains", () => {
    const created = { op: "create", type: "TeamMembers" };
    const review = reviewOfSteps(
      { ...created, name: "a", declared: { teamId: "a", members: { user_a: "owner" } } },
      { ...created, name: "b", declared: { teamId: "b", members: { user_a: "owner" } } },
    );
    expect([changesInReview(review).length, review.verdict.gains]).toEqual([2, 1]);
  });

  it("names the limits of the preview", () => {
    expect(reviewOfPreview("target")).toMatchObject({ partial: true, refreshed: true });
    expect(reviewOfPreview("drift")).toMatchObject({ partial: false, refreshed: true });
    const created = print([{ op: "create", type: "Site", declared: {} }], { changeSummary: { create: 1 } });
    expect(reviewOfText(created)).toMatchObject({ partial: false, refreshed: true });
    expect(reviewOfPreview("unrefreshed")).toMatchObject({
      partial: false,
      refreshed: false,
      verdict: { kind: "none" },
    });
    expect(reviewOfText(created, { partial: true }).partial).toBe(true);
  });

  it("explains a failure of many resources once, and names the others", () => {
    const error = (name: string, message: string) => ({
      urn: urnOfStep({ type: "Site", name }),
      severity: "error",
      message,
    });
    const elsewhere = "no token (the error of another resource says what to do)";
    const others = [error("b", elsewhere), error("c", elsewhere)];
    expect(reviewOfMessages(error("a", "no token; set DOCS_TOKEN"), ...others).refusals).toEqual([
      { resource: "Site a", text: "no token; set DOCS_TOKEN" },
      { text: expect.stringMatching(/^2 other resources fail for the same reason: Site b, Site c$/) },
    ]);
    expect(reviewOfMessages(...others).refusals).toHaveLength(2);
    const many = [...Array(52).keys()].map((index) => error(`s${index}`, elsewhere));
    expect(reviewOfMessages(error("a", "no token"), ...many).refusals.at(-1)?.text).toMatch(/, Site s49 and 2 more$/);
  });

  it("leaves out what the engine says of the connection that it closes after a refusal", () => {
    const echo =
      "error: docs:index:Organization resource 'acme' has a problem: grpc: the client connection is closing\n";
    const messages = [echo, "no site"].map((message) => ({ message, severity: "error" }));
    expect(reviewOfMessages(...messages).refusals).toEqual([{ text: "no site" }]);
    expect(reviewOfMessages(...messages.slice(0, 1)).refusals).toHaveLength(1);
  });

  it.each([
    ["could not list the members: 503", "The preview failed."],
    ["guards: 1 administrator would be left\n  hugo@acme.test loses the role", "The preview was refused."],
  ])("also covers a failed preview: %j", (text, verdict) => {
    const review = reviewOfMessages({ urn: organizationUrn, message: `error: ${text}`, severity: "error" });
    expect(review).toMatchObject({ verdict: { kind: "refused", text: verdict }, refusals: [{ text }] });
    for (const format of [textOf, markdownOf, htmlOf])
      for (const line of [verdict, ...text.split("\n")]) expect(format(review).split(line)).toHaveLength(2);
  });

  it("begins with the objects that exist already, which explain a lost state", () => {
    const [first, second] = ["Stack main manages nothing yet, and 1 object already exists", "  sites.guide: site_1"];
    const review = reviewOfMessages({ message: `error: ${first}:\n${second}`, severity: "error" });
    expect(review.verdict.text).toBe(`${first}.`);
    for (const format of [textOf, markdownOf, htmlOf])
      for (const line of [first, "sites.guide"]) expect(format(review).split(line)).toHaveLength(2);
  });

  it("leaves out the frames of an exception", () => {
    const reason = "Running program '/program/index.ts' failed with an unhandled exception:\nTypeError: no foo";
    const frames =
      "\n    at Object.<anonymous> \u001b[90m(/program/\u001b[39mindex.ts:3:29\u001b[90m)\u001b[39m\n\u001b[90m    at Module._compile (node:internal/modules/cjs/loader:1521:14)\u001b[39m\n";
    const crashed = reviewOfMessages({ message: `error: ${reason}${frames}`, severity: "error" });
    expect(crashed).toMatchObject({ verdict: { text: "The preview failed." }, refusals: [{ text: reason }] });
  });
});

describe("the first line", () => {
  const none = { grantEnds: [], saml: [], sites: [], translations: [], others: [], moved: [], refusals: [], risks: [] };
  const kept = { effect: "none", from: ["a manager"], after: "read", place: { kind: "role" } };
  const kinds: Readonly<Record<string, object>> = {
    changed: { ...kept, effect: "changes" },
    accepted: { ...kept, recorded: "edit" },
    released: { ...kept, released: true },
    mark: { ...kept, released: true, place: { kind: "sso" } },
    record: { ...kept, isRecord: true },
  };

  it.each<[people: string[], rest: object, text: string]>([
    [["changed", "changed"], {}, "The access of 2 people changes."],
    [["accepted", "accepted"], {}, "No change of access, manual changes for 2 people are declared from now on."],
    [["mark", "mark"], {}, "No change of access, the single sign-on of 2 people is no longer managed."],
    [
      ["released", "mark"],
      {},
      "No change of access, 1 person is no longer managed and keeps access, the single sign-on of 1 person is no longer managed.",
    ],
    [["record", "record"], {}, "Nothing changes at the service: only the record of 2 people goes."],
    [
      ["record"],
      { refreshed: false },
      "Nothing changes at the service: only the record of 1 person goes; drift was not checked.",
    ],
    [[], { moved: ["one"] }, "Resources move, and nobody's access changes."],
    [[], {}, "Nothing changes."],
    [[], { refreshed: false }, "Nothing changes in the state; drift was not checked."],
    [[], { risks: [{ kind: "undeclared-administrator" }] }, "1 risk to look at. Nothing changes."],
    [[], { risks: [{ kind: "guards-weaker" }] }, "1 risk to look at: no change of access."],
    [[], { refusals: [{ text: "could not list" }, { text: "guards" }] }, "The preview was refused."],
  ])("of people who are %j, and %j", (people, rest, text) => {
    const content = { ...none, people: people.map((kind) => ({ access: [kinds[kind]] })), refreshed: true, ...rest };
    expect(verdictOf(content as never).text).toBe(text);
  });
});

it("does not repeat a warning of what the review shows itself, unless the preview stopped before", () => {
  const message = `${lossesOfNewPeople}: femi@acme.test (leaves team)`;
  const warning = { urn: organizationUrn, message, severity: "warning" };
  const certificate = { message: `${certificateChange} of SAML provider "Okta": adds A`, severity: "warning" };
  expect(reviewOfMessages(warning, certificate).warnings).toEqual([]);
  expect(reviewOfMessages(warning, { message: "no", severity: "error" }).warnings).toHaveLength(1);
});

it("says of which organization an undeclared administrator is", () => {
  const noted = ["acme", "acme-eu"].map((name) => {
    const review = { organization: `org_${name}` };
    return { op: "create", type: "docs:index:OrganizationNotes", name: `${name}-notes`, declared: { review } };
  });
  const urn = urnOfStep({ type: "docs:index:Organization", name: "acme-eu" });
  const warning = { urn, message: `${undeclaredAdministrators}: bea@acme.test`, severity: "warning" };
  const review = reviewOfText(print(noted, { diagnostics: [warning] }));
  expect([risksIn(review), review.warnings]).toEqual([["undeclared-administrator org_acme-eu"], []]);
  const unchanged = noted.map(({ declared, ...one }) => ({ ...one, op: "same", live: declared, declared }));
  expect(reviewOfText(print(unchanged, { diagnostics: [warning] })).verdict).toMatchObject({ kind: "risky", risks: 1 });
});

describe("an e-mail with a character outside ASCII", () => {
  it("is marked at the person, in risks and in the page", () => {
    const review = reviewOfSteps({
      op: "create",
      type: "MemberRole",
      declared: { user: "аda@acme.test", role: "admin" },
    });
    const said = "аda@acme.test (with a Cyrillic а, U+0430)";
    expect(textsOfRisks(review)).toEqual([expect.stringMatching(/^аda@acme\.test \(.* U\+0430\): role admin/)]);
    expect(textOf(review).split(said)).toHaveLength(2);
    expect(markdownOf(review)).toContain("- 🔴 high: `аda@acme.test` (with a Cyrillic `а`, U+0430): role `admin`");
    expect(htmlOf(review)).toMatch(/<th scope="row"[^>]*><code>аda<wbr>@acme.test<\/code> \(with a Cyrillic <code>а/);
  });
});

describe("the effect of a deletion", () => {
  const gone = (outputs: object, role = "edit") =>
    reviewOfSteps({
      op: "delete",
      type: "MemberRole",
      live: { user: "a@acme.test", role },
      outputs: { userId: "user_a", previousRole: "read", ...outputs },
    });

  it.each([
    ["gives the previous role back", {}, "edit", "read", "loses"],
    ["leaves the role", { onRelease: "leave" }, "admin", "admin", "none"],
    ["makes a guest", { onRelease: "guest" }, "edit", "guest", "loses"],
    ["removes the person", { onRelease: "remove" }, "edit", "none", "loses"],
    ["never raises", { previousRole: "admin" }, "edit", "edit", "none"],
    ["raises where that is allowed", { previousRole: "admin", allowRaise: true }, "edit", "admin", "gains"],
    ["takes null for a guest", { previousRole: null }, "edit", "guest", "loses"],
  ])("%s", (_name, outputs, before, after, effect) => {
    expect(gone(outputs, before).people[0]?.access[0]).toMatchObject({ before, after, effect });
  });

  const many = (more: object) => ({
    type: "MemberRoles",
    live: { roles: { "a@acme.test": "edit", user_b: "edit" }, ...more },
    outputs: { userIds: { "a@acme.test": "user_a" }, previousRoles: { user_a: "admin", user_b: "read" } },
  });
  const team = { type: "TeamMembers", live: { teamId: "t", members: { user_a: "owner", user_b: "member" } } };
  const moved = (before: object, after: object): PreviewStep => {
    const live = { organizationId: "acme", roles: { user_a: "edit" }, ...before };
    return { op: "replace", type: "MemberRoles", live, declared: { ...live, ...after, organizationId: "other" } };
  };

  it.each<[string, PreviewStep, string[]]>([
    [
      "on a person in a map follows the previous roles",
      { ...many({}), declared: { roles: { "a@acme.test": "edit" } } },
      ["user_b loses role: edit -> read (declared)"],
    ],
    [
      "raises only the person who has allowRaise",
      { op: "delete", ...many({ allowRaiseOf: ["A@acme.test"] }) },
      ["user_a gains role: edit -> admin (declared)", "user_b loses role: edit -> read (declared)"],
    ],
    [
      "is the same for a replacement, by the recorded options",
      moved({ onRelease: "remove" }, { onRelease: "leave" }),
      ["user_a loses role: edit -> none (declared)", "user_a gains role: unknown -> edit (declared)"],
    ],
    [
      "keeps people with the recorded option leave",
      moved({ onRelease: "leave" }, { onRelease: "remove" }),
      ["user_a gains role: unknown -> edit (declared)"],
    ],
    [
      "keeps unmanaged members of a team",
      { op: "delete", ...team, outputs: { found: ["user_b"] } },
      ["user_a loses t: owner -> none (declared)"],
    ],
    ["keeps all members with onRelease leave", { op: "delete", ...team, outputs: { onRelease: "leave" } }, []],
    [
      "is known also if the role of somebody else is not",
      {
        type: "MemberRole",
        live: { user: "user_a", role: "edit" },
        outputs: { previousRole: "read" },
        declared: { user: "user_b", role: unknown },
      },
      ["user_a loses role: edit -> read (declared)", "user_b changes role: unknown -> unknown (declared)"],
    ],
  ])("%s", (_name, step, changes) => expect(changesInReview(reviewOfSteps(step))).toEqual(changes));

  it.each<[shown: object, changes: string[]]>([
    [{ user: "b@vendor.test" }, []],
    [{ user: "new@acme.test" }, ["user_b loses t: member -> none (declared)"]],
    [{ user: "user_b", hidesEmail: true }, ["user_b loses t: member -> none (declared)"]],
    [{ user: "user_b" }, []],
  ])("follows patterns by the e-mail that the component shows, not by a recorded one: %j", (shown, changes) => {
    const [members, userIds] = [{ "b@vendor.test": "member" }, { "b@vendor.test": "user_b" }];
    const declared = { teamId: "t", members: {}, ignore: ["*@vendor.test"] };
    const team = { type: "TeamMembers", live: { teamId: "t", members }, outputs: { userIds }, declared };
    const review = { organization: "acme", live: [{ userId: "user_b", team: "t", level: "member", ...shown }] };
    const notes = { op: "create", type: "docs:index:OrganizationNotes", name: "acme-notes", declared: { review } };
    expect(changesInReview(reviewOfSteps(team, notes as PreviewStep))).toEqual(changes);
  });

  it("is nothing for a person who is ignored from now on", () => {
    const members = { user_a: "owner", "b@acme.test": "member" };
    const team = reviewOfSteps({
      type: "TeamMembers",
      live: { teamId: "t", members },
      outputs: { userIds: { "b@acme.test": "user_b" } },
      declared: { teamId: "t", members: {}, ignore: ["user_a", "*@acme.test"] },
    });
    expect(changesInReview(team)).toEqual([]);
    expect(markdownOf(team)).toContain("`user_a`: team `t` stays `owner`; ignored from now on");
    const roles = { roles: { user_a: "edit" } };
    expect(
      changesInReview(reviewOfSteps({ type: "MemberRoles", live: roles, declared: { ...roles, ignore: ["user_a"] } })),
    ).toEqual([]);
  });

  it.each([
    ["MemberRoles", { roles: { user_a: "edit" } }, { roles: "[secret]" }],
    ["MemberRoles", { roles: { user_a: "edit" } }, { roles: unknown, sso: ["user_b"] }],
    ["MemberRoles", { roles: { user_a: "edit" } }, { roles: {}, onRelease: unknown }],
    ["MemberRoles", { roles: { user_a: "edit" } }, { roles: {}, onRelease: { people: { user_a: "[secret]" } } }],
    ["MemberRole", { user: "user_a", role: "edit" }, { user: unknown, role: "edit" }],
    ["TeamMembers", { teamId: "t", members: { user_a: "owner" } }, { teamId: "t", members: unknown }],
    ["TeamMembers", { teamId: "t", members: { user_a: "owner" } }, { teamId: "t", members: {}, ignore: [unknown] }],
  ])("on a person of %s is not known if the preview hides what decides it: %j, %j", (type, live, declared) => {
    const review = reviewOfSteps({ type, live, declared });
    expect(changesInReview(review)).toContainEqual(expect.stringMatching(/^user_a changes \w+: \w+ -> unknown/));
    expect(risksIn(review)).toContain("hidden-access user_a");
  });
});

describe("risks", () => {
  const kinds = (...steps: readonly PreviewStep[]) => reviewOfSteps(...steps).risks.map(({ kind }) => kind);

  it.each<[object | undefined, object, string[]]>([
    [{ visibility: "visitor-auth" }, { visibility: "unlisted" }, ["site-opened"]],
    [{ visibility: "unlisted" }, { visibility: "visitor-auth" }, []],
    [{ visibility: "unlisted" }, { visibility: "share-link" }, ["site-opened"]],
    [{ visibility: "public" }, { visibility: "unlisted" }, []],
    [{ visibility: "public" }, { visibility: "share-link" }, []],
    [{ visibility: "unlisted" }, { visibility: "[secret]" }, ["hidden-access"]],
    [{ published: false, visibility: "public" }, { published: true, visibility: "public" }, ["site-published"]],
    [{ published: true }, { published: false }, ["site-unpublished"]],
    [
      { published: false, visibility: "unlisted" },
      { published: true, visibility: "share-link" },
      ["site-published", "site-opened"],
    ],
    [undefined, { visibility: "visitor-auth" }, []],
    [undefined, { published: true }, ["hidden-access"]],
    [undefined, { published: true, visibility: "unlisted" }, ["site-opened"]],
  ])("of a site that changes from %j to %j", (before, after, found) => {
    const live = before && { live: { title: "A", ...before } };
    const op = before ? "update" : "create";
    expect(kinds({ op, type: "Site", ...live, declared: { title: "A", ...after } })).toEqual(found);
  });

  it("of a site that is replaced", () => {
    const declared = { title: "A", type: "premium" };
    expect(kinds({ op: "replace", type: "Site", live: { title: "A" }, declared })).toEqual(["site-replaced"]);
  });

  it("of a team that is declared without an owner, or that removes unnamed people", () => {
    const declared = { teamId: "t", members: { user_a: "member" }, exclusive: true };
    expect(kinds({ op: "create", type: "TeamMembers", declared })).toEqual([
      "team-without-owner",
      "team-unseen-people",
    ]);
    const before = { ...declared, teamId: "s" };
    expect(kinds({ op: "replace", type: "TeamMembers", live: before, declared })).toContain("team-unseen-people");
    const other = { ...declared, members: { user_b: "owner" } };
    expect(kinds({ op: "replace", type: "TeamMembers", live: declared, declared: other })).not.toContain(
      "team-unseen-people",
    );
  });

  it("of a SAML provider that is removed, new, or adds people to another team", () => {
    expect(kinds({ op: "delete", type: "SamlProvider", live: { label: "Okta" } })).toEqual(["sign-in-removed"]);
    const trusted = { label: "Okta", certificate: "certificate", defaultRole: "guest" };
    expect(kinds({ op: "create", type: "SamlProvider", declared: trusted })).toEqual(["sign-in-added"]);
    const kindsOfChange = (before: object, after: object) =>
      kinds({ type: "SamlProvider", live: { ...trusted, ...before }, declared: { ...trusted, ...after } });
    expect(kindsOfChange({ defaultTeam: "a" }, { defaultTeam: "b" })).toEqual(["sign-in-default"]);
    expect(kindsOfChange({}, { defaultTeam: "b" })).toEqual(["sign-in-default"]);
    expect(kindsOfChange({ defaultTeam: "a" }, {})).toEqual([]);
    expect(kindsOfChange({ label: "Okta" }, { label: "Okta 2" })).toEqual([]);
    expect(kindsOfChange({ defaultRole: "read" }, { defaultRole: null })).toEqual(["sign-in-default"]);
    const guests = { ...trusted, defaultRole: null };
    expect(kinds({ op: "create", type: "SamlProvider", declared: guests })).toEqual(["sign-in-added"]);
    expect(kinds({ op: "same", type: "SamlProvider", live: guests, declared: guests })).toEqual([]);
  });

  it("of a release of people whose e-mail a pattern may match", () => {
    const team = { teamId: "t", members: { user_a: "member", user_b: "owner" }, ignore: ["*@contractor.test"] };
    const left = { ...team, members: { user_b: "owner" } };
    expect(kinds({ type: "TeamMembers", live: team, declared: left })).toEqual(["hidden-access"]);
    const outputs = { userIds: { "a@acme.test": "user_a" } };
    const known = { ...team, members: { "a@acme.test": "member", user_b: "owner" } };
    expect(kinds({ type: "TeamMembers", live: known, outputs, declared: left })).toEqual(["team-people-removed"]);
  });

  it("of options that will remove people from the organization when their lines are removed", () => {
    const roles = { roles: { user_a: "edit" } };
    const removing = { ...roles, onRelease: "remove" };
    expect(kinds({ type: "MemberRoles", live: roles, declared: removing })).toEqual(["removal-on-release"]);
    expect(kinds({ op: "create", type: "MemberRoles", declared: removing })).toEqual(["removal-on-release"]);
    expect(kinds({ type: "MemberRoles", live: removing, declared: { ...removing, allowRaise: true } })).toEqual([
      "raise-on-release",
    ]);
    const { others, verdict } = reviewOfSteps({ type: "MemberRoles", live: roles, declared: removing });
    expect(others).toMatchObject([{ properties: [{ name: "onRelease", after: "remove", option: true }] }]);
    expect(verdict.kind).toBe("risky");
    const ended = { roles: {}, onRelease: { destroy: "restore", people: { user_a: "remove" } } };
    const ending = { type: "MemberRoles", live: { ...roles, onRelease: "restore" }, declared: ended };
    expect(reviewOfSteps(ending).others).toEqual([]);
    const ignoring = (...ignore: string[]) => ({ roles: {}, others: { members: "guest", ignore } });
    const sorted = {
      type: "MemberRoles",
      live: ignoring("user_a", "*@b.test"),
      declared: ignoring("*@B.test", "user_a"),
    };
    expect(reviewOfSteps(sorted).others).toEqual([]);
  });

  it("of people who may get a higher role back after their release", () => {
    const roles = { roles: { user_a: "read", user_b: "read" } };
    const one = { ...roles, allowRaiseOf: ["user_a"] };
    expect(kinds({ type: "MemberRoles", live: roles, declared: one })).toEqual(["raise-on-release"]);
    expect(kinds({ type: "MemberRoles", live: one, declared: one })).toEqual([]);
    expect(kinds({ type: "MemberRoles", live: one, declared: roles })).toEqual([]);
    const { risks } = reviewOfSteps({ type: "MemberRoles", live: roles, declared: one });
    expect(risks).toMatchObject([{ text: expect.toHaveWording("a higher role after a release") }]);
  });

  it("of a resource that loses its protection, and of no other", () => {
    const risksOfChange = (before: boolean | undefined, after: boolean | undefined, op = "update") => {
      const options = { before: { protect: before }, ...(op !== "delete" && { after: { protect: after } }) };
      return textsOfRisks(reviewOfSteps({ op, ...guide, ...options }));
    };
    const text = expect.toHaveWording("a lost protection");
    expect(risksOfChange(true, false)).toEqual([text]);
    expect(risksOfChange(true, undefined, "same")).toEqual([text]);
    const [lost] = reviewOfSteps({ op: "same", ...guide, before: { protect: true }, after: {} }).changes;
    expect(lost?.properties).toEqual([{ name: "protect", before: true, option: true }]);
    expect(risksOfChange(true, true)).toEqual([]);
    expect(risksOfChange(false, true)).toEqual([]);
    expect(risksOfChange(undefined, undefined)).toEqual([]);
    expect(risksOfChange(true, undefined, "delete")).not.toContainEqual(expect.stringContaining("protected"));
  });

  it("of claims that a whole schema or the claims alone no longer have", () => {
    const beta = { type: "boolean", description: "Beta." };
    const schemaWith = (properties: object) => ({ type: "object", properties, additionalProperties: false });
    const risksOfChange = (live: object, declared: object) =>
      textsOfRisks(
        reviewOfSteps({
          type: "SiteAdaptiveSchema",
          live: { siteId: "site_a", ...live },
          declared: { siteId: "site_a", ...declared },
        }),
      );
    const lost = (paths: string) => [expect.stringMatching(`^visitors of site site_a lose claims, .*: ${paths}$`)];
    const jsonSchema = schemaWith({ beta, unsigned: schemaWith({ beta }) });
    expect(risksOfChange({ jsonSchema }, { jsonSchema: schemaWith({ beta }) })).toEqual(lost("unsigned.beta"));
    expect(risksOfChange({ jsonSchema }, { claims: {} })).toEqual(lost("beta"));
    expect(risksOfChange({ claims: { beta } }, { jsonSchema: schemaWith({}) })).toEqual(lost("beta"));
    expect(risksOfChange({ jsonSchema }, { jsonSchema: unknown })).toEqual([]);
  });

  it("of weaker guards, and of no others", () => {
    const risksOfChange = (before: object | undefined, after: object | undefined) => {
      const [live, declared] = [before, after].map((guards) => ({ review: { organization: "acme", guards } }));
      const { risks } = reviewOfSteps({ type: "docs:index:Organization", name: "acme", live, declared });
      return risks.map(({ kind, text }) => `${kind}: ${text}`);
    };
    const less = (what: string) => expect.stringMatching(`^guards-weaker: the guards of acme protect less: .*${what}$`);
    const guards = { minAdmins: 2, requiredAdmins: ["Ada@acme.test"], maxRemovals: 5 };
    expect(risksOfChange({ allowPublic: ["a"] }, { allowPublic: ["a", "b"] })).toEqual([
      less("site b .*allowPublic\\)"),
    ]);
    const without = risksOfChange(guards, undefined);
    expect(without).toHaveLength(3);
    expect(without.join("\n")).toHaveWording("guards that are removed");
    const strict = { undeclaredAdmins: "refuse" };
    expect(risksOfChange(strict, {})).toEqual([less("undeclaredAdmins refuse → not set")]);
    expect(risksOfChange({}, strict)).toEqual([]);
    expect(risksOfChange(guards, { ...guards, maxRemovals: "25%" })).toEqual([
      expect.toHaveWording("a guard that becomes a share of people"),
    ]);
    expect(risksOfChange({ maxRemovals: "5%" }, { maxRemovals: "50%" })).toHaveLength(1);
    expect(
      risksOfChange(guards, { minAdmins: 3, requiredAdmins: ["ada@acme.test", "user_b"], maxRemovals: 4 }),
    ).toEqual([]);
    expect(risksOfChange({ allowPublic: ["a", "b"] }, { allowPublic: ["b"] })).toEqual([]);
    expect(risksOfChange(undefined, guards)).toEqual([]);
    const approvers = { admin: ["ada", "bea"], team_a: ["cem"] };
    expect(risksOfChange({ approvers }, { approvers: { admin: ["ada", "eve"] } })).toEqual([
      less("eve may approve admin \\(approvers\\)"),
      less("nobody must approve team_a \\(approvers\\)"),
    ]);
    expect(risksOfChange({ approvers }, { approvers: { ...approvers, admin: ["ada"], edit: ["cem"] } })).toEqual([]);
  });

  it("of a site that becomes public, without the guard that now allows it, in the first line too", () => {
    const [live, declared] = [{}, { allowPublic: ["b"] }].map((guards) => ({
      review: { organization: "acme", guards },
    }));
    const notes = { type: "docs:index:OrganizationNotes", name: "acme-notes", live, declared };
    const site = { live: { visibility: "unlisted" }, declared: { visibility: "public" } };
    const { risks, verdict } = reviewOfSteps(notes, { type: "Site", name: "acme-b", ...site });
    expect(risks.map(({ kind }) => kind)).toEqual(["site-public"]);
    expect(verdict.text).toBe("1 risk to look at: 1 site becomes public.");
  });

  it("of people who gain power below that of an administrator, and not of what this up only sets back", () => {
    const role = (before: string, after: string, recorded = before) =>
      kinds({
        type: "MemberRole",
        recorded: { user: "user_a", role: recorded },
        live: { user: "user_a", role: before },
        declared: { user: "user_a", role: after },
      });
    expect(role("read", "create")).toEqual(["new-creator"]);
    expect(role("admin", "create")).toEqual(["administrator-lost"]);
    expect(role("read", "review")).toEqual([]);
    expect(role("read", "create", "create")).toEqual(["drift"]);
    const team = (before: object, after: object) =>
      kinds({ type: "TeamMembers", live: { teamId: "t", members: before }, declared: { teamId: "t", members: after } });
    expect(team({ user_a: "member", user_b: "owner" }, { user_a: "owner", user_b: "owner" })).toEqual([
      "new-team-owner",
    ]);
    expect(team({ user_b: "owner" }, { user_a: "member", user_b: "owner" })).toEqual([]);
  });

  it("of nobody who has left, whose changed line is neither a gain nor in the plan; the person is named once", () => {
    const left = { type: "MemberRoles", outputs: { userIds: {}, previousRoles: {}, absent: ["user_gone"] } };
    const change = { ...left, live: { roles: { user_gone: "guest" } }, declared: { roles: { user_gone: "admin" } } };
    const review = reviewOfSteps(change);
    expect([changesInReview(review), risksIn(review), planOf(review).access]).toEqual([[], [], []]);
    expect(review.warnings).toEqual([{ text: expect.toHaveWording("a person of a program who has left") }]);
    const tidied = { ...left, live: { roles: { user_gone: "read" }, sso: ["user_gone"] }, declared: { roles: {} } };
    const tidy = reviewOfSteps(tidied);
    expect(tidy.people.flatMap(({ access }) => access.map((one) => [groupOf(one), one.place.kind]))).toEqual([
      ["record", "role"],
    ]);
    expect([tidy.verdict.kind, risksIn(tidy), planOf(tidy).access]).toEqual(["none", [], []]);
    const said = { severity: "warning", message: "user_gone (members) left the organization; the line can go" };
    expect(reviewOfText(print([change], { diagnostics: [said] })).warnings).toHaveLength(1);
  });

  it("of nobody in a team who hides the e-mail, and may be one who has left: this person stays", () => {
    const outputs = {
      userIds: { "gone@acme.test": "user_gone" },
      absent: ["gone@acme.test"],
      found: ["user_hal"],
      pending: [],
    };
    const declared = { teamId: "t", members: { "gone@acme.test": "member", user_ada: "owner" } };
    const live = { ...declared, members: { ...declared.members, user_hal: "member" } };
    const review = reviewOfSteps({ type: "TeamMembers", live, outputs, declared });
    expect([changesInReview(review), risksIn(review)]).toEqual([[], []]);
    expect(textOf(review)).toContain("user_hal: team t stays member; not declared; hides the e-mail, and may be");
  });

  it("of an owner of a team whose e-mail no member has, and of disabled people who gain access", () => {
    const present = [
      { user: "Zoe@acme.test", team: "t", level: "none" },
      { user: "user_a", userId: "user_a", level: "read", isDisabled: true },
    ];
    const live = { organizationId: "acme", teamId: "t", members: { user_b: "owner", user_a: "member" } };
    const declared = { ...live, members: { ...live.members, "Zoe@acme.test": "owner", "yan@acme.test": "member" } };
    const roles = {
      op: "create",
      type: "MemberRoles",
      declared: { organizationId: "acme", roles: { user_a: "edit" } },
    };
    const review = reviewOfSteps(notesOf(present), { type: "TeamMembers", live, declared }, roles);
    expect(review.risks).toMatchObject([
      { severity: "high", text: expect.toHaveWording("an owner whose e-mail no member has") },
      { severity: "medium", text: expect.toHaveWording("a disabled person who gains access") },
    ]);
    expect(textOf(review)).toContain("Zoe@acme.test: team t not in it → owner; pending: ");
  });

  it("of the token's own user, if the environment names the user", () => {
    const steps = print([
      {
        type: "MemberRoles",
        live: { roles: { "CI@acme.test": "admin", user_b: "admin" } },
        outputs: { userIds: { "ci@acme.test": "user_ci" } },
        declared: { roles: { "CI@acme.test": "read", user_b: "edit" } },
      },
      {
        type: "TeamMembers",
        live: { teamId: "t", members: { user_ci: "owner", user_b: "owner" } },
        declared: { teamId: "t", members: { user_b: "owner" } },
      },
    ]);
    const found = (tokenUser?: string) =>
      reviewOfText(steps, { tokenUser }).risks.filter(({ kind }) => kind === "token-user");
    for (const name of ["user_ci", "ci@ACME.test"]) {
      expect(found(name)).toMatchObject([
        { severity: "high", text: expect.toHaveWording("a lower role of the token's user") },
        { severity: "high", text: expect.stringMatching(/^ci@acme\.test .*: team t owner → not in it;/) },
      ]);
    }
    expect(found()).toEqual([]);
    expect(found("user_c")).toEqual([]);
  });

  it("of a certificate, with the one that goes and the one that comes", () => {
    const [one = "", two = ""] = [certificateOne, certificateTwo].flatMap(certificateNames);
    const live = { label: "Okta", certificate: certificateOne };
    const certificates = [{ fingerprint: /[^ ]+(?=,)/.exec(one)?.[0], expiresAt: "2126-10-28T11:59:45.000Z" }];
    for (const before of [live, { label: "Okta" }]) {
      const declared = { label: "Okta", certificate: certificateTwo };
      const { risks } = reviewOfSteps({ type: "SamlProvider", live: before, outputs: { certificates }, declared });
      expect(risks).toMatchObject([
        { kind: "sign-in-changed", text: expect.stringContaining(`: certificate (adds ${two}; removes ${one})`) },
      ]);
    }
  });

  it("of people that the preview hides", () => {
    expect(kinds({ op: "create", type: "MemberRoles", declared: { roles: "[secret]" } })).toEqual(["hidden-person"]);
    const declared = { user: "user_a", role: unknown };
    expect(kinds({ op: "create", type: "MemberRole", declared })).toEqual(["hidden-access"]);
  });
});

it("shows the person that a failed change of user has not released yet", () => {
  const declared = { user: "user_b", role: "edit" };
  const releasing = { user: "user_a", userId: "user_a", role: "edit", previousRole: "read" };
  const outputs = { userId: "user_b", previousRole: "comment", releasing: [releasing] };
  const review = reviewOfSteps({ type: "MemberRole", live: declared, outputs, declared });
  expect(changesInReview(review)).toEqual(["user_a loses role: edit -> read (declared)"]);
  const removed = { ...declared, onRelease: "remove" };
  expect(changesInReview(reviewOfSteps({ type: "MemberRole", live: removed, outputs, declared: removed }))).toEqual([
    "user_a loses role: edit -> none (declared)",
  ]);
  const unknownYet = { ...releasing, role: undefined };
  const back = reviewOfSteps({
    type: "TeamMembership",
    live: { teamId: "t", user: "user_b", role: "owner" },
    outputs: { userId: "user_b", role: undefined, releasing: [unknownYet] },
    declared: { teamId: "t", user: "user_a", role: "owner" },
  });
  expect(changesInReview(back)).toContain("user_b loses t: unknown -> none (declared)");
  const hidden = { user: "[secret]", role: "edit" };
  expect(changesInReview(reviewOfSteps({ type: "MemberRole", live: hidden, outputs, declared: hidden }))).toEqual([
    "user_a loses role: edit -> read (declared)",
  ]);
  const membership = { teamId: "t", user: "user_b", role: "member" };
  const releasingOwner = [{ user: "user_a", userId: "user_a", role: "owner" }];
  const team = { userId: "user_b", pending: false, releasing: releasingOwner };
  const ofTeam = reviewOfSteps({ type: "TeamMembership", live: membership, outputs: team, declared: membership });
  expect(changesInReview(ofTeam)).toEqual(["user_a loses t: owner -> none (declared)"]);
});

describe("a new declaration", () => {
  it("is shown whole in the page, and shortened in a comment", () => {
    const ignore = Array.from({ length: 40 }, (_, nth) => `somebody-${nth}@acme.test`);
    const declared = { teamId: "t", members: { user_a: "owner" }, ignore };
    const instructions = `${"word ".repeat(100)}end`;
    const review = reviewOfSteps(
      { op: "create", type: "TeamMembers", declared },
      { op: "create", type: "Translation", declared: { instructions } },
    );
    const [markdown, html] = [markdownOf(review), htmlOf(review)];
    expect(markdown).toContain("`somebody-19@acme.test` and 20 others");
    expect(markdown).not.toContain("somebody-20@");
    for (const name of ignore) expect(html).toContain(`<code>${name}</code>`);
    expect(html).toContain(instructions);
    expect(markdown).not.toContain(instructions);
  });

  it("includes imports of another provider", () => {
    const imported = { op: "import", type: "aws:s3/bucket:Bucket", name: "logs", declared: { bucket: "logs" } };
    const review = reviewOfSteps(imported);
    expect(review.others).toMatchObject([{ name: "logs", operation: "update" }]);
    expect(review.verdict.kind).toBe("changes");
  });
});

describe("a resource with an alias", () => {
  /** The engine refreshes it under its old URN, and does everything else under the new one. */
  const renamed = (live: object, declared: object, ...more: readonly PreviewStep[]) => {
    const roles = (name: string) => ({ type: "MemberRoles", name });
    const before = { urn: urnOfStep(roles("old")) };
    const steps = [
      { ...roles("new"), before, live: { roles: live }, declared: { roles: declared } },
      ...more,
      // Its place among the steps does not matter.
      { op: "refresh", ...roles("old"), before, recorded: { roles: { user_a: "read" } } },
    ];
    return reviewOfText(print(steps, { changeSummary: { update: 1, create: more.length } }));
  };

  it("keeps its changes under the new name", () => {
    const review = renamed({ user_a: "read" }, { user_a: "admin" });
    expect(changesInReview(review)).toEqual(["user_a gains role: read -> admin (declared)"]);
    expect(risksIn(review)).toEqual(["new-administrator user_a"]);
    expect(review.partial).toBe(false);
    expect(changesInReview(renamed({ user_a: "admin" }, { user_a: "read" }))).toEqual([
      "user_a loses role: admin -> read (drift)",
    ]);
  });

  it("is not the resource that takes its old name", () => {
    const create = { op: "create", type: "MemberRoles", name: "old", declared: { roles: { user_b: "edit" } } };
    expect(changesInReview(renamed({ user_a: "read" }, { user_a: "admin" }, create))).toEqual([
      "user_a gains role: read -> admin (declared)",
      "user_b gains role: unknown -> edit (declared)",
    ]);
  });
});

it("takes an unchanged resource as the refresh has found it, not the inputs of a failed update for what is declared", () => {
  const urn = urnOfStep({ type: "TeamMembers" });
  const ownedBy = (...users: string[]) => ({
    teamId: "t",
    members: Object.fromEntries(users.map((user) => [user, "owner"])),
  });
  const oldState = { inputs: ownedBy("user_a"), outputs: { organizationId: "acme", ...ownedBy("user_a", "user_b") } };
  const newState = { ...oldState, outputs: { organizationId: "acme", ...ownedBy("user_a") } };
  const reviewed = (...steps: object[]) => reviewOfText(JSON.stringify({ steps }));
  const refresh = { op: "refresh", urn, oldState, newState };
  for (const review of [reviewed(refresh), reviewed(refresh, { op: "same", urn, oldState: newState, newState })]) {
    expect(changesInReview(review)).toEqual([]);
    expect(review.verdict.kind).toBe("none");
  }
});

describe("people", () => {
  it("are pending if the state says that no member has the e-mail, in single memberships and in whole teams", () => {
    const live = { teamId: "t", user: "a@acme.test", role: "member" };
    const outputs = { userId: null, pending: true };
    const single = reviewOfSteps({ type: "TeamMembership", live, outputs, declared: { ...live, role: "owner" } });
    expect(markdownOf(single)).toContain("`a@acme.test`: team `t` `member` → `owner`; pending: no ");
    const gone = reviewOfSteps({ op: "delete", type: "TeamMembership", live, outputs });
    expect(markdownOf(gone)).toContain("`member` → not in it; was pending: no member had this e-mail");
    const seen = reviewOfSteps({ op: "delete", type: "TeamMembership", recorded: live, live, outputs });
    expect([seen.verdict.kind, risksIn(seen), planOf(seen).access.length]).toEqual(["none", [], 1]);
    expect(textOf(seen)).toHaveWording("a pending person whose line goes");

    const members = { "A@acme.test": "member", "b@acme.test": "member" };
    const team = reviewOfSteps({
      type: "TeamMembers",
      live: { teamId: "t", members },
      outputs: { pending: ["a@acme.test"], userIds: { "b@acme.test": "user_b" } },
      declared: { teamId: "t", members: { ...members, "b@acme.test": "owner" } },
    });
    expect(team.people.map(({ id, access }) => [id, access[0]?.effect, access[0]?.pending])).toEqual([
      ["a@acme.test", "none", true],
      ["user_b", "gains", undefined],
    ]);
    expect(htmlOf(team)).toMatch(/title="team t stays member; pending: [^"]*">[^/]*<\/code> \(pending\)/);
    expect(reviewedLines(planOf(single))).toContain("gain      a@acme.test: team t member → owner");
  });

  it("are different people if an e-mail has a new owner", () => {
    const recorded = { teamId: "t", members: { "ada@acme.test": "owner" } };
    const owned = (userId: string) => ({ type: "TeamMembers", outputs: { userIds: { "ada@acme.test": userId } } });
    const review = reviewOfSteps(
      { op: "refresh", ...owned("user_1"), recorded },
      { ...owned("user_2"), live: { teamId: "t", members: {} }, declared: recorded },
    );
    expect(changesInReview(review)).toEqual(["user_2 gains t: none -> owner (declared)"]);
    expect(risksIn(review)).toEqual(["email-passed-on user_2", "new-team-owner user_2"]);
    // An update keeps the person of the state, and a replacement looks the e-mail up.
    const [before, after] = ["old", "new"].map((teamId) => ({ teamId, user: "ada@acme.test", role: "member" }));
    const membership = { type: "TeamMembership", live: before, outputs: { userId: "user_1" }, declared: after };
    const known = { ...owned("user_2"), op: "same", recorded: { teamId: "t", members: {} }, live: recorded };
    const [oldTeam, newTeam] = ["old", "new"].map((teamId) => ({ teamId, members: { "ada@acme.test": "member" } }));
    const whole = { ...owned("user_1"), name: "whole", live: oldTeam, declared: newTeam };
    for (const one of [membership, whole])
      expect(changesInReview(reviewOfSteps({ ...known, declared: recorded }, { ...one, op: "replace" }))).toEqual([
        "user_2 gains new: unknown -> member (declared)",
        "user_1 loses old: member -> none (declared)",
      ]);
    const capital = { teamId: "old", members: { "Ada@acme.test": "owner" } };
    const raised = reviewOfSteps({ ...known, declared: recorded }, { ...whole, declared: capital });
    expect(changesInReview(raised)).toEqual(["user_1 gains old: member -> owner (declared)"]);
  });

  it("have the names of a state once, and share no user id that is a secret", () => {
    const keysIn = (...steps: PreviewStep[]) => reviewOfSteps(...steps).people.map(({ keys }) => keys);
    const role = { user: "user_a", role: "edit" };
    expect(
      keysIn({ op: "same", type: "MemberRole", live: role, outputs: { userId: "user_a" }, declared: role }),
    ).toEqual([["user_a"]]);
    const roles = { roles: { "a@acme.test": "edit", "b@acme.test": "edit" } };
    const userIds = { "a@acme.test": "[secret]", "b@acme.test": "[secret]" };
    const many = { op: "same", type: "MemberRoles", live: roles, declared: roles };
    expect(keysIn({ ...many, outputs: { userIds } })).toEqual([["a@acme.test"], ["b@acme.test"]]);
    // After a failed change of the user, the id is that of the user before.
    const failed = { ...role, user: "b@acme.test" };
    const outputs = { user: "a@acme.test", userId: "user_a" };
    expect(keysIn(many, { op: "same", type: "MemberRole", live: failed, outputs, declared: failed })).toContainEqual([
      "a@acme.test",
      "user_a",
    ]);
  });

  it("are named once for each e-mail that has passed on, and for each previous owner", () => {
    const present = ["a", "b"].map((name) => ({ user: `${name}@acme.test`, userId: "user_2", level: "read" }));
    const step = (type: string, name: string, live: object, userIds: object): PreviewStep => {
      return { op: "same", type, name, live, outputs: { userIds }, declared: live };
    };
    const [both, one] = [{ "a@acme.test": "user_1", "b@acme.test": "user_1" }, { "a@acme.test": "user_5" }];
    const roles = { roles: { "a@acme.test": "read", "b@acme.test": "read" } };
    const teamOf = (teamId: string) => ({ teamId, members: { "a@acme.test": "owner" } });
    const { passedOn } = reviewOfSteps(
      notesOf(present),
      step("MemberRoles", "roles", roles, both),
      step("TeamMembers", "s", teamOf("s"), { "a@acme.test": "user_1" }),
      step("TeamMembers", "t", teamOf("t"), one),
    );
    expect(passedOn.map(({ email, before, now }) => `${email} ${before} ${now}`)).toEqual([
      "a@acme.test user_1 user_2",
      "b@acme.test user_1 user_2",
      "a@acme.test user_5 user_2",
    ]);
  });

  it("are the same if the name is a secret before and after", () => {
    const [live, declared] = ["read", "edit"].map((role) => ({ user: "[secret]", role }));
    const review = reviewOfSteps({ type: "MemberRole", live, outputs: { userId: "user_a" }, declared });
    expect(changesInReview(review)).toEqual(["user_a gains role: read -> edit (declared)"]);
  });

  it("are two if the state of another resource has the e-mail for somebody else than its present owner", () => {
    const cem = (userId: string) => ({ outputs: { userIds: { "Cem@acme.test": userId } } });
    const roles = { roles: { "Cem@acme.test": "edit" } };
    const team = { teamId: "t", members: { "Cem@acme.test": "owner" } };
    const review = reviewOfSteps(
      { type: "MemberRoles", ...cem("user_cem"), recorded: roles, live: roles, declared: roles },
      { op: "refresh", type: "TeamMembers", ...cem("user_cem"), recorded: team },
      { type: "TeamMembers", ...cem("user_mallory"), live: { teamId: "t", members: {} }, declared: team },
    );
    expect(changesInReview(review)).toEqual(["user_mallory gains t: none -> owner (declared)"]);
    expect(textsOfRisks(review)).toEqual([
      expect.toHaveWording("an e-mail that another person has now"),
      expect.stringMatching(/^Cem@acme\.test: team t .* → owner$/),
    ]);
    expect(planOf(review).users).toEqual({ "cem@acme.test": ["user_mallory", "user_cem"] });
  });

  it("without changes are shown, even if a resource loses its protection", () => {
    const members = { teamId: "t", members: { user_a: "owner" } };
    const unprotected = { op: "same", ...guide, before: { protect: true }, after: { protect: false } };
    const review = reviewOfSteps({ op: "refresh", type: "TeamMembers", recorded: members }, unprotected);
    expect(review.people).toHaveLength(1);
  });

  it("change if a resource names another user: the first user is released", () => {
    const review = reviewOfSteps({
      type: "MemberRole",
      live: { user: "user_a", role: "admin" },
      outputs: { userId: "user_a", previousRole: "read" },
      declared: { user: "user_b", role: "admin" },
    });
    expect(changesInReview(review)).toEqual([
      "user_a loses role: admin -> read (declared)",
      "user_b gains role: unknown -> admin (declared)",
    ]);
  });
});

describe("the access of people who become managed", () => {
  const roles = {
    op: "create",
    type: "MemberRoles",
    declared: { organizationId: "acme", roles: { "bea@acme.test": "read", user_c: "edit" } },
  };

  it("shows who loses a role, and who keeps it", () => {
    const people = [
      { user: "bea@acme.test", userId: "user_bea", level: "admin" },
      { user: "user_c", userId: "user_c", level: "edit" },
    ];
    const review = reviewOfSteps(notesOf(people), roles);
    expect(changesInReview(review)).toEqual(["user_bea loses role: admin -> read (declared)"]);
    expect(risksIn(review)).toEqual(["administrator-lost user_bea"]);
    expect(review.verdict.text).toHaveWording("people who become managed");
    expect(markdownOf(review)).toMatch(/Managed from now on, .*\(1\)\n\n- `user_c`: role stays `edit`/);
    expect(reviewedLines(planOf(review)).join("\n")).toContain("loss      bea@acme.test (user_bea): role admin → read");
    // The component does not show everybody with a role.
    const other = { organizationId: "acme", user: "user_d", role: "read" };
    const added = reviewOfSteps(notesOf(people), { op: "create", type: "MemberRole", declared: other });
    expect(changesInReview(added)).toEqual(["user_d gains role: unknown -> read (declared)"]);
  });

  it("shows who leaves a team, and who is in it already", () => {
    const people = [
      { user: "user_a", userId: "user_a", team: "t", level: "owner" },
      { user: "zoe@acme.test", userId: "user_zoe", team: "t", level: "member" },
    ];
    const members = { user_a: "owner", user_b: "member" };
    const declared = { organizationId: "acme", teamId: "t", members, exclusive: true };
    const review = reviewOfSteps(notesOf(people), { op: "create", type: "TeamMembers", declared });
    expect(changesInReview(review)).toEqual([
      "user_b gains t: none -> member (declared)",
      "user_zoe loses t: member -> none (declared)",
    ]);
    expect(risksIn(review)).toEqual(["team-people-removed user_zoe"]);
    expect(textOf(review)).toContain("zoe@acme.test (user_zoe): team t member → not in it; not declared (exclusive)");
    // A team that is managed already removes everybody that the review has shown.
    const update = { type: "TeamMembers", live: { ...declared, members: { user_a: "owner" } }, declared };
    expect(changesInReview(reviewOfSteps(notesOf(people), update))).toEqual(changesInReview(review));
    const unread = people.map((one) => ({ ...one, level: "unknown" }));
    expect(changesInReview(reviewOfSteps(notesOf(unread), { op: "create", type: "TeamMembers", declared }))).toEqual([
      "user_a gains t: unknown -> owner (declared)",
      "user_b gains t: unknown -> member (declared)",
    ]);
  });

  it("begins with the level of the state, and says that an e-mail is pending rather than no member", () => {
    const live = [
      { user: "user_a", userId: "user_a", level: "admin" },
      { user: "zoe@acme.test", level: "none" },
    ];
    const [before, after] = ["read", "edit"].map((role) => ({ organizationId: "acme", user: "user_a", role }));
    const zoe = { op: "create", type: "MemberRole", name: "zoe", declared: { ...after, user: "zoe@acme.test" } };
    expect(
      changesInReview(reviewOfSteps(notesOf(live), { type: "MemberRole", live: before, declared: after }, zoe)),
    ).toEqual(["user_a gains role: read -> edit (declared)", "zoe@acme.test gains role: unknown -> edit (declared)"]);
  });
});

describe("of each person, a review says what happens, and why", () => {
  const rolesWith = (roles: object, more = {}) => ({ organizationId: "acme", roles, ...more });
  const teamWith = (members: object, more = {}) => ({ organizationId: "acme", teamId: "t", members, ...more });
  const [both, onlyB] = [rolesWith({ user_a: "read", user_b: "read" }), rolesWith({ user_b: "read" })];
  const takenByHand = { type: "MemberRoles", recorded: both, live: onlyB, declared: onlyB };
  const others = { onRelease: "remove", others: { members: "guest" } };
  const [edit, editOfB] = ["user_a", "user_b"].map((user) => ({ organizationId: "acme", user, role: "edit" }));
  const single = {
    type: "MemberRole",
    name: "single",
    live: edit,
    outputs: { userId: "user_a", previousRole: "read" },
  };

  it.each<[string, PreviewStep[], string[]]>([
    ["nothing of a line that has gone with its access, in a resource that stays", [{ op: "same", ...takenByHand }], []],
    [
      "that only the record goes, if one of its resources changes",
      [
        { op: "same", ...takenByHand },
        { ...single, op: "delete", outputs: { userId: "user_a", absent: true } },
      ],
      ["user_a: role: no member"],
    ],
    [
      "that nothing is left of somebody who leaves the organization, also where a team declares the person",
      [
        {
          type: "MemberRoles",
          live: rolesWith({ user_a: "edit" }, { onRelease: "remove", sso: ["user_a"] }),
          declared: rolesWith({}, { onRelease: "remove" }),
        },
        {
          type: "TeamMembers",
          recorded: teamWith({ user_a: "owner" }),
          live: teamWith({}),
          declared: teamWith({ user_a: "owner" }),
        },
        {
          op: "delete",
          type: "TeamMembers",
          name: "kept",
          live: teamWith({ user_a: "owner" }, { teamId: "k" }),
          before: { retainOnDelete: true },
        },
      ],
      [
        "high: user_a: role edit → no member; removed from the organization, with every team · team k owner → not in it",
        "user_a: single sign-on: no longer marked",
      ],
    ],
    [
      "that a person stays that a new team must not remove",
      [
        notesOf([{ user: "user_z", userId: "user_z", team: "t", level: "member" }]),
        { op: "create", type: "TeamMembers", declared: teamWith({}) },
      ],
      ["user_z: team t stays member"],
    ],
    [
      "that a pending e-mail is not withdrawn beside somebody who hides the e-mail",
      [
        {
          type: "TeamMembers",
          recorded: teamWith({ "zoe@acme.test": "member", user_h: "member", user_o: "owner" }),
          live: teamWith({ "zoe@acme.test": "member", user_h: "member", user_o: "owner" }),
          outputs: { pending: ["zoe@acme.test"], found: ["user_h"] },
          declared: teamWith({ user_o: "owner" }),
        },
      ],
      [
        "medium: user_h: team t member → not in it",
        "zoe@acme.test: team t stays member; not withdrawn: a person in the team hides the e-mail, and may have this one; pending: no member has this e-mail yet",
      ],
    ],
    [
      "nothing of an e-mail that a failed change may have sent, if the refresh no longer finds it",
      [
        {
          type: "TeamMembers",
          recorded: teamWith({ user_o: "owner" }, { pending: ["zoe@acme.test"] }),
          live: teamWith({ user_o: "owner" }),
          declared: teamWith({ user_o: "owner" }, { ignore: ["user_x"] }),
        },
      ],
      [],
    ],
    [
      "that `others` decides about people that nobody declares, and about no others",
      [
        {
          type: "MemberRoles",
          recorded: rolesWith({ user_a: "edit", user_c: "read" }, others),
          live: rolesWith({ user_a: "edit", user_b: "admin", user_c: "read" }, others),
          outputs: { found: ["user_b"], previousRoles: {} },
          declared: rolesWith({ user_a: "create" }, others),
        },
      ],
      [
        "medium: user_a: role edit → create",
        "high: user_b: role admin → guest; not declared (others: guest)",
        "high: user_c: role read → no member; removed from the organization, with every team",
      ],
    ],
    [
      "that a role is restored, also by a resource whose deletion would leave it",
      [{ ...single, before: { retainOnDelete: true }, declared: editOfB }],
      [
        "user_b: role edit (the present role is not in the preview)",
        "user_a: role edit → read; no longer managed; the previous role is restored",
      ],
    ],
  ])("%s", (_, steps, said) => {
    const lines = textOf(reviewOfSteps(...steps)).split("\n");
    expect(lines.flatMap((line) => /^ +((\w+: )?(user_|zoe@).*)/.exec(line)?.[1] ?? [])).toEqual(said);
  });

  it("but not that a line moves that is new, or that another resource has as well", () => {
    const same = { ...single, op: "same", declared: edit };
    const inMany = rolesWith({ user_a: "edit" });
    for (const many of [{ op: "create" }, { live: inMany, declared: rolesWith({}) }, { op: "same", live: inMany }])
      expect(reviewOfSteps(same, { type: "MemberRoles", declared: inMany, ...many }).moved).toEqual([]);
    expect(reviewOfSteps({ op: "create", type: "MemberRoles", declared: inMany }).moved).toEqual([]);
    const created = ["b", "a"].map((name) => ({
      op: "create",
      type: "MemberRole",
      name,
      declared: { user: `user_${name}`, role: "read" },
    }));
    expect(
      reviewOfSteps({ op: "delete", type: "MemberRoles", live: both }, ...created).moved.map(({ to }) => to),
    ).toEqual(["MemberRole a", "MemberRole b"]);
  });

  it("and a plan has the options of a release where they change, but none for single sign-on", () => {
    const optionsIn = (onRelease: unknown, more = {}) => rolesWith({ user_a: "edit" }, { onRelease, ...more });
    const plan = planOf(
      reviewOfSteps({
        type: "MemberRoles",
        live: optionsIn("leave"),
        declared: optionsIn({ destroy: "leave", removal: "remove" }, { sso: ["user_a"] }),
      }),
    );
    expect(plan.access.map(({ place, change, options }) => [place.kind, change, options])).toEqual([
      ["role", "options", '{"onRelease":{"destroy":"leave","removal":"remove"}}'],
      ["sso", "changes", undefined],
    ]);
    const live = optionsIn("remove", { sso: ["user_a"] });
    const leaving = reviewOfSteps({ type: "MemberRoles", live, declared: rolesWith({}, { onRelease: "remove" }) });
    expect(reviewedLines(planOf(leaving))).toContain("change    user_a: single sign-on sso → not marked");
  });
});

describe("a manual change", () => {
  const changed = (
    type: string,
    withLevel: (level?: string) => object,
    [recorded, live, declared]: (string | undefined)[],
  ) => reviewOfSteps({ type, recorded: withLevel(recorded), live: withLevel(live), declared: withLevel(declared) });
  const role = (...levels: string[]) => changed("MemberRole", (level) => ({ user: "user_a", role: level }), levels);
  const teamWith = (level?: string) => ({ teamId: "t", members: { user_o: "owner", ...(level && { user_a: level }) } });
  const team = (...levels: (string | undefined)[]) => changed("TeamMembers", teamWith, levels);

  it.each([
    ["high", "role read → admin", "sets", role("read", "admin", "read")],
    ["medium", "role admin → read", "gives", role("admin", "read", "admin")],
    ["medium", "team t not in it → member", "sets", team(undefined, "member", undefined)],
    ["medium", "team t member → not in it", "gives", team("member", undefined, "member")],
  ])(
    "is neither a gain nor a loss if the up only sets it back, and comes before what the up does: %s, %s",
    (severity, text, verb, review) => {
      const said = `user_a: ${text} outside Pulumi; this up ${verb} it back`;
      expect(review.risks).toMatchObject([{ severity, text: said }]);
      expect(review.verdict).toMatchObject({ gains: 0, loses: 0, setBack: 1 });
      expect(review.verdict.text).toHaveWording("a manual change");
      expect(textOf(review)).toContain(` set back by this up (1)\n  ${severity}: ${said}\n`);
    },
  );

  it("is told with what the up sets instead, if that is something else", () => {
    const raised = role("read", "admin", "edit");
    const text = "user_a: role read → admin outside Pulumi; this up sets edit";
    expect(raised.risks).toMatchObject([{ kind: "administrator-by-hand", severity: "high", text }]);
    expect(textOf(raised)).toContain(`Who loses access (1)\n  high: ${text}\n`);
    expect(risksIn(role("edit", "read", "admin"))).toEqual(["new-administrator user_a", "drift user_a"]);
  });
});

describe("two resources for one person", () => {
  const step = (name: string, role: string, type = "MemberRole") => {
    return { op: "create", type, name, declared: { user: "cem@acme.test", role } };
  };
  const inPlugin = "docs:index:MemberRole";

  it.each([
    [step("cem", "read"), step("cem", "admin", inPlugin)],
    [step("cem", "admin"), step("cem", "read", inPlugin)],
    [step("cem", "read"), step("other", "admin")],
  ])("are a conflict that a review shows, with the access that gives most: %#", (one, other) => {
    const review = reviewOfSteps(one, other);
    expect(changesInReview(review)).toEqual(["cem@acme.test gains role: unknown -> admin (declared)"]);
    expect(risksIn(review)).toEqual(["new-administrator cem@acme.test", "declared-twice cem@acme.test"]);
    expect(review.risks[1]).toMatchObject({ severity: "high" });
    expect(review.risks[1]?.text).toMatch(
      /^cem@acme\.test is declared twice, role: by .* \((read|admin)\) and MemberRole /,
    );
    expect(verify(planOf(reviewOfSteps(one)), planOf(review)).unreviewed).not.toEqual([]);
  });

  it("may change somebody if one of them hides the role before and after", () => {
    const hidden = { user: "user_a", role: "[secret]" };
    const one = { type: "MemberRole", live: hidden, declared: { ...hidden, onRelease: "leave" } };
    const review = reviewOfSteps(one, { ...one, op: "same", name: "other", declared: hidden });
    expect(changesInReview(review)).toEqual(["user_a changes role: secret -> secret (declared)"]);
  });

  it("are a conflict even if they declare the same", () => {
    expect(risksIn(reviewOfSteps(step("cem", "edit"), step("other", "edit")))).toEqual([
      "declared-twice cem@acme.test",
    ]);
  });
});

describe("a manual change that is declared from now on", () => {
  it("is shown and planned, and is a risk for an administrator", () => {
    const step = (role: string) => ({
      op: "update",
      type: "MemberRole",
      recorded: { user: "user_a", role: "edit" },
      live: { user: "user_a", role },
      declared: { user: "user_a", role },
    });
    const review = reviewOfSteps(step("admin"));
    expect(review.verdict.kind).toBe("risky");
    expect(risksIn(review)).toEqual(["new-administrator user_a"]);
    expect(markdownOf(review)).toMatch(
      /Changed outside Pulumi, declared.*\(1\)\n\n- 🔴 high: `user_a`: role stays `admin`/,
    );
    const read = reviewOfSteps(step("read"));
    expect(read.verdict.text).toHaveWording("a manual change that is declared from now on");
    expect(textOf(read)).toContain("user_a: role stays read; changed outside Pulumi from edit, and stays so\n");
    expect(reviewedLines(planOf(read))).toEqual([expect.stringMatching(/: role read, .* by hand$/)]);
    const team = (role: string) => ({ teamId: "t", members: { user_a: role } });
    const owner = { type: "TeamMembers", recorded: team("member"), live: team("owner"), declared: team("owner") };
    expect(risksIn(reviewOfSteps(owner))).toEqual(["new-team-owner user_a"]);
  });

  it("counts as reviewed if it was to be made and exists already", () => {
    const before = { user: "user_a", role: "read" };
    const after = { user: "user_a", role: "admin" };
    const reviewed = planOf(reviewOfSteps({ type: "MemberRole", recorded: before, live: before, declared: after }));
    const done = planOf(reviewOfSteps({ type: "MemberRole", recorded: before, live: after, declared: after }));
    expect(verify(reviewed, done).unreviewed).toEqual([]);
    const other = { user: "user_b", role: "admin" };
    const strange = planOf(
      reviewOfSteps({ type: "MemberRole", recorded: { ...other, role: "read" }, live: other, declared: other }),
    );
    expect(verify(reviewed, strange).unreviewed).not.toEqual([]);
  });

  it("is a risk if a site is public", () => {
    const site = (visibility: string) => ({ title: "Docs", visibility, published: true });
    const steps = { type: "Site", recorded: site("unlisted"), live: site("public"), declared: site("public") };
    expect(risksIn(reviewOfSteps({ op: "same", ...steps }))).toEqual(["site-public one"]);
    expect(risksIn(reviewOfSteps({ op: "same", ...steps, declared: site("unlisted") }))).not.toContain(
      "site-public one",
    );
  });
});

it("separates resources of the same name below different parents", () => {
  const live = { title: "Docs", visibility: "unlisted", published: true };
  const declared = { ...live, visibility: "public" };
  const publishingIn = (...changed: string[]) =>
    reviewOfSteps(
      ...["Eu", "Us"].map((parent) => ({
        op: changed.includes(parent) ? "update" : "same",
        type: "Site",
        parents: `my:index:Docs$my:index:${parent}$`,
        live,
        declared: changed.includes(parent) ? declared : live,
      })),
    );
  const [eu, us] = [publishingIn("Eu"), publishingIn("Us")];
  expect(risksIn(eu)).toEqual(["site-public one in Docs/Eu"]);
  expect(eu.risks[0]?.text).toMatch(/Docs \(one in Docs\/Eu\) becomes public/);
  expect(reviewedLines(planOf(eu))).not.toEqual(reviewedLines(planOf(us)));
});

describe.each([
  ["retainOnDelete", { retainOnDelete: true }, "retainOnDelete"],
  [
    "deletedWith",
    { deletedWith: urnOfStep({ type: "my:index:Team", name: "t" }) },
    "deletedWith, whose resource is deleted",
  ],
])("with %s", (_, option, reason) => {
  const retained = (step: PreviewStep, opOfTeam = "delete") =>
    reviewOfSteps({ ...step, before: option }, { op: opOfTeam, type: "my:index:Team", name: "t" });
  it("shows resources that the engine only removes from the state", () => {
    const deletion = { op: "delete", type: "TeamMembers", live: { teamId: "t", members: { user_a: "owner" } } };
    const team = retained(deletion);
    expect(changesInReview(team)).toEqual([]);
    expect(team.verdict.text).toMatch(/1 person is no longer managed and keeps access/);
    expect(markdownOf(team)).toMatch(new RegExp(`stays \`owner\`; no longer managed: only .* \\(${reason}\\)`));
    expect(reviewedLines(planOf(team))).toContainEqual(
      expect.stringMatching(/^change +user_a: team t owner, no longer /),
    );
    expect(changesInReview(retained(deletion, "replace"))).toEqual([]);
    if (reason !== "retainOnDelete") expect(changesInReview(retained(deletion, "same"))).toHaveLength(1);
    const site = retained({ op: "delete", type: "Site", live: { title: "Docs" } });
    expect(risksIn(site)).toEqual([]);
    expect(markdownOf(site)).toMatch(new RegExp(`− only removed from the state \\(${reason}\\): \`Docs\``));
  });
});

it("says that a replacement loses the previous roles", () => {
  const live = { roles: { user_a: "admin" } };
  const outputs = { previousRoles: { user_a: "edit" }, userIds: {} };
  const review = reviewOfSteps({ op: "replace", type: "MemberRoles", live, outputs, declared: live });
  expect(risksIn(review)).toEqual(["previous-roles-forgotten one"]);
});

it("says that the single sign-on mark stays when it is no longer managed", () => {
  const roles = { user_a: "read" };
  const review = reviewOfSteps({ type: "MemberRoles", live: { roles, sso: ["user_a"] }, declared: { roles } });
  expect(textOf(review)).toMatch(/the single sign-on of 1 person is no longer managed\.\n.*: stays marked/s);
});

describe("a property that the program no longer declares", () => {
  it("of a SAML provider is no longer managed: nothing is sent, and the defaults at sign-in stay", () => {
    const live = { label: "Okta", defaultRole: "read", defaultTeam: "team_a" };
    const review = reviewOfSteps({ type: "SamlProvider", live, declared: { label: "Okta" } });
    expect([review.risks, review.verdict.kind]).toEqual([[], "changes"]);
    expect(markdownOf(review)).toMatch(
      /`defaultRole` `read` → no longer managed,.*`defaultTeam` `team_a` → no longer managed,/,
    );
    expect(reviewedLines(planOf(review)).join("\n")).toHaveWording(
      "the plan of properties that are no longer declared",
    );
    const both = reviewOfSteps({ type: "SamlProvider", live, declared: { label: "Okta", defaultTeam: "team_b" } });
    expect(risksIn(both)).toEqual(["sign-in-default one"]);
  });

  it("keeps a manual change, which is not called overwritten", () => {
    const [recorded, live] = ["read", "edit"].map((defaultRole) => ({ label: "Okta", defaultRole }));
    const review = reviewOfSteps({ type: "SamlProvider", recorded, live, declared: { label: "Okta" } });
    expect(risksIn(review)).toEqual([]);
    expect(markdownOf(review)).toContain("`defaultRole` `edit` → no longer managed, stays as it is");
  });

  it("has the meaning of its definition: the default of an option, nobody for a selection", () => {
    const roles = { roles: { user_a: "read" } };
    const pageOf = (type: string, live: object, declared: object) =>
      markdownOf(reviewOfSteps({ type, live: { ...roles, ...live }, declared: { ...roles, ...declared } }));
    const gone = pageOf("MemberRoles", { ignore: ["user_b"], onRelease: "leave" }, {});
    expect(/^- .*$/m.exec(gone)?.[0]).toHaveWording("options that are no longer declared");
    expect(pageOf("MemberRoles", {}, { ignore: ["user_b"] })).not.toContain("sends nothing");
  });
});

describe("what begins or ends soon", () => {
  const now = new Date("2126-10-20T12:00:00Z");
  const reviewed = (grants: object[], ...steps: PreviewStep[]) => {
    // What only the service has is none that an up ends.
    const live = [{ user: "d@acme.test", userId: "user_d", level: "edit" }];
    const notes = { ...notesOf([]), declared: { review: { organization: "acme", grants, live } } };
    return reviewOfText(print([notes, ...steps]), { within: { now, period: 10 * 86_400_000 } });
  };
  const endsIn = (...all: Parameters<typeof reviewed>) => reviewed(...all).ends.map(({ kind, on }) => `${kind}: ${on}`);
  const [edit, read] = ["edit", "read"].map((role) => ({ organizationId: "acme", user: "d@acme.test", role }));
  const grant = { user: "d@acme.test", role: "edit", expires: "2126-10-10", then: "read" };
  const holder = { op: "same", type: "MemberRole", live: edit, outputs: { userId: "user_d" }, declared: edit };
  const pending = { ...edit, teamId: "t", role: "member" };
  const gone = { ...edit, user: "e@acme.test" };

  it.each<[string, object, PreviewStep, boolean]>([
    ["by the e-mail", grant, holder, true],
    ["by the id", { ...grant, user: "user_d" }, holder, true],
    ["with another role", grant, { ...holder, live: read, declared: read }, false],
    ["of somebody else", { ...grant, user: "e@acme.test" }, holder, false],
    ["with the same role afterwards", { ...grant, then: "edit" }, holder, false],
    ["that is new", grant, { op: "create", type: "MemberRole", declared: edit }, false],
    [
      "of somebody who has left",
      { ...grant, user: gone.user },
      { ...holder, live: gone, outputs: { userId: "user_e", absent: true }, declared: gone },
      false,
    ],
    [
      "of a pending e-mail",
      { ...grant, team: "t", role: "member", then: "remove" },
      { op: "same", type: "TeamMembership", live: pending, outputs: { pending: true }, declared: pending },
      false,
    ],
  ])("includes a grant that has ended and is still given, here one %s", (_, one, step, isListed) => {
    expect(endsIn([one], step)).toEqual(isListed ? ["grant has ended: 2126-10-10"] : []);
  });

  it("is in the order of time, each entry in one section, without certificates of other resources", () => {
    const [today, day] = ["2126-10-20", "2126-10-22"];
    const grants = [
      { ...grant, user: "a@acme.test", expires: day },
      { ...grant, user: "b@acme.test", from: day, expires: undefined },
      { user: "c@acme.test", role: "edit", expires: today },
      grant,
    ];
    const others = ["aws:acm:Certificate", "other:index:SamlProvider", "Site"].map((type) => {
      return { op: "same", type, live: {}, declared: { certificate: certificateOne } };
    });
    const review = reviewed(grants, holder, ...others);
    const text = textOf(review);
    expect(text.slice(text.indexOf("◷"))).toHaveWording("ended grants, and what begins or ends soon");
    expect(htmlOf(review)).toMatch(/ id="ended"[\s\S]* id="ends"/);
    expect(listEnds({ grants: [grant], providers: [] }, { now, period: 0 })).toEqual([]);
  });
});

it("an up is not empty if only a manual change is declared from now on", async () => {
  const roles = (role: string) => ({ roles: { "bob@acme.test": role } });
  const step = {
    op: "same",
    type: "MemberRoles",
    recorded: roles("read"),
    live: roles("edit"),
    declared: roles("edit"),
  };
  const outputs = { organizationId: "acme", userIds: { "bob@acme.test": "user_bob" }, previousRoles: {} };
  const printed = JSON.parse(print([{ ...step, outputs }], { changeSummary: { same: 1 } }));
  const deployment = { preview: async () => printed, newestVersion: async () => undefined } as unknown as Deployment;
  const reviewed = await reviewChange(deployment, "up");
  expect([reviewed.isEmpty, reviewed.review.verdict.kind, reviewed.review.risks]).toEqual([false, "changes", []]);
});

it("asks the approvers of the organization in which somebody gains a role", () => {
  const steps = ["acme", "globex"].flatMap((organizationId) => {
    const review = { organization: organizationId, guards: { approvers: { edit: [`lead-of-${organizationId}`] } } };
    const roles = (role: string) => ({ organizationId, roles: { [`hugo@${organizationId}.test`]: role } });
    return [
      { type: "docs:index:OrganizationNotes", name: `${organizationId}-notes`, live: { review }, declared: { review } },
      { type: "MemberRoles", name: `${organizationId}-members`, live: roles("read"), declared: roles("edit") },
    ];
  });
  expect(reviewOfSteps(...steps).approvals).toEqual([
    { what: "edit", approvers: ["lead-of-acme"], people: ["hugo@acme.test"] },
    { what: "edit", approvers: ["lead-of-globex"], people: ["hugo@globex.test"] },
  ]);
});

it("asks the approvers of the only organization for a resource that names none", () => {
  const notes = {
    ...notesOf([]),
    declared: { review: { organization: "acme", guards: { approvers: { edit: ["ada"] } } } },
  };
  const role = { op: "create", type: "MemberRole", declared: { user: "user_a", role: "edit" } };
  const { approvals } = reviewOfSteps(notes, role);
  expect(approvals).toEqual([{ what: "edit", approvers: ["ada"], people: ["user_a"] }]);
  expect(reviewOfSteps({ ...notes, type: "other:index:Notes" }, role).approvals).toEqual([]);
});

it("names who must approve what, by the approvers of the last run", () => {
  const live = [{ user: "pia@acme.test", userId: "user_pia", level: "create" }];
  const notes = (approvers: object, grants: object[] = []) => ({
    review: { organization: "acme", guards: { minAdmins: 1, approvers }, grants, live },
  });
  const later = { user: "jun@acme.test", team: "team_a", role: "member", from: "2099-01-01" };
  const ending = { user: "ines@acme.test", role: "edit", expires: "2099-01-01", then: "admin" };
  // Who gets less, or the same for a shorter time, needs no approval.
  const until = (expires: string) => ({ user: "lena@acme.test", role: "read", expires });
  const [admin, read] = ["admin", "read"].map((role) => ({ user: "mona@acme.test", role }));
  const setBack = { recorded: admin, live: read, declared: admin };
  // What these two have already is declared from now on.
  const [taken, before, after] = [
    ["pia@acme.test", "create"],
    ["olaf@acme.test", "read"],
    ["olaf@acme.test", "create"],
  ].map(([user, role]) => ({ organizationId: "acme", user, role }));
  const reviewed = reviewOfSteps(
    {
      type: "docs:index:OrganizationNotes",
      name: "acme-notes",
      live: notes({ admin: ["ada", "bea"], create: ["bea"], comment: ["Bea", "ada"] }, [until("2099-02-01")]),
      declared: notes(
        { admin: ["eve", "ada"], team_a: ["cem"], edit: ["zoe"], comment: ["ada", "bea"], read: ["kai"] },
        [later, ending, until("2099-01-01")],
      ),
    },
    {
      type: "MemberRoles",
      name: "acme-members",
      live: { roles: { "hugo@acme.test": "read", "lena@acme.test": "edit", "ines@acme.test": "edit" } },
      declared: { roles: { "hugo@acme.test": "admin", "lena@acme.test": "read", "ines@acme.test": "edit" } },
    },
    { type: "MemberRole", ...setBack },
    { type: "MemberRole", name: "olaf", recorded: before, live: after, declared: after },
    { op: "create", type: "MemberRole", name: "pia", declared: taken },
  );
  expect(reviewed.approvals).toEqual([
    {
      what: "admin",
      approvers: ["ada", "bea"],
      people: ["hugo@acme.test", "ines@acme.test", "mona@acme.test"],
      becomes: ["eve", "ada"],
    },
    { what: "team_a", approvers: ["cem"], people: ["jun@acme.test"] },
    { what: "edit", approvers: ["zoe"], people: ["ines@acme.test"] },
    { what: "create", approvers: ["bea"], people: ["olaf@acme.test", "pia@acme.test"], becomes: [] },
  ]);
  const text = textOf(reviewed);
  expect(text.slice(text.indexOf("✓"), text.indexOf("↺"))).toHaveWording("who must approve");
  expect(htmlOf(reviewed)).toContain(' id="approvals"');
  const plan = planOf(reviewed);
  expect(plan.approvals).toEqual([
    { what: "admin", approvers: ["ada", "bea"], becomes: ["eve", "ada"] },
    { what: "team_a", approvers: ["cem"] },
    { what: "edit", approvers: ["zoe"] },
    { what: "create", approvers: ["bea"], becomes: [] },
  ]);
  const obstacles = (...approvals: NonNullable<Plan["approvals"]>) => verify(plan, { ...plan, approvals }).obstacles;
  // After an interruption, the new approvers are recorded.
  expect(obstacles({ what: "admin", approvers: ["Eve", "Ada"] }, { what: "edit", approvers: ["zoe", "ada"] })).toEqual(
    [],
  );
  expect(obstacles({ what: "admin", approvers: ["ada"] })).toEqual([expect.toHaveWording("an approval that is new")]);
  for (const what of ["create", "read"]) expect(obstacles({ what, approvers: ["ada"] })).toHaveLength(1);
});

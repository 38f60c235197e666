import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readPlan, writePlan } from "../../../provider/access/plan-file";
import { PlannedChanges } from "../../../provider/access/planned-changes";
import { planOf } from "../../../provider/review/plan/plan";
import { verify } from "../../../provider/review/plan/verification";
import { markdownOf, textOf } from "../../../provider/review/render/formats";
import { notesOf, organizationStep, previews, reviewOfPreview, unknown } from "../previews";
import {
  type PreviewStep,
  print,
  reviewedLines,
  reviewOfSteps,
  reviewOfText,
  textsOfRisks,
  urnOfStep,
} from "../support";

/** The plan of a preview that looked for drift, where the environment names the organization. */
const planned = (...steps: readonly PreviewStep[]) => plannedIn("acme", ...steps);
const plannedIn = (organizationId: string | undefined, ...steps: readonly PreviewStep[]) => ({
  ...planOf(reviewOfText(print(steps), { organizationId })),
  refreshed: true,
});
const role = (user: string, level: string, name = user) =>
  ({ op: "create", type: "MemberRole", name, declared: { user, role: level } }) as const;

describe("a plan", () => {
  it("is the same for the same preview, in any order of steps", () => {
    const content = JSON.parse(previews.change);
    fc.assert(
      fc.property(fc.shuffledSubarray(content.steps, { minLength: content.steps.length }), (steps) => {
        const made = new Date(0);
        const plan = planOf(reviewOfText(JSON.stringify({ ...content, steps })), made);
        expect(writePlan(plan)).toBe(writePlan(planOf(reviewOfPreview("change"), made)));
      }),
      { numRuns: 10 },
    );
  });

  it("has who gets what, the release options, who stays in a team, and each resource with what it declares", () => {
    const alone = { teamId: "t", members: { user_b: "member", "a@acme.test": "owner" }, exclusive: true };
    const kofi = (role: string) => ({ user: "kofi@acme.test", role });
    const ada = { user: "A@acme.test", role: "read" };
    const plan = planned(
      { ...role("ines@acme.test", "edit"), declared: { user: "ines@acme.test", role: "edit", onRelease: "remove" } },
      { type: "MemberRole", name: "kofi", live: kofi("admin"), outputs: { userId: "user_k" }, declared: kofi("read") },
      { op: "same", type: "MemberRole", name: "ada", live: ada, outputs: { userId: "user_a" }, declared: ada },
      { op: "create", type: "TeamMembers", declared: { ...alone, ignore: ["*@x.test"] }, before: { id: "not_yet" } },
      { op: "create", type: "aws:iam:Group", name: "other", declared: { members: ["user_a"] } },
      { op: "delete", type: "SamlProvider", live: {}, before: { id: "saml_1", retainOnDelete: true } },
      { type: "Site", live: { title: "A" }, declared: { title: "B", published: true }, before: { id: "site_1" } },
    );
    const { made: _, ...content } = plan;
    expect(JSON.stringify(content)).toHaveWording("the content of a plan");
  });

  it("lists the release options beside an accepted change, although they stay", () => {
    const rolesOf = (a: string, b: string) => ({ roles: { user_a: a, user_b: b }, onRelease: "remove" });
    const [recorded, live, declared] = [rolesOf("edit", "read"), rolesOf("read", "read"), rolesOf("read", "edit")];
    const { access } = planned({ type: "MemberRoles", recorded, live, declared });
    expect(access.filter(({ change }) => change === "options").map(({ user }) => user.keys)).toEqual([
      ["user_a"],
      ["user_b"],
    ]);
  });

  it("survives being written and read", () => {
    const plan = planOf(reviewOfPreview("change"));
    expect(readPlan(writePlan(plan), "plan.json")).toEqual(plan);
    expect(reviewedLines(plan)).toContainEqual(
      expect.stringMatching(/^gain {6}femi@acme\.test \(user_femi\): role .* → admin until 2027-01-31, then /),
    );
  });

  it("lists the creation of a resource once, also if an option is declared with it", () => {
    const declared = { teamId: "t", members: { user_a: "member" }, ignore: ["user_b"] };
    expect(reviewedLines(planned({ op: "create", type: "TeamMembers", name: "acme", declared }))).toEqual([
      "gain      user_a: team t member",
      "resource  TeamMembers acme: create",
      'resource  TeamMembers acme: ignore: ["user_b"]',
    ]);
  });

  describe("with grants that end", () => {
    const notes = (expires?: string) => {
      const grant = { user: "ines@acme.test", reason: "on-call", expires, then: "read" };
      return { review: { organization: "acme", grants: expires === undefined ? [] : [grant] } };
    };
    const reviewed = (before: string | undefined, after: string | undefined, level = "edit") => {
      const [live, declared] = ["edit", level].map((role) => ({ roles: { "ines@acme.test": role } }));
      const component = { ...organizationStep, live: notes(before), declared: notes(after) };
      return reviewOfSteps(component, { type: "MemberRoles", live, declared });
    };
    const lines = (...args: Parameters<typeof reviewed>) => reviewedLines(planOf(reviewed(...args)));

    it("includes the end, so that it cannot be removed after the review", () => {
      expect(lines(undefined, "2027-01-31", "create")).toEqual([
        "gain      ines@acme.test: role edit → create until 2027-01-31, then read",
      ]);
      const plan = planOf(reviewed(undefined, "2027-01-31", "create"));
      expect(verify(plan, planOf(reviewed(undefined, "2027-01-31", "create"))).unreviewed).toEqual([]);
      for (const other of [undefined, "2027-02-01"]) {
        expect(verify(plan, planOf(reviewed(undefined, other, "create"))).unreviewed).not.toEqual([]);
      }
    });

    it("says that a grant begins, or has ended, at the change that it causes", () => {
      const grant = "; reason: `on-call`;";
      expect(markdownOf(reviewed(undefined, "2027-01-31", "create"))).toMatch(
        new RegExp(`role \`edit\` → \`create\`${grant} granted until .*\`2027-01-31\`, then \`read\``),
      );
      expect(markdownOf(reviewed("2027-01-31", "2027-01-31", "create"))).toContain(`→ \`create\`${grant} until `);
      for (const [when, expires] of [
        ["with", "2027-01-31"],
        ["at", "2027-01-31T12:00Z"],
      ] as const)
        expect(markdownOf(reviewed(expires, expires, "read"))).toContain(
          `role \`edit\` → \`read\`${grant} the grant has ended ${when} \`${expires}\``,
        );
    });

    it("includes a changed end although nobody gains anything today, and the review calls a later end a risk", () => {
      expect(lines("2027-01-31", "2027-01-31")).toEqual([]);
      // The end of what somebody loses does not matter.
      expect(lines("2027-01-31", "2027-01-31", "read")).toEqual(["loss      ines@acme.test: role edit → read"]);
      expect(lines("2027-01-31", "2027-01-15")).toEqual([
        "change    ines@acme.test: role: granted until 2027-01-15, then read",
      ]);
      expect(lines(undefined, "2027-01-15")).toEqual(lines("2027-01-31", "2027-01-15"));
      expect(reviewed(undefined, "2027-01-15").risks).toEqual([]);
      // What changes today does not hide a changed end, and what follows is no more than the new role.
      expect(reviewed("2027-01-31", "2027-02-01", "create").grantEnds).toMatchObject([{ longer: true }]);
      expect(reviewed("2027-01-31", "2027-01-15", "read").grantEnds).toMatchObject([{ longer: false }]);
      expect(lines("2027-01-31", undefined)).toContainEqual(expect.stringMatching(/ines@.*: role: .*without an end$/));
      const earlier = reviewed("2027-01-31", "2027-01-15");
      expect(earlier.risks).toEqual([]);
      expect(earlier.verdict.text).toMatch(/end or release of 1 grant/);
      expect(/^- .*$/m.exec(markdownOf(earlier))?.[0]).toHaveWording("an earlier end of a grant");
      expect(textsOfRisks(reviewed("2027-01-31", "2027-02-01"))).toEqual([
        expect.toHaveWording("a later end of a grant"),
      ]);
      expect(textsOfRisks(reviewed("2027-01-31", undefined))).toEqual([
        expect.toHaveWording("a grant without its end"),
      ]);
      // A day is over later than a time on it.
      expect(reviewed("2027-01-31", "2027-01-31T12:00Z").risks).toEqual([]);
      expect(reviewed("2027-01-31T12:00Z", "2027-01-31").risks).toHaveLength(1);
      // The grant has ended, so its line, which says what followed, can go.
      expect(reviewed("2027-01-31", undefined, "read").risks).toEqual([]);
    });
  });

  it("has the grants that begin later, which no change of access shows", () => {
    const notes = (role: string, more: object = {}) => {
      const grant = { user: "ines@acme.test", role, from: "2027-01-15", ...more };
      return { review: { organization: "acme", grants: [grant] } };
    };
    const reviewed = (live: object | undefined, declared: object) => {
      return reviewOfSteps({ ...organizationStep, ...(live && { live }), declared });
    };
    const until = { expires: "2027-01-31T18:00Z", then: "read" };
    const begun = reviewed(notes("edit"), notes("admin", until));
    expect(begun.verdict).toMatchObject({ text: expect.stringMatching(/1 grant begins later/), risks: 1 });
    expect(textOf(begun)).toHaveWording("a grant that begins later");
    expect(reviewedLines(planOf(begun))).toEqual([
      "change    ines@acme.test: role: granted admin from 2027-01-15 until 2027-01-31T18:00Z, then read",
    ]);
    expect(verify(planOf(begun), planOf(reviewed(notes("edit"), notes("create", until)))).unreviewed).not.toEqual([]);
    expect(reviewed(notes("admin", until), notes("admin", { ...until, reason: "on-call" })).grantEnds).toEqual([]);
    // Another role, person or end is another grant, and so is one in another place.
    expect(reviewed(notes("edit", until), notes("admin", until)).grantEnds).toHaveLength(1);
    expect(reviewed(notes("admin", until), notes("admin", { ...until, user: "jun@acme.test" })).grantEnds).toHaveLength(
      1,
    );
    expect(reviewed(notes("admin", until), notes("admin")).grantEnds).toHaveLength(1);
    expect(reviewed(undefined, notes("admin", { ...until, from: undefined })).grantEnds).toEqual([]);
    const ended = notes("edit", { from: "2020-01-01", expires: "2020-01-31", then: "remove" });
    const [live, declared] = [
      { roles: { "ines@acme.test": "edit" }, onRelease: "remove" },
      { roles: {}, onRelease: "remove" },
    ];
    const ending = reviewOfSteps({ ...organizationStep, declared: ended }, { type: "MemberRoles", live, declared });
    expect([ending.grantEnds, ending.verdict.loses]).toEqual([[], 1]);
    const inTeam = { user: "ines@acme.test", team: "t", role: "member", from: "2027-01-15" };
    const both = { review: { organization: "acme", grants: [inTeam, ...notes("admin").review.grants] } };
    expect(reviewed(both, both).grantEnds).toEqual([]);
  });

  describe("with one person in several places", () => {
    const until = (expires: string, then: string) => ({ expires, then });
    const notes = (role: object | undefined, inTeam: object | undefined) => {
      const grantsOf = (note: object | undefined, more = {}) =>
        note ? [{ user: "mal@acme.test", ...more, ...note }] : [];
      const grants = [...grantsOf(role), ...grantsOf(inTeam, { team: "t" })];
      return { review: { organization: "acme", grants, teams: [{ id: "t", title: "Team" }] } };
    };
    const reviewed = (before: object, after: object) => {
      const roles = { roles: { "mal@acme.test": "admin" } };
      const members = { teamId: "t", members: { "mal@acme.test": "member" } };
      return reviewOfSteps(
        { ...organizationStep, live: before, declared: after },
        { op: "same", type: "MemberRoles", recorded: roles, live: roles, declared: roles },
        { op: "same", type: "TeamMembers", recorded: members, live: members, declared: members },
      );
    };

    it("includes the end in each place", () => {
      const [role, team] = [until("2026-12-31", "edit"), until("2026-12-15", "remove")];
      const endless = reviewed(notes(role, team), notes(undefined, team));
      expect(endless.risks).toMatchObject([
        { severity: "high", text: expect.stringMatching(/mal@acme\.test \(role\) no longer .*\(2026-12-31 /) },
      ]);
      const longer = reviewed(notes(role, team), notes(role, until("2027-12-15", "remove")));
      expect(textsOfRisks(longer)).toEqual([
        expect.stringMatching(/mal@acme\.test \(team Team \(t\)\) .* 2027-12-15 .* 2026-12-15$/),
      ]);
      const follows = (then: string) => reviewed(notes(role, team), notes(until("2026-12-31", then), team));
      expect(follows("admin").risks).toMatchObject([
        { severity: "high", text: expect.toHaveWording("a higher role after a grant") },
      ]);
      const later = reviewed(notes(undefined, undefined), notes(undefined, until("2026-12-31", "owner")));
      expect(textsOfRisks(later)).toEqual([expect.toHaveWording("an ownership after a membership")]);
      expect(follows("restore").risks).toHaveLength(1);
      const restored = ["2026-12-31", "2026-12-15"].map((day) => notes(until(day, "restore"), undefined));
      expect(reviewed(restored[0] as object, restored[1] as object).risks).toEqual([]);
      expect(reviewed(notes(role, { expires: "2026-12-16" }), notes(role, team)).risks).toEqual([]);
      expect(follows("read").risks).toEqual([]);
      expect(follows("read").verdict.kind).toBe("changes");
    });
  });

  it("includes people who are no longer managed, and created and deleted resources", () => {
    const team = { teamId: "t", members: { user_a: "owner" } };
    const plan = planned({ op: "delete", type: "TeamMembers", live: team, outputs: { onRelease: "leave" } });
    expect(reviewedLines(plan).join("\n")).toHaveWording("the plan of people who are no longer managed");
  });

  it("is refused in one sentence if it was edited or is another file", () => {
    const text = writePlan(planOf(reviewOfPreview("change")));
    for (const [before, after] of [
      ['"after": "admin"', '"after": "read"'],
      ['"made": "2', '"made": "3'],
    ] as const)
      expect(() => readPlan(text.replace(before, after), "plan.json")).toThrow(
        expect.toHaveWording("a plan that was changed"),
      );
    for (const other of ["", "{}", text.slice(0, 400), "[1]"])
      expect(() => readPlan(other, "plan.json")).toThrow(expect.toHaveWording("a file that is no plan"));
  });
});

describe("the verification", () => {
  const unreviewed = (...plans: Parameters<typeof verify>) => verify(...plans).unreviewed;

  it("accepts the reviewed changes, or fewer, and skips people that `others` has not changed in the reviewed plan", () => {
    const [both, one] = [planned(role("user_a", "admin"), role("user_b", "read")), planned(role("user_b", "read"))];
    for (const fresh of [both, one])
      expect(verify(both, fresh)).toEqual({ unreviewed: [], skipped: [], obstacles: [], incomparable: [] });
    const others = { others: { members: "remove" } };
    const found = (roles: object) => {
      const [recorded, outputs] = [{ roles: {}, ...others }, { found: Object.keys(roles) }];
      // Who leaves the organization leaves the team as well.
      const inTeam = notesOf([{ user: "user_b", userId: "user_b", team: "t", level: "member" }]);
      return planned(inTeam, {
        type: "MemberRoles",
        recorded,
        live: { roles, ...others },
        outputs,
        declared: recorded,
      });
    };
    expect(verify(found({ user_a: "read" }), found({ user_a: "edit", user_b: "read" }))).toMatchObject({
      unreviewed: [],
      skipped: [
        "loss      user_a: role edit → no member",
        "loss      user_b: role read → no member",
        "loss      user_b: team t member → not in it",
      ],
    });
    // A declared person is released, which fails without a review.
    const roles = { user_a: "read" };
    const released = { type: "MemberRoles", live: { roles, ...others }, declared: { roles: {}, ...others } };
    expect(verify(found({}), planned(released))).toMatchObject({ unreviewed: [expect.any(String)], skipped: [] });
  });

  it("reports another grant, another person, and a grant instead of a removal", () => {
    const reviewed = planned(role("user_a", "edit"));
    const unreviewedIn = (...steps: readonly PreviewStep[]) => verify(reviewed, planned(...steps)).unreviewed;
    expect(unreviewedIn(role("user_a", "admin"))).toEqual(["gain      user_a: role admin"]);
    expect(unreviewedIn(role("user_c", "edit"))).toEqual([
      "gain      user_c: role edit",
      "resource  MemberRole user_c: create",
    ]);
    expect(unreviewedIn({ op: "create", ...notesOf([]) })).toEqual([]);
    const unseen = { type: "Site", live: { title: "A" }, declared: { title: "A" } };
    expect(unreviewedIn(unseen)).toEqual(["resource  Site one: update"]);
    const bucket = { op: "create", type: "aws:s3:Bucket", name: "logs", parents: "docs:index:Organization$" } as const;
    expect(unreviewedIn(bucket)).toEqual(["resource  Bucket logs: create"]);
    const lowered = {
      type: "MemberRole",
      live: { user: "user_a", role: "create" },
      declared: { user: "user_a", role: "edit" },
    };
    expect(unreviewedIn(lowered)).toEqual(["loss      user_a: role create → edit"]);
  });

  it("finds a person by any of the names", () => {
    const known = { type: "MemberRole", live: { user: "A@acme.test", role: "read" }, outputs: { userId: "user_a" } };
    const fresh = planned({ ...known, declared: { user: "user_a", role: "admin" } });
    expect(verify(planned(role("a@acme.test", "admin")), fresh).unreviewed).toEqual([]);
    const zoe = { user: "z@acme.test", role: "read" };
    const raised = planned({
      type: "MemberRole",
      live: zoe,
      outputs: { userId: "user_a" },
      declared: { ...zoe, role: "edit" },
    });
    expect(reviewedLines(raised)[0]).toMatch(/^gain +z@acme\.test \(user_a\): /);
    // Only the state of the last up has the previous owner of the e-mail.
    const owned = (userId: string) => ({ user: "a@acme.test", role: "read", userId });
    const declared = { user: "a@acme.test", role: "admin" };
    const passedOn = { type: "MemberRole", recorded: owned("user_old"), live: owned("user_new"), declared };
    expect(planned(passedOn).users).toEqual({ "a@acme.test": ["user_new"] });
    // The state has the e-mail for somebody who has left, and nobody has it now.
    const left = { ...passedOn, recorded: owned("user_old"), live: { ...owned("user_old"), absent: true } };
    const team = { organizationId: "acme", teamId: "t", members: { "A@acme.test": "member" } };
    const notes = notesOf([{ user: "A@acme.test", team: "t", level: "none" }]);
    const plan = planned(left, notes, { op: "create", type: "TeamMembers", declared: team });
    const waiting = plan.access.filter(({ place, change }) => place.kind === "team" && change === "gains");
    expect([plan.users, waiting.map(({ user }) => user)]).toEqual([{}, [{ keys: ["a@acme.test"] }]]);
  });

  it("stops if one of the previews failed", () => {
    const [failed, fine] = [planOf(reviewOfPreview("guarded")), planOf(reviewOfPreview("drift"))];
    expect(verify(failed, fine).obstacles).toEqual([expect.toHaveWording("a reviewed preview that had failed")]);
    expect(verify(fine, failed).obstacles).toEqual([expect.toHaveWording("a fresh preview that failed")]);
  });

  it("treats different user ids as different people, even if other names are equal", () => {
    const named = (userId: string, person = { user: "alice@acme.test", role: "edit" }) =>
      planned({ type: "MemberRole", live: person, outputs: { userId }, declared: { ...person, role: "admin" } });
    const result = verify(named("user_alice"), named("user_mallory"));
    expect(result.obstacles).toEqual([expect.toHaveWording("an e-mail of another person than the reviewed one")]);
    expect(result.unreviewed).toEqual(["gain      alice@acme.test (user_mallory): role edit → admin"]);
    expect(verify(named("user_alice"), named("user_alice", { user: "ALICE@acme.test", role: "edit" }))).toMatchObject({
      unreviewed: [],
      obstacles: [],
    });
    const shared = { ...named("user_alice"), users: { "alice@acme.test": ["user_alice", "user_mallory"] } };
    expect(verify(named("user_alice"), shared).obstacles).toHaveLength(1);
    // A state that was edited by hand joins nobody either.
    const edited = { user: "user_alice", role: "edit" };
    expect(verify(named("user_alice"), named("user_mallory", edited)).unreviewed).toHaveLength(1);
  });

  describe("of resources", () => {
    it("reports that a resource is deleted or replaced that retainOnDelete should keep", () => {
      const provider = { type: "SamlProvider", live: { label: "L" }, declared: { label: "M" } };
      const plan = (op: string, retainOnDelete: boolean) => planned({ op, ...provider, before: { retainOnDelete } });
      for (const op of ["delete", "replace"]) {
        expect(verify(plan(op, true), plan(op, true)).unreviewed).toEqual([]);
        expect(verify(plan(op, true), plan(op, false)).unreviewed).toContain(`resource  SamlProvider one: ${op}`);
      }
    });

    it("compares the settings of explicit providers", () => {
      const plan = (region: string) =>
        planned({ type: "pulumi:providers:aws", name: "mine", live: {}, declared: { region } });
      expect(verify(plan("eu"), plan("eu")).unreviewed).toEqual([]);
      expect(verify(plan("eu"), plan("us")).unreviewed).toEqual([
        'resource  aws provider mine: region: "us" ("eu" was reviewed)',
      ]);
      expect(verify(plan("[secret]"), plan("[secret]")).incomparable).toContainEqual(expect.stringMatching(/region/));
    });
  });

  describe("of declarations whose omission does more than the declaration", () => {
    const team = { teamId: "t", members: { user_a: "owner", user_b: "member" }, exclusive: true };
    const ignoring = { ...team, ignore: ["*@contractor.test"] };
    const creating = (type: string, declared: object) => planned({ op: "create", type, declared });

    it("reports people who are no longer ignored or declared, in a team whose other members are removed", () => {
      const reviewed = creating("TeamMembers", ignoring);
      expect(unreviewed(reviewed, reviewed)).toEqual([]);
      expect(unreviewed(reviewed, creating("TeamMembers", team))).toEqual([
        expect.toHaveWording("a property that is no longer declared"),
      ]);
      expect(unreviewed(reviewed, creating("TeamMembers", { ...ignoring, members: { user_a: "owner" } }))).toEqual([
        'resource  TeamMembers one: members: ["user_a"] (["user_a","user_b"] was reviewed)',
      ]);
      const removes = (userId: string, email: string) =>
        new PlannedChanges(reviewed.access).allows({
          place: { kind: "team", team: "t", organization: "acme" },
          person: { userId, keys: [userId, email] },
          before: "member",
          after: "none",
        });
      expect(removes("user_c", "c@acme.test")).toBe(true);
      expect(removes("user_b", "b@acme.test") || removes("user_d", "d@contractor.test")).toBe(false);
      const { exclusive: _, ...refusing } = ignoring;
      expect(unreviewed(creating("TeamMembers", refusing), reviewed)).not.toEqual([]);
    });

    it.each([
      ["TeamMembers", { teamId: "t", members: { user_a: "owner" } }, { onRelease: "leave" }],
      ["MemberRole", { user: "user_a", role: "edit" }, { onRelease: "leave" }],
      ["MemberRoles", { roles: { user_a: "edit" } }, { onRelease: "leave" }],
      ["Site", { title: "A", published: true }, { visibility: "visitor-auth" }],
      ["SiteAdaptiveSchema", { siteId: "s", claims: { beta: "boolean" } }, { onRelease: "leave" }],
      ["Translation", { source: { space: "a" }, language: "de" }, { instructions: "formal" }],
    ])("reports a new %s that declares less", (type, declared, option) => {
      const reviewed = creating(type, { ...declared, ...option });
      expect(unreviewed(reviewed, reviewed)).toEqual([]);
      expect(unreviewed(reviewed, creating(type, declared))).not.toEqual([]);
    });

    it("reports an update without a declaration that made it safe, and accepts an update that is partly done", () => {
      const update = (live: object, declared: object) => planned({ type: "Site", recorded: live, live, declared });
      const title = { title: "A", published: false };
      const reviewed = update(title, { ...title, published: true, visibility: "visitor-auth" });
      expect(unreviewed(reviewed, update(title, { ...title, published: true }))).toEqual([
        expect.stringMatching(/^resource +Site one: visibility: no longer declared .*"visitor-auth"/),
      ]);
      const open = { ...title, visibility: "public" };
      const closed = { ...title, visibility: "unlisted" };
      expect(
        unreviewed(update(open, { ...closed, published: true }), update(open, { ...open, published: true })),
      ).toEqual(['resource  Site one: visibility: "public" ("unlisted" was reviewed)']);
      expect(
        unreviewed(reviewed, update(title, { ...title, published: true, visibility: "visitor-auth", basename: "b" })),
      ).toEqual(['resource  Site one: basename: "b"']);
      const done = { ...title, visibility: "visitor-auth" };
      expect(unreviewed(reviewed, update(done, { ...done, published: true }))).toEqual([]);
    });

    it.each(["protect", "retainOnDelete"])("reports a new site without %s", (option) => {
      const site = (after: object) => planned({ op: "create", type: "Site", declared: { title: "A" }, after });
      expect(unreviewed(site({ [option]: true }), site({}))).toEqual([
        expect.stringMatching(`^resource  Site one: ${option}: no longer declared \\(true `),
      ]);
      expect(unreviewed(site({}), site({ [option]: true }))).toEqual([]);
    });

    const exclusive = { teamId: "t", members: { user_a: "owner" }, exclusive: true };
    const everybody = notesOf([{ user: "user_z", userId: "user_z", team: "t", level: "member" }]);
    it.each<[string, string | undefined, PreviewStep[]]>([
      [
        "that removes people that no preview shows",
        '["user_a"]',
        [{ op: "create", type: "TeamMembers", declared: exclusive }],
      ],
      [
        "that removes people that a component shows",
        undefined,
        [everybody, { op: "create", type: "TeamMembers", declared: exclusive }],
      ],
      [
        "that refuses others",
        undefined,
        [{ op: "create", type: "TeamMembers", declared: { ...exclusive, exclusive: undefined } }],
      ],
      [
        "that is managed already",
        undefined,
        [{ type: "TeamMembers", live: { ...exclusive, members: {} }, declared: exclusive }],
      ],
      [
        "whose members are hidden",
        '"known during the up"',
        [{ op: "create", type: "TeamMembers", declared: { ...exclusive, members: unknown } }],
      ],
    ])("names those who stay in a team only for one %s", (_, members, steps) => {
      const team = planned(...steps).resources.find(({ type }) => type === "TeamMembers");
      expect(team?.properties.members).toBe(members);
    });

    it("reports missing guards of a new organization", () => {
      const plan = (guards?: object) =>
        planned({ ...notesOf([]), declared: { review: { organization: "acme", ...(guards && { guards }) } } });
      expect(unreviewed(plan({ minAdmins: 2 }), plan({ minAdmins: 2 }))).toEqual([]);
      expect(unreviewed(plan({ minAdmins: 2 }), plan())).toEqual([
        expect.stringMatching(/^resource +OrganizationNotes acme-notes: guards: no longer declared .*"minAdmins":2/),
      ]);
    });
  });

  describe("of people and their release options", () => {
    const named = (name: string, user: string, more: object = {}) =>
      ({ op: "create", type: "MemberRole", name, declared: { user, role: "edit", ...more } }) as const;
    const remove = { onRelease: "remove" };
    const reviewed = planned(named("x", "ines@acme.test", remove), named("y", "kofi@acme.test"));
    const swapped = planned(named("x", "kofi@acme.test", remove), named("y", "ines@acme.test"));

    it("reports two people who are swapped between resources with other options", () => {
      expect(unreviewed(reviewed, reviewed)).toEqual([]);
      expect(unreviewed(reviewed, planned(named("x", "INES@acme.test", remove)))).toEqual([]);
      expect(unreviewed(reviewed, swapped).join("\n")).toHaveWording("two people who are swapped");
    });

    it("reports people who move between two lists with other options, although their access stays", () => {
      const list = (name: string, before: object, after: object, more: object) => ({
        type: "MemberRoles",
        name,
        recorded: { roles: before, ...more },
        live: { roles: before, ...more },
        declared: { roles: after, ...more },
      });
      const [ines, kofi] = [{ "ines@acme.test": "edit" }, { "kofi@acme.test": "edit" }];
      const plan = (x: object, y: object) =>
        planned(
          list("x", { ...ines, user_a: "read" }, x, { onRelease: "remove" }),
          list("y", { ...kofi, user_b: "read" }, y, {}),
        );
      const stays = plan({ ...ines, user_a: "review" }, { ...kofi, user_b: "review" });
      expect(unreviewed(stays, stays)).toEqual([]);
      const moved = plan({ ...kofi, user_a: "review" }, { ...ines, user_b: "review" });
      expect(unreviewed(stays, moved).join("\n")).toHaveWording("two people who are swapped");
    });
  });

  describe("of equal declarations in another form", () => {
    const roles = (ignore: readonly string[], level: string, before = ignore) => {
      const live = { roles: { user_a: "edit" }, ignore: before };
      return planned({ type: "MemberRoles", recorded: live, live, declared: { roles: { user_a: level }, ignore } });
    };
    const creating = (ignore: readonly string[]) =>
      planned({ op: "create", type: "MemberRoles", declared: { roles: { user_a: "read" }, ignore } });
    const patterns = ["*@Contractor.test", "user_B"];
    const others = ["user_B", "*@contractor.TEST"];

    it("accepts another order and case of ignored e-mails, and no other id", () => {
      for (const fresh of [roles(others, "review"), roles(others, "review", patterns)]) {
        expect(verify(roles(patterns, "review"), fresh)).toMatchObject({ unreviewed: [], incomparable: [] });
      }
      expect(verify(creating(patterns), creating(others)).unreviewed).toEqual([]);
      for (const ignore of [["user_b", "*@contractor.test"], ["user_B"], [...others, "user_c"]]) {
        expect(verify(creating(patterns), creating(ignore)).unreviewed).not.toEqual([]);
        expect(verify(roles(patterns, "review"), roles(ignore, "review", patterns)).unreviewed).not.toEqual([]);
      }
    });

    it("accepts the rest of a site whose creation was interrupted, and nothing else", () => {
      const declared = { title: "A", published: true, visibility: "unlisted" };
      const live = { ...declared, published: false };
      const rest = (more: object) => planned({ type: "Site", live, declared: { ...declared, ...more } });
      const created = planned({ op: "create", type: "Site", declared });
      const made = (id: string) => planned({ type: "Site", live, declared, before: { id } });
      expect(verify(created, made("site_1"))).toMatchObject({ unreviewed: [], obstacles: [] });
      for (const more of [{ visibility: "public" }, { title: "B" }, { basename: "b" }, { visibility: undefined }]) {
        expect(verify(created, rest(more)).unreviewed).toContain("resource  Site one: update");
      }
      for (const step of [
        { op: "delete", type: "Site", live },
        { op: "replace", type: "Site", live, declared },
        { type: "Site", live, declared: { ...declared, title: "[secret]" } },
      ])
        expect(verify(created, planned(step)).unreviewed).toContain(`resource  Site one: ${step.op ?? "update"}`);
      const inSecret = { ...declared, title: "[secret]" };
      const createdInSecret = planned({ op: "create", type: "Site", declared: inSecret });
      expect(verify(createdInSecret, rest(inSecret)).unreviewed).toContain("resource  Site one: update");
      const bucket = (op: string) => planned({ op, type: "aws:s3:Bucket", live: { acl: "a" }, declared: { acl: "b" } });
      expect(verify(bucket("create"), bucket("update")).unreviewed).toContain("resource  Bucket one: update");
      // Neither the rest of another resource, nor a change of another site below the reviewed URN, completes a creation.
      const another = planned({ op: "create", type: "Site", name: "another", declared });
      for (const reviewed of [another, made("site_2")]) {
        expect(verify(reviewed, made("site_1")).unreviewed).toContain("resource  Site one: update");
      }
    });
  });

  describe("of an organization that only the settings name", () => {
    const grant = role("user_a", "admin");
    const inOther = { ...grant, declared: { ...grant.declared, organizationId: "other" } };

    it("cannot compare an organization that is never named, and reports one that is named only once", () => {
      const [unnamed, inAcme] = [plannedIn(undefined, grant), plannedIn("acme", grant)];
      const line = "resource  MemberRole user_a: organizationId: ";
      const toSet = '"known only to pulumi: set DOCS_ORGANIZATION_ID for docs-org as well"';
      expect(verify(unnamed, unnamed)).toMatchObject({ unreviewed: [], incomparable: [line + toSet] });
      expect(verify(inAcme, unnamed).unreviewed).toContain(`${line}${toSet} ("acme" was reviewed)`);
      for (const fresh of [plannedIn("other", grant), plannedIn(undefined, inOther)])
        expect(verify(unnamed, fresh).unreviewed).toContain(`${line}"other"`);
    });

    it("reports another organization among several", () => {
      const known = ["acme", "other"].map((organizationId) => {
        const declared = { user: "user_k", role: "read", organizationId };
        return { op: "same", type: "MemberRole", name: organizationId, recorded: declared, live: declared, declared };
      });
      const inAcme = { ...grant, declared: { ...grant.declared, organizationId: "acme" } };
      const [reviewed, fresh] = [plannedIn(undefined, ...known, inAcme), plannedIn(undefined, ...known, inOther)];
      expect(verify(reviewed, fresh).unreviewed).toContain(
        'resource  MemberRole user_a: organizationId: "other" ("acme" was reviewed)',
      );
    });
  });

  describe("names the incomparable parts", () => {
    const incomparable = (...steps: readonly PreviewStep[]) =>
      verify(planned(...steps), planned(...steps)).incomparable;
    const schema = { type: "SiteAdaptiveSchema", op: "create", declared: { siteId: unknown } };
    const listing = (more: object) => ({
      type: "MemberRoles",
      live: { roles: { user_a: "edit" }, ...more },
      declared: { roles: { user_a: "review" }, ...more },
    });
    const emptyTeam = (teamId: string) => ({ teamId, members: {}, exclusive: true });
    const inSecret = { user: "user_a", role: "admin", organizationId: "[secret]" };
    const signIn = (defaultRole: string) => ({ label: "[secret]", defaultRole });

    it("of a preview without drift, or of a part of the stack, whatever the reviewed preview was", () => {
      const [change, unrefreshed] = [planOf(reviewOfPreview("change")), planOf(reviewOfPreview("unrefreshed"))];
      for (const reviewed of [change, unrefreshed]) {
        expect(verify(reviewed, unrefreshed).incomparable).toContainEqual(expect.stringMatching(/not check for drift/));
      }
      const target = planOf(reviewOfPreview("target"));
      for (const reviewed of [change, target]) {
        expect(verify(reviewed, target).incomparable).toEqual([expect.toHaveWording("a plan of a part of a stack")]);
      }
    });

    it.each([
      ["a secret role", { op: "create", type: "MemberRole", declared: { user: "user_a", role: "[secret]" } }],
      ["an unknown role", { op: "create", type: "MemberRole", declared: { user: "user_a", role: unknown } }],
      ["a secret user", { op: "create", type: "MemberRole", declared: { user: "[secret]", role: "read" } }],
      ["unknown people", { op: "create", type: "MemberRoles", declared: { roles: unknown } }],
      ["a user of another package", { op: "create", type: "aws:rds:User", declared: { user: unknown } }],
      ["an unknown id", schema],
      ["a secret title", { op: "create", type: "Site", declared: { title: "[secret]" } }],
      ["a secret of an update", { type: "Site", live: { title: "[secret]" }, declared: { title: "[secret]" } }],
      ["nothing that is seen", { type: "Site", live: { title: "A" }, declared: { title: "A" } }],
      ["a secret sign-in", { op: "create", type: "SamlProvider", declared: { label: "L", defaultRole: "[secret]" } }],
      ["a secret list", listing({ ignore: "[secret]" })],
      ["a list with a secret", listing({ ignore: ["user_b", "[secret]"] })],
      ["an unknown option", { ...listing({}), op: "replace", declared: { roles: {}, onRelease: unknown } }],
      ["a secret mark of sign-on", listing({ sso: ["[secret]"] })],
      ["a secret team without people", { op: "create", type: "TeamMembers", declared: emptyTeam("[secret]") }],
      ["an unknown team without people", { op: "create", type: "TeamMembers", declared: emptyTeam(unknown) }],
      ["a secret organization", { ...role("user_a", "admin"), declared: inSecret }],
      [
        "an update in a secret organization",
        { type: "MemberRole", live: inSecret, declared: { ...inSecret, role: "read" } },
      ],
      ["a secret label", { type: "SamlProvider", live: signIn("read"), declared: signIn("edit") }],
      ["an unknown sign-in", { op: "create", type: "SamlProvider", declared: { label: "L", defaultRole: unknown } }],
    ] as const)("%s", (_, step) => expect(incomparable(step).length).toBeGreaterThan(0));

    it("of each person and each other property, and the number of the rest", () => {
      const secrets = Array.from({ length: 22 }, (_, index) => ({
        op: "create",
        type: "Site",
        name: `site ${index}`,
        declared: { title: "[secret]" },
      }));
      const hidden = { op: "create", type: "MemberRole", declared: { user: "user_a", role: unknown } };
      const lines = incomparable(hidden, ...secrets.slice(0, 1));
      expect(lines).toEqual([
        expect.stringMatching(/^change +user_a: role .*\(secret, or known only during the up\)$/),
        expect.stringMatching(/^resource +Site site 0: title: /),
      ]);
      expect(incomparable(...secrets.slice(0, 20))).toHaveLength(20);
      expect(incomparable(...secrets).slice(19)).toEqual([
        expect.stringMatching(/^resource /),
        "2 other changes are secret, or known only during the up",
      ]);
    });

    it("with the reason, unless the value says it", () => {
      const reason = " (secret, or known only during the up)";
      const long = "x".repeat(600);
      for (const ignore of ["[secret]", [long, "[secret]"]])
        expect(incomparable(listing({ ignore }))[0]).toContain(reason);
      const inUnknown = {
        ...role("user_a", "read"),
        declared: { user: "user_a", role: "read", organizationId: unknown },
      };
      expect(incomparable(inUnknown)).toContain(
        `resource  MemberRole user_a: organizationId: "known during the up"${reason}`,
      );
      const inSecretTeam = { teamId: "[secret]", user: "user_a", role: "owner" };
      expect(incomparable({ op: "create", type: "TeamMembership", declared: inSecretTeam })[0]).toMatch(
        /^gain .*user_a/,
      );
      const unseen = { type: "Site", live: { title: "A" }, declared: { title: "A" } };
      expect(incomparable(unseen)).toEqual([expect.toHaveWording("an update of which nothing is seen")]);
    });

    it("except the id of a new site of the same component", () => {
      const parents = "docs:index:Organization$";
      const preview = (parents: string, ...sources: readonly PreviewStep[]) =>
        planned({ ...schema, parents, after: { propertyDependencies: { siteId: sources.map(urnOfStep) } } });
      const site = (name: string) => ({ type: "Site", parents, name });
      const reviewed = preview(parents, site("a"));
      expect(verify(reviewed, reviewed)).toMatchObject({ unreviewed: [], incomparable: [] });
      expect(verify(reviewed, preview(parents, site("b"))).unreviewed).toHaveLength(1);
      const bucket = { type: "aws:s3:Bucket", name: "a" };
      const others = [
        preview("", site("a")),
        preview(parents, bucket),
        preview(parents, { ...bucket, parents }),
        preview(parents, { ...site("a"), type: "SamlProvider" }),
        preview(parents, { ...site("a"), parents: "" }),
        preview(parents, site("a"), site("b")),
        preview("my:index:Parts$", { ...site("a"), parents: "my:index:Parts$" }),
        preview(`${parents}my:index:Parts$`, site("a")),
        planned({
          ...{ op: "create", type: "aws:s3:Bucket", parents, declared: { siteId: unknown } },
          after: { propertyDependencies: { siteId: [urnOfStep(site("a"))] } },
        }),
        planned({
          ...{ ...schema, parents, declared: { siteId: [unknown] } },
          after: { propertyDependencies: { siteId: [urnOfStep(site("a"))] } },
        }),
        planned({
          ...{ ...schema, parents, declared: { siteId: "[secret]" } },
          after: { propertyDependencies: { siteId: [urnOfStep(site("a"))] } },
        }),
        planned({
          ...{ ...schema, parents, declared: { siteId: "site_1", claims: unknown } },
          after: { propertyDependencies: { siteId: [urnOfStep(site("a"))], claims: [urnOfStep(site("a"))] } },
        }),
      ];
      for (const other of others) expect(verify(other, other).incomparable).toHaveLength(1);
      const known = { ...schema, parents, declared: { siteId: "site_1" } };
      const passedOn = planned({ ...known, after: { propertyDependencies: { siteId: [urnOfStep(site("a"))] } } });
      expect(passedOn.resources[0]?.properties.siteId).toBe('"site_1"');
    });

    it.each(["[secret]", "known during the up"])("and does not confuse them with the text %j", (title) => {
      const site = (declared: unknown) => planned({ op: "create", type: "Site", declared: { title: declared } });
      const literal = site("text");
      const text = JSON.parse(JSON.stringify(literal).replaceAll("text", title)) as typeof literal;
      const hidden = site(title === "[secret]" ? title : unknown);
      expect(verify(text, hidden).unreviewed).toEqual([`resource  Site one: title: "${title}"`]);
    });
  });

  it("refuses the plan of another stack or organization", () => {
    const plan = planOf(reviewOfPreview("change"));
    expect(() => verify(plan, { ...plan, stack: "test" })).toThrow(expect.toHaveWording("a plan of another stack"));
    // A preview without changes names no stack.
    expect(verify(plan, { ...plan, project: "", stack: "" }).obstacles).toEqual([]);
    expect(() => verify(plan, { ...plan, organizations: ["other"] })).toThrow(
      expect.toHaveWording("a plan of another organization"),
    );
  });

  it("asks for the approvals of a role or team, and no others", () => {
    const approvals = (what: string, approver: string) => [{ what, approvers: [approver] }];
    const plan = { ...planned(role("user_a", "read")), approvals: approvals("role admin", "ada") };
    expect(verify(plan, plan).obstacles).toEqual([]);
    expect(verify(plan, { ...plan, approvals: approvals("team t", "ada") }).obstacles).toEqual([
      "team t now needs an approval of ada",
    ]);
  });

  it("refuses the plan of another service", () => {
    const plan = { ...planOf(reviewOfPreview("change")), origin: "https://one.test" };
    const { origin: _, ...unnamed } = plan;
    for (const [reviewed, fresh] of [
      [plan, plan],
      [plan, unnamed],
      [unnamed, plan],
    ] as const)
      expect(verify(reviewed, fresh).obstacles).toEqual([]);
    expect(() => verify(plan, { ...plan, origin: "https://two.test" })).toThrow(
      expect.toHaveWording("a plan of another service"),
    );
  });
});

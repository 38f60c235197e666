import fc from "fast-check";
import { expect, it } from "vitest";
import type { Place } from "../../provider/access-plan/place";
import { historyFormats } from "../../provider/history/formats";
import { type AccessEvent, type History, historyOf } from "../../provider/history/history";
import { partOf, sinceIn } from "../../provider/history/select";
import { agentAfter, readUpdate, type StackVersion, versionOf } from "../../provider/history/version";
import { exported } from "../audit/support";

const people = ["p0", "p1", "p2", "p3"] as const;
const emailOf = (id: string) => `${id}@acme.test`;

/** What a random update leaves in the state, and how the backend has it. */
const step = fc.record({
  kind: fc.constantFrom("update", "update", "update", "refresh"),
  result: fc.constantFrom("succeeded", "succeeded", "succeeded", "failed"),
  isKept: fc.constantFrom(true, true, true, false),
  roles: fc.dictionary(fc.constantFrom(...people), fc.constantFrom("admin", "edit", "read", "guest")),
  members: fc.dictionary(fc.constantFrom(...people), fc.constantFrom("owner", "member")),
  /** The file names these people by e-mail. */
  byEmail: fc.subarray([...people]),
  found: fc.subarray([...people]),
});
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

const day = (index: number) => new Date(Date.UTC(2026, 0, 1 + index)).toISOString().replace(".000", "");

function versionFrom({ kind, result, isKept, roles, members, byEmail, found }: Step, index: number): StackVersion {
  const spelled = <Level>(levels: Readonly<Record<string, Level>>) =>
    Object.fromEntries(
      Object.entries(levels).map(([id, level]) => [byEmail.includes(id as "p0") ? emailOf(id) : id, level]),
    );
  const userIds = Object.fromEntries(byEmail.map((id) => [emailOf(id), id]));
  const state = exported(
    "main",
    { type: "MemberRoles", inputs: { roles: spelled(roles) }, outputs: { userIds, previousRoles: {}, pending: [] } },
    {
      type: "TeamMembers",
      inputs: { teamId: "team", members: spelled(members) },
      outputs: { userIds, found: found.filter((id) => id in members), pending: [] },
    },
  );
  const update = { kind, result, startTime: day(index), endTime: day(index), resourceChanges: { update: 1, same: 3 } };
  return versionOf(readUpdate(update, "record"), isKept ? JSON.parse(state) : undefined);
}

interface Kept {
  readonly isKept?: boolean;
  readonly isDirty?: boolean;
  readonly message?: string;
  readonly isContinued?: boolean;
  readonly oldest?: string;
  readonly modified?: readonly string[];
  readonly stack?: string;
  readonly organizationId?: string;
  readonly roles?: Readonly<Record<string, string>>;
  readonly previousRoles?: Readonly<Record<string, string>>;
  readonly grants?: readonly object[];
  readonly userIds?: Readonly<Record<string, string>>;
  readonly pending?: readonly string[];
  readonly absent?: readonly string[];
  /** The levels that recent writes have replaced. */
  readonly was?: Readonly<Record<string, readonly string[]>>;
  readonly site?: string;
  /** URNs that the state has as interrupted. */
  readonly interrupted?: readonly string[];
  readonly agent?: string;
  readonly end?: string;
  readonly result?: string;
}

function kept({
  roles = {},
  previousRoles = {},
  grants = [],
  userIds = {},
  pending = [],
  absent = [],
  was = {},
  site,
  end = day(0),
  result = "succeeded",
  ...more
}: Kept): StackVersion {
  const {
    isKept = true,
    isDirty = false,
    message = "Cover",
    isContinued = false,
    oldest = "",
    modified = [],
    stack = "main",
    interrupted = [],
    agent = "",
    ...ids
  } = more;
  const environment = { "git.head": "c0ffee", "git.dirty": String(isDirty), "exec.agent": agent };
  const change = { environment, resourceChanges: { update: 1 }, message };
  const record = { kind: "update", result, startTime: end, endTime: end, ...change };
  const written = { at: Date.parse(end) / 1_000, was };
  const outputs = { userIds, previousRoles, pending, absent, __written: written };
  const notes = { type: "OrganizationNotes", inputs: { review: { organization: "acme", grants } } };
  const sites = site === undefined ? [] : [{ type: "Site", inputs: { title: site }, outputs: { title: site } }];
  const state = exported(stack, { type: "MemberRoles", inputs: { roles, ...ids }, outputs }, notes, ...sites);
  const version = versionOf(readUpdate(record, "record"), isKept ? JSON.parse(state) : undefined);
  return { ...version, isContinued, oldest, modified, interrupted };
}

/** What a state says of each person, as `place person` and level, without any of our code. */
const levelsIn = ({ roles, members }: Step): Record<string, string> => ({
  ...Object.fromEntries(Object.entries(roles).map(([id, level]) => [`role ${id}`, level])),
  ...Object.fromEntries(Object.entries(members).map(([id, level]) => [`team ${id}`, level])),
});

const keyOf = ({ place, person }: AccessEvent) => `${place.kind} ${person}`;

/** What the events up to a time say. */
function levelsAt({ access }: Pick<History, "access">, end: string): Record<string, string> {
  const last = new Map(access.filter(({ update }) => update.end <= end).map((one) => [keyOf(one), one]));
  return Object.fromEntries(
    [...last].filter(([, { status }]) => status === "managed").map(([key, { after }]) => [key, after]),
  );
}

it("has the same intervals as any sequence of states, and says of each change whether an update is proven to have made it", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      const history = await historyOf(steps.map(versionFrom));
      const ends = history.updates.map(({ end }) => end);
      let known: Record<string, string> = {};
      for (const [index, one] of steps.entries()) {
        if (one.isKept) known = levelsIn(one);
        expect(levelsAt(history, day(index))).toEqual(known);
      }
      const held = new Map<string, AccessEvent>();
      for (const event of history.access) {
        const before = held.get(keyOf(event));
        if (before && before.status !== "released") expect(event.before).toBe(before.after);
        held.set(keyOf(event), event);
        const at = ends.indexOf(event.update.end);
        const { kind, result, found } = steps[at] as Step;
        const isProven = kind === "update" && result === "succeeded" && steps[at - 1]?.isKept !== false;
        const isFound =
          event.place.kind === "team" && event.status === "managed" && found.includes(event.person as "p0");
        if (event.cause === "update") expect([isProven, isFound]).toEqual([true, false]);
        if (event.cause === "outside") expect(isFound || kind === "refresh").toBe(true);
        const since = sinceIn(history)([event.person], event.place, "other");
        expect(since).toEqual({ gap: "not recorded" });
      }
      expect(history.gaps.map((gap) => [gap.kind, ends.indexOf(gap.update.end)])).toEqual(
        steps.flatMap(({ isKept, result }, index) => {
          if (!isKept) return [["missing", index]];
          return result === "failed" ? [["failed", index]] : [];
        }),
      );
      const [from, to] = [ends[0], ends.at(-1)] as [string, string];
      // Somebody who is managed at neither end may have another level by what happened in between.
      const differences = partOf(history, { compare: [from, to] }).access.filter(
        (one) => one.status !== "released" || keyOf(one) in levelsAt(history, from),
      );
      const [first, last] = [levelsAt(history, from), levelsAt(history, to)];
      const differing = new Set(
        [...Object.keys(first), ...Object.keys(last)].filter((key) => first[key] !== last[key]),
      );
      expect(new Set(differences.map(keyOf))).toEqual(differing);
    }),
    { numRuns: 300 },
  );
});

it("knows a person who was invited by the id as well, and both people who had an e-mail", async () => {
  const roles = { "zoe@acme.test": "edit" };
  const history = await historyOf([
    kept({ roles, pending: ["zoe@acme.test"] }),
    kept({ roles, userIds: { "zoe@acme.test": "zoe" }, end: day(1) }),
    kept({ roles, userIds: { "zoe@acme.test": "other" }, end: day(2) }),
  ]);
  const peopleIn = (person: string) => new Set(partOf(history, { person }).access.map((one) => one.person));
  expect(peopleIn("zoe@acme.test")).toEqual(new Set(["zoe", "other"]));
  const { access, atEnd } = partOf(history, { person: "zoe" });
  expect(access.map(({ status }) => status)).toEqual(["pending", "managed", "released"]);
  expect(atEnd).toHaveLength(1);
  expect(() => partOf(history, { person: "zoe", team: "none" })).toThrow(/"none"/);
});

it("claims no role if a failed change of a membership has perhaps not given it", async () => {
  const membership = (user: string, outputs: object, result = "succeeded"): StackVersion => {
    const inputs = { teamId: "team", user, role: "owner" };
    const state = exported("main", { type: "TeamMembership", inputs, outputs: { userId: user, ...outputs } });
    const end = day(result === "failed" ? 1 : 0);
    const record = { kind: "update", result, startTime: end, endTime: end, resourceChanges: { update: 1 } };
    return versionOf(readUpdate(record, "record"), JSON.parse(state));
  };
  const releasing = [{ user: "p0", userId: "p0", role: "owner" }];
  const history = await historyOf([membership("p0", {}), membership("p1", { role: undefined, releasing }, "failed")]);
  expect(history.access.map(({ person, after }) => [person, after])).toEqual([
    ["p0", "owner"],
    ["p1", "unknown"],
  ]);
});

it("compares versions that ended in the same second, without what came and went between them", async () => {
  const history = await historyOf([
    kept({ roles: { p0: "read" } }),
    kept({ roles: { p0: "edit" }, site: "Guide", result: "failed" }),
    kept({ roles: { p0: "edit" } }),
  ]);
  const versions = history.updates.map(({ version }) => version) as [string, string, string];
  const compared = (from: number, to: number) =>
    partOf(history, { compare: [versions[from] as string, versions[to] as string] });
  expect([compared(0, 1).access, compared(1, 2).access].map(({ length }) => length)).toEqual([1, 0]);
  expect([compared(0, 1).objects, compared(0, 2).objects].map(({ length }) => length)).toEqual([1, 0]);
  const rows = historyFormats.csv(partOf(history, {})).split("\r\n");
  expect(rows.filter((row) => row.includes('"gap","failed"'))).toHaveLength(1);
});

it("gives a reason only to what the grant gave, and compares no equal levels as different", async () => {
  const cover = { user: "p1", role: "create", reason: "cover", expires: day(2), then: "review" };
  const version = (end: number, roles: Kept["roles"], grants: object[] = []) =>
    kept({ roles: { p0: "admin", ...roles }, previousRoles: { p1: "review", p2: "read" }, grants, end: day(end) });
  const history = await historyOf([
    version(0, {}),
    version(1, { p1: "create", p2: "edit" }, [cover]),
    version(2, { p1: "review", p2: "edit" }, [cover]),
    version(3, { p1: "review", p2: "read" }, [cover]),
  ]);
  const ofPeople = history.access.filter(({ person }) => person !== "p0");
  expect(ofPeople.map(({ person, before, after, reason }) => [person, before, after, reason])).toEqual([
    ["p1", "review", "create", "cover"],
    ["p2", "read", "edit", undefined],
    ["p1", "create", "review", undefined],
    ["p2", "edit", "read", undefined],
  ]);
  const compared = (from: number, to: number) => partOf(history, { compare: [day(from), day(to)] }).access;
  const taken = { cause: "taken", update: { end: day(1) } };
  expect(compared(0, 3)).toMatchObject([taken, taken]);
  expect(compared(1, 3).map(({ person, before, after }) => [person, before, after])).toEqual([
    ["p1", "create", "review"],
    ["p2", "edit", "read"],
  ]);
  expect(compared(2, 3).map(({ person }) => person)).toEqual(["p2"]);
  const text = historyFormats.text(partOf(history, { compare: [day(0), day(3)] }), { createdAt: day(9), version: "1" });
  expect(text).toMatch(/No difference of access.*p1: role stays review; .*with the message: Cover/s);
});

it("says of each person which line of several grants an update began or ended", async () => {
  const userIds = { "Ada@acme.test": "p0" };
  const lines = ["o.yaml:3: members.ada@acme.test: admin (cover): ended", "o.yaml:4: members.p1: edit: began"];
  const message = ["2 grants begin or end", "o.yaml:9: teams.t.members.p1: owner: began", ...lines].join("\n");
  const night = kept({ roles: { "Ada@acme.test": "read", p1: "edit", p2: "edit" }, userIds, message, end: day(2) });
  const before = kept({ roles: { "Ada@acme.test": "admin", p1: "read", p2: "read" }, userIds });
  const { access, last } = partOf(await historyOf([before, night]), { since: day(2) });
  expect(Object.fromEntries(access.map(({ person, update }) => [person, update.message]))).toEqual({
    p0: lines[0],
    p1: lines[1],
    p2: "2 grants begin or end",
  });
  expect(last?.message).toBe("2 grants begin or end");
});

it("does not take a write that a state repeats for the one that has changed a role by hand before the release", async () => {
  const given = { "member:p1": ["create"] };
  const previousRoles = { p1: "create" };
  const released = (was: Kept["was"]) =>
    historyOf([
      kept({ roles: { p0: "edit", p1: "admin" }, previousRoles, was: given, end: "2026-01-01T00:00:00Z" }),
      kept({ roles: { p0: "read" }, was: { ...was, "member:p0": ["edit"] }, end: "2026-01-01T00:00:20Z" }),
    ]);
  const ofPerson = ({ access }: History) => access.filter(({ person }) => person === "p1").at(-1);
  const restored = { ...given, "member:p1": ["create", "admin"] };
  expect(ofPerson(await released(restored))).toMatchObject({ after: "create", status: "released", cause: "update" });
  expect(ofPerson(await released(given))).toMatchObject({ after: "unknown", status: "released", cause: "outside" });
});

it("claims no earlier role of a person who left before the stack managed the role", async () => {
  const { access } = await historyOf([kept({ roles: { p0: "create" }, absent: ["p0"] })]);
  expect(access).toMatchObject([{ before: "unknown", after: "none", status: "absent", cause: "taken" }]);
});

it.each([
  ["the next update", day(3)],
  ["a killed run", day(2)],
])("blames nobody for what a state lacks that was lost before %s began it anew", async (_, oldest) => {
  const before = kept({ roles: { p0: "admin", p1: "read" }, oldest: day(1), end: day(1) });
  const anew = kept({ roles: { p1: "read" }, isContinued: oldest < day(3), oldest, end: day(3) });
  const { gaps, access } = await historyOf([before, anew]);
  expect(gaps.map(({ kind }) => kind)).toEqual(["lost"]);
  const ofLost = access.filter(({ person, update }) => person === "p0" && update.end === day(3));
  expect(ofLost).toMatchObject([{ status: "released", cause: "unclear" }]);
});

it("claims nothing of versions that are not kept, and marks uncommitted changes", async () => {
  const roles = { p0: "admin" };
  const role: Place = { kind: "role", organization: "acme" };
  const first = kept({ roles: { p0: "read" }, isContinued: true, end: day(1) });
  const given = kept({ roles, isDirty: true, end: day(2) });
  const later = [kept({ isKept: false, end: day(3) }), kept({ roles, end: day(4) })];
  const whole = await historyOf([first, given, ...later]);
  const since = { since: day(2), version: day(2), commit: "c0ffee", isDirty: true };
  expect(sinceIn(await historyOf([first, given]))(["p0"], role, "admin")).toEqual(since);
  expect(sinceIn(whole)(["p0"], role, "admin")).toEqual({ ...since, gap: "later" });
  expect(partOf(whole, { person: "p0" }).atEnd).toMatchObject([{ since: { ...since, gap: "later" } }]);
  const before = partOf(whole, { since: "2025-01-01", until: "2025-12-31" });
  expect([before.updates, before.gaps.map(({ kind }) => kind)]).toEqual([0, ["earlier"]]);
  expect(before.filters).toEqual(["--since 2025-01-01", "--until 2025-12-31"]);
  const moved = await historyOf([kept({ site: "Guide", isContinued: true })]);
  expect(partOf(moved, { site: "Guide" }).objects).toMatchObject([{ cause: "taken" }]);
  expect(partOf(whole, { since: day(2) }).gaps.map(({ kind }) => kind)).toEqual(["missing"]);
});

it("finds all changes of a site by a title that it had, and keeps the order of many versions of one second", async () => {
  const titles = [...Array(12).keys()].map((index) => `Title ${index}`);
  const history = await historyOf(titles.map((site) => kept({ site })));
  expect(partOf(history, { site: "Title 3" }).objects).toHaveLength(12);
  const orders = history.updates.map(({ order }) => order);
  expect([...orders].sort()).toEqual(orders);
});

it("blames no update for what another one has changed of which nothing is kept, or whose state is in its place", async () => {
  const [first, third] = [{ roles: { p0: "admin" } }, { roles: { p0: "read" }, end: day(3) }];
  const summaryOf = async (...all: Kept[]) => {
    const { access, gaps } = await historyOf(all.map(kept));
    const changes = access.filter(({ cause }) => cause !== "taken");
    return { changes: changes.map(({ update, cause }) => [update.end, cause]), gaps: gaps.map(({ kind }) => kind) };
  };
  expect(await summaryOf(first, { ...third, modified: [day(0), day(3)] })).toEqual({
    changes: [[day(3), "update"]],
    gaps: [],
  });
  expect(await summaryOf(first, { ...third, modified: [day(2), day(3)] })).toEqual({
    changes: [[day(3), "unclear"]],
    gaps: ["between"],
  });
  const ofLater = { ...third, end: day(1), modified: [day(3)] };
  expect(await summaryOf(first, ofLater, { ...third, modified: [day(3)] })).toEqual({
    changes: [[day(3), "unclear"]],
    gaps: ["missing"],
  });
});

it("tells once what a killed run has left, also after the engine has forgotten it, and doubts until an update has looked at the whole stack", async () => {
  const urnOf = (type: string) => `urn:pulumi:main::docs::docs:index:${type}::x`;
  const site = urnOf("Site");
  const urns = [urnOf("MemberRoles"), site];
  const found = (end: number, agent: string, interrupted: readonly string[] = []) =>
    kept({ roles: { p0: end % 2 ? "edit" : "read" }, agent, interrupted, end: day(end) });
  const history = await historyOf([
    found(0, agentAfter([])),
    found(1, agentAfter(urns), urns.slice(1)),
    found(2, agentAfter(urns.slice(1)), urns.slice(1)),
    found(3, "somebody else", urns),
    found(4, `${agentAfter(urns)} cut`),
    found(5, agentAfter([])),
    found(6, agentAfter([site], true)),
    found(7, agentAfter([], true)),
    found(8, agentAfter([])),
    found(9, agentAfter([])),
  ]);
  expect(history.gaps.map(({ update, kind, resources }) => [update.end, kind, ...resources])).toEqual([
    [day(1), "killed", "MemberRoles x", "Site x"],
    [day(3), "interrupted", "MemberRoles x"],
    [day(6), "killed", "Site x"],
  ]);
  const seen = history.updates.map((update) => {
    const event: AccessEvent = {
      ...(history.access[1] as AccessEvent),
      update,
      cause: "outside",
      resource: "MemberRoles x",
    };
    return /killed/.test(
      historyFormats.text(partOf({ ...history, access: [event], gaps: [] } as unknown as History, {}), {
        createdAt: day(9),
        version: "1",
      }),
    );
  });
  expect(seen).toEqual([false, true, false, true, true, false, true, true, true, false]);
});

it("knows the objects of a stack by their names after it was renamed, and an object that left the state without a deletion", async () => {
  const guide = { roles: { p0: "read" }, site: "Guide" };
  const renamed = await historyOf([kept(guide), kept({ ...guide, stack: "prod", end: day(1) })]);
  expect([renamed.stack, renamed.objects.map(({ update }) => update.end)]).toEqual(["docs/prod", [day(0)]]);
  const { objects } = await historyOf([kept(guide), kept({ roles: guide.roles, end: day(1) })]);
  const { change, cause } = objects.at(-1) ?? {};
  expect([change?.operation, cause]).toEqual(["delete", "unclear"]);
});

it("refuses a version of another organization, and a record with an impossible time", async () => {
  const other = kept({ roles: { p0: "edit" }, organizationId: "beta", end: day(1) });
  await expect(historyOf([kept({ roles: { p0: "read" } }), other])).rejects.toThrow(
    /version 2026-01-02T00:00:00Z is of organization beta, and the one before is of acme/,
  );
  for (const endTime of [-1, 1e300])
    expect(() => readUpdate({ kind: "update", result: "succeeded", startTime: 1, endTime }, "x.json")).toThrow(
      /x\.json is not the record of an update/,
    );
});

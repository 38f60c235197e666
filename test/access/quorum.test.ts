import { syncBuiltinESMExports } from "node:module";
import timers from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Quorum } from "../../provider/access/quorum";
import { Run } from "../../provider/run/run";
import { Settings } from "../../provider/run/settings";
import { TestClock } from "../support/clock";
import { failureOf } from "../support/failure";

const patience = 100;
/** Only the pauses of a refusal move the time. */
const begun = 1_000;
let now: number;
let duringPause: (milliseconds: number) => void;
beforeEach(() => {
  now = begun;
  duringPause = () => {};
  vi.spyOn(Date, "now").mockImplementation(() => now);
  vi.spyOn(timers, "setTimeout").mockImplementation(async (milliseconds = 0) => {
    now += milliseconds;
    duringPause(now - begun);
  });
  syncBuiltinESMExports();
});
afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

/** Ada loses the role. The list has Bea, unless the test changes it, and reads show a change after so many others. */
function begin(DOCS_SETTLE = "30") {
  const run = new Run({
    settings: new Settings({ DOCS_SETTLE }),
    patience,
    clock: new TestClock(100_000),
    tell: () => {},
  });
  const calls: string[] = [];
  const live = { listed: ["bea"], able: ["bea", "cem"], readsBefore: 0 };
  const quorum = new Quorum({ run, organizationId: "acme" } as never, "owner of team t", {
    async list(anew) {
      calls.push(anew ? "list anew" : "list");
      return live.listed.map((userId) => ({ userId }));
    },
    async confirm(userId) {
      calls.push(`confirm ${userId}`);
      return live.able.includes(userId);
    },
    async readsShow(_, hasRole, anew) {
      calls.push(`read${anew ? " anew" : ""}: ${hasRole}`);
      return live.readsBefore-- <= 0;
    },
  });
  const loss = { userIds: ["ada"], names: "Ada", refusal: "Ada is the last owner" };
  const restore = vi.fn(() => Promise.resolve());
  const work = async () => void calls.push("write");
  const lower = () => quorum.lower({ ...loss, restore }, work);
  return { run, calls, live, quorum, loss, restore, lower };
}

it("counts on the same person after the write as before it, and reads the list anew before each write", async () => {
  const { calls, lower } = begin();
  await lower();
  await lower();
  const one = ["list anew", "confirm bea", "write", "read: false", "confirm bea"];
  expect(calls).toEqual([...one, ...one]);
  // Nobody waits while somebody else has the role.
  expect(now).toBe(begun);
});

it("believes its own writes, and not the list, about who has got or lost the role", async () => {
  const { live, quorum, calls, loss, lower } = begin();
  quorum.noteWrite("bea", false);
  await expect(quorum.refuseLast(loss)).rejects.toThrow("the last owner");
  expect(calls).not.toContain("confirm bea");
  live.listed = [];
  quorum.noteWrite("cem", true);
  await lower();
  expect(calls).toContain("confirm cem");
});

describe("before the last one loses the role", () => {
  it.each([
    ["after its patience", 100, {}],
    ["later if the engine calls something", 150, { calledAt: 30 }],
    ["later if requests are made", 200, { busyUntil: 100 }],
    ["at once if the command was cancelled", 0, { isCancelled: true }],
  ])("refuses %s", async (_, waited, { calledAt = 0, busyUntil = -1, isCancelled = false }) => {
    const world = begin();
    world.live.listed = [];
    world.run.calledAt = calledAt && begun + calledAt;
    vi.spyOn(world.run.connections, "isBusy").mockImplementation(() => now - begun <= busyUntil);
    if (isCancelled) world.run.connections.limiter.stop();
    await expect(world.lower()).rejects.toThrow("the last owner");
    expect([now - begun, world.calls]).toEqual([waited, ["list anew", "list anew"]]);
  });

  it("waits for a change that gives the role and begins meanwhile, and no longer", async () => {
    const { live, quorum, lower } = begin();
    live.listed = [];
    const work = async () => {
      for (let turn = 0; turn < 20; turn++) await Promise.resolve();
      live.listed = ["cem"];
    };
    duringPause = (milliseconds) => {
      if (milliseconds === 50) void quorum.raise(work);
    };
    await lower();
    expect(now - begun).toBe(50);
  });
});

describe("after the write", () => {
  it.each([
    ["lag", "30", 3, "show it"],
    ["lag for longer than the settle time", "1", 4, "never do"],
    ["are believed at once", "0", 1, "never do"],
  ])("waits for reads that %s", async (_, settle, count, end) => {
    const { live, calls, restore, lower } = begin(settle);
    live.readsBefore = end === "show it" ? count - 1 : Number.POSITIVE_INFINITY;
    if (end === "show it") await lower();
    else
      expect(await failureOf(lower())).toMatchObject({
        name: "UncheckedError",
        message: expect.stringMatching(/still show the role/),
      });
    const reads = Array.from({ length: count }, (_, index) => (index > 0 ? "read anew: false" : "read: false"));
    expect(calls.filter((one) => one.startsWith("read"))).toEqual(reads);
    expect(restore).not.toHaveBeenCalled();
  });

  /** Bea loses the role at the same time. */
  const race = ({ live, quorum, loss, restore }: ReturnType<typeof begin>) =>
    quorum.lower({ ...loss, restore }, async () => void live.able.splice(0));

  it("restores the role if nobody is left, and waits until reads show that", async () => {
    const world = begin();
    world.restore.mockImplementation(async () => {
      world.calls.push("restore");
      world.live.readsBefore = 1;
    });
    await expect(race(world)).rejects.toThrow(/would have been the last .* was restored/);
    expect(world.calls.slice(world.calls.indexOf("restore"))).toEqual(["restore", "read: true", "read anew: true"]);
  });

  it("names the reason of a failed restoration, which callers tell apart by its cause", async () => {
    const world = begin();
    const cause = new Error("No.");
    world.restore.mockRejectedValue(cause);
    expect(await failureOf(race(world))).toMatchObject({ cause, message: expect.stringMatching(/failed: No; make/) });
  });

  it("restores nothing if the command was cancelled", async () => {
    const { run, live, quorum, loss, restore } = begin();
    const cause = new Error("cancelled");
    const work = async () => {
      run.connections.limiter.stop();
      vi.spyOn(live.able, "includes").mockRejectedValue(cause as never);
      return "done";
    };
    const failure = await failureOf(quorum.lower({ ...loss, restore }, work));
    expect(failure).toMatchObject({ name: "UncheckedError", done: "done", cause });
    expect(restore).not.toHaveBeenCalled();
  });
});

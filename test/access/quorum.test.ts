import { describe, expect, it, onTestFinished, vi } from "vitest";
import { Quorum } from "../../provider/access/quorum";
import { Run } from "../../provider/run/run";
import { Settings } from "../../provider/run/settings";
import { TestClock } from "../support/clock";
import { failureOf } from "../support/failure";
import { shortenPauses } from "../support/fast-timers";

shortenPauses(50);

/** Ada loses the role. The list has Bea, unless the test changes it, and reads show a change after so many others. */
function begin(DOCS_SETTLE = "30") {
  const settings = new Settings({ DOCS_SETTLE });
  const run = new Run({ settings, patience: 100, clock: new TestClock(100_000), tell: () => {} });
  const calls: string[] = [];
  const live = { now: 0, busyUntil: -1, listed: ["bea"], able: ["bea", "cem"], outdatedReads: 0 };
  const date = vi.spyOn(Date, "now").mockImplementation(() => live.now);
  onTestFinished(() => void date.mockRestore());
  /** A refusal asks this after each of its pauses, so the clock moves here. */
  const isBusy = vi.spyOn(run.connections, "isBusy").mockImplementation(() => {
    live.now += 50;
    return live.now <= live.busyUntil;
  });
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
      live.outdatedReads -= 1;
      return live.outdatedReads < 0;
    },
  });
  const loss = { userIds: ["ada"], names: "Ada", refusal: "Ada is the last owner" };
  const restore = vi.fn(async () => void calls.push("restore"));
  const lower = (work: () => unknown = () => calls.push("write")) =>
    quorum.lower({ ...loss, restore }, async () => work());
  return { run, calls, live, isBusy, quorum, restore, lower };
}

it("counts on the same person after the write as before it, and reads the list anew before each write", async () => {
  const { live, calls, lower } = begin();
  await lower();
  await lower();
  const one = ["list anew", "confirm bea", "write", "read: false", "confirm bea"];
  // Nobody waits while somebody else has the role.
  expect([calls, live.now]).toEqual([[...one, ...one], 0]);
});

it("believes its own writes, and not the list, about who has got or lost the role", async () => {
  const { live, quorum, calls, lower } = begin();
  quorum.noteWrite("bea", false);
  await expect(lower()).rejects.toThrow("the last owner");
  live.listed = [];
  quorum.noteWrite("cem", true);
  await lower();
  expect(calls.filter((one) => one.startsWith("confirm"))).toEqual(["confirm cem", "confirm cem"]);
});

describe("before the last one loses the role", () => {
  it.each<[string, waited: number, calledAt: number, busyUntil: number]>([
    ["after its patience", 100, 0, -1],
    ["later if the engine calls something", 150, 30, -1],
    ["later if requests are made", 200, 0, 100],
  ])("refuses %s", async (_, waited, calledAt, busyUntil) => {
    const { run, calls, live, lower } = begin();
    Object.assign(live, { listed: [], busyUntil });
    run.calledAt = calledAt;
    await expect(lower()).rejects.toThrow("the last owner");
    expect([live.now, calls]).toEqual([waited, ["list anew", "list anew"]]);
  });

  it("waits for a change that gives the role and begins meanwhile, and no longer", async () => {
    const { live, isBusy, quorum, lower } = begin();
    live.listed = [];
    const work = async () => {
      for (let turn = 0; turn < 20; turn++) await Promise.resolve();
      live.listed = ["cem"];
    };
    isBusy.mockImplementationOnce(() => {
      void quorum.raise(work);
      return false;
    });
    await lower();
    expect(live.now).toBe(0);
  });
});

describe("after the write", () => {
  it.each([
    ["lag", "30", 3, "show it"],
    ["lag for longer than the settle time", "1", 4, "never do"],
    ["are believed at once", "0", 1, "never do"],
  ])("waits for reads that %s", async (_, settle, count, end) => {
    const { live, calls, restore, lower } = begin(settle);
    live.outdatedReads = end === "show it" ? count - 1 : Number.POSITIVE_INFINITY;
    if (end === "show it") await lower();
    else
      expect(await failureOf(lower())).toMatchObject({
        name: "UncheckedError",
        message: expect.stringMatching(/still show/),
      });
    const reads = Array.from({ length: count }, (_, index) => (index > 0 ? "read anew: false" : "read: false"));
    expect(calls.filter((one) => one.startsWith("read"))).toEqual(reads);
    expect(restore).not.toHaveBeenCalled();
  });

  it("restores the role if nobody is left, and waits until reads show that", async () => {
    const { live, calls, lower } = begin();

    await expect(lower(() => live.able.splice(0))).rejects.toThrow(/would have been the last .* was restored/);
    expect(calls.slice(calls.indexOf("restore"))).toEqual(["restore", "read: true"]);
  });

  it("names the reason of a failed restoration, and its cause", async () => {
    const { live, restore, lower } = begin();
    const cause = new Error("No.");
    restore.mockRejectedValue(cause);
    const failure = await failureOf(lower(() => live.able.splice(0)));
    expect(failure).toMatchObject({ cause, message: expect.stringMatching(/failed: No; make/) });
  });

  it("restores nothing if the command was cancelled", async () => {
    const { run, live, restore, lower } = begin();
    const cause = new Error("cancelled");
    const work = () => {
      run.connections.limiter.stop();
      vi.spyOn(live.able, "includes").mockRejectedValue(cause as never);
      return "done";
    };
    expect(await failureOf(lower(work))).toMatchObject({ name: "UncheckedError", done: "done", cause });
    expect(restore).not.toHaveBeenCalled();
  });
});

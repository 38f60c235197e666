import { expect, it } from "vitest";
import type { Context } from "../../provider/run/context";
import { Writes } from "../../provider/run/writes";

const now = new Date("2026-11-21T12:00:10Z");
const context = {
  client: { now: () => now },
  run: { clock: { now: () => now.getTime() }, settings: { settleTime: () => 30_000 } },
} as object as Context;
const recorded = (second: number, before: string) => ({
  at: now.getTime() / 1000 - 10 + second,
  was: { "member:user_ada": [before] },
});

it("of several states that record a write, the newest counts, and a write of the run more than any", () => {
  for (const order of [
    [recorded(1, "create"), recorded(4, "admin")],
    [recorded(4, "admin"), recorded(1, "create")],
  ]) {
    const writes = new Writes(context);
    for (const one of order) writes.restore(one);
    expect(["admin", "create"].map((role) => writes.isOld("member:user_ada", role))).toEqual([true, false]);
    writes.note("member:user_ada", "create", "edit");
    writes.restore(recorded(11, "review"));
    expect(["create", "review"].map((role) => writes.isOld("member:user_ada", role))).toEqual([true, false]);
  }
});

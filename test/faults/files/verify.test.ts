import fc from "fast-check";
import { expect, it } from "vitest";
import { readPlan, writePlan } from "../../../provider/access/plan-file";
import { readPreview } from "../../../provider/review/model/preview";
import { planOf } from "../../../provider/review/plan/plan";
import { verify } from "../../../provider/review/plan/verification";
import { reviewOf } from "../../../provider/review/review";
import { holds } from "../cases";
import { type Effect, effectsOf, pairs, printed, type RandomPreview, takes } from "./previews";

const reviewIn = (pair: RandomPreview) => reviewOf(readPreview(printed(pair), "a preview"), { organizationId: "acme" });
const planIn = (pair: RandomPreview) => readPlan(writePlan(planOf(reviewIn(pair))), "plan.json");

/** The changes of access that the review shows, by person and place, with the level after the change. */
function shownIn(pair: RandomPreview): string[] {
  return reviewIn(pair).people.flatMap(({ userId, id, access }) =>
    access.flatMap(({ effect, place, after }) => {
      const person = /\d/.exec(userId ?? id)?.[0];
      return effect === "none" ? [] : [`${place.kind} of ${person}: ${after}`];
    }),
  );
}

/** The state has ids only, and the program e-mails. Nothing links them, so the review shows an e-mail as another person. */
const isUnlinked = ({ live, declared }: RandomPreview): boolean => declared.byEmail && !live.byEmail;

function passes(reviewed: RandomPreview, fresh: RandomPreview): boolean {
  const { unreviewed, obstacles, incomparable } = verify(planIn(reviewed), planIn(fresh));
  return unreviewed.length + obstacles.length + incomparable.length === 0;
}

/** Whether the review has shown the change: the same level after it, and a loss only if it is one (if the level before was known). */
function wasShown(one: Effect, shown: Effect | undefined): boolean {
  return shown?.after === one.after && (shown.before === "unmanaged" || takes(shown) === takes(one));
}

it("compares reviews that show exactly the changes of access of their previews", async () => {
  await holds(
    { title: "random previews", cases: 500 },
    fc.property(pairs, ([pair]) => {
      fc.pre(!isUnlinked(pair));
      const access = [...effectsOf(pair)].filter(([what]) => !what.startsWith("site"));
      expect(shownIn(pair).sort()).toEqual(access.map(([what, { after }]) => `${what}: ${after}`).sort());
    }),
  );
});

it("passes only if a preview does nothing that the reviewed one did not show", async () => {
  let [passed, doing] = [0, 0];
  const counts = () => `, ${passed} passed, ${doing} of them with changes of access`;
  await holds(
    { title: "random pairs of previews", cases: 500, counts },
    fc.property(pairs, ([reviewed, fresh]) => {
      expect(passes(reviewed, reviewed)).toBe(true);
      if (!passes(reviewed, fresh)) return;
      passed++;
      const [shown, done] = [effectsOf(reviewed), effectsOf(fresh)];
      if (done.size > 0) doing++;
      // The model does not know how the review reads people who are not linked.
      const told = isUnlinked(reviewed) ? shownIn(reviewed) : [];
      const unseen = [...done].filter(
        ([what, effect]) => !wasShown(effect, shown.get(what)) && !told.includes(`${what}: ${effect.after}`),
      );
      expect(unseen).toEqual([]);
    }),
  );
});

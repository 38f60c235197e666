import fc from "fast-check";
import { expect, it } from "vitest";
import { isCi } from "../../scripts/ci";
import { Choices } from "../access-plan/random-inputs";
import { counts, disagreements } from "./differential";
import { describeWorld, driftFrom, worldFrom } from "./worlds";

/** Each second world is the one before it, after changes by hand. `npm run test:differential` tries as many as CI. */
const worlds = Number(process.env.DIFFERENTIAL_CASES ?? (isCi() ? 50_000 : 5_000));
/** Of how many pairs of worlds one is compared with its review and with verify, too. */
const pairsPerReview = Number(process.env.DIFFERENTIAL_PAIRS_PER_REVIEW ?? 8);
const { DIFFERENTIAL_SEED = "1", DIFFERENTIAL_PATH, DIFFERENTIAL_SHRINK } = process.env;

/** Each number is one choice. It is below 240, which most numbers of alternatives divide, so these are equally likely. */
const choiceLists = fc.noBias(fc.array(fc.nat(239), { minLength: 60, maxLength: 260, size: "max" }));

it("lets the program and the model say the same about random worlds", { timeout: 3_600_000 }, () => {
  const property = fc.property(choiceLists, (list) => {
    const choices = new Choices(list);
    const world = worldFrom(choices);
    const later = driftFrom(choices, world);
    const withReviews = DIFFERENTIAL_PATH !== undefined || counts.worlds % (2 * pairsPerReview) === 0;
    const found = disagreements(world, later, withReviews);
    if (found.length > 0) throw new Error([...found, describeWorld(world), "later:", describeWorld(later)].join("\n"));
  });
  const { failed, counterexamplePath, errorInstance } = fc.check(property, {
    numRuns: DIFFERENTIAL_PATH ? 1 : worlds / 2,
    seed: Number(DIFFERENTIAL_SEED),
    ...(DIFFERENTIAL_PATH && { path: DIFFERENTIAL_PATH }),
    // The search for a smaller case takes minutes.
    endOnFailure: !DIFFERENTIAL_SHRINK,
  });
  const { accepted, changes, reviews, unreviewed } = counts;
  process.stdout.write(
    `differential: ${counts.worlds} worlds, ${accepted} accepted, ${changes} changes, ${reviews} reviews, ${unreviewed} changes not in the plan, seed ${DIFFERENTIAL_SEED}\n`,
  );
  const replay = `DIFFERENTIAL_SEED=${DIFFERENTIAL_SEED} DIFFERENTIAL_PATH=${counterexamplePath} npm run test:differential`;
  if (failed) expect.fail([replay, (errorInstance as Error).message].join("\n"));
  expect(accepted).toBeGreaterThan(worlds / 8);
});

import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { isCi } from "../../scripts/ci";
import {
  type Choose,
  countOrders,
  exploreAtRandom,
  exploreSchedules,
  type ScheduledStep,
  useScheduler,
} from "./scheduler";
import { prepareWorld, type ScheduledWorld } from "./worlds";

useScheduler();

const people = { ada: "admin", bea: "admin", cem: "edit", dan: "read" };
const team_a = { cem: "owner", dan: "owner", ada: "member" };

const worlds: readonly ScheduledWorld[] = [
  {
    title: "one run hands the role over, is killed anywhere, and begins again",
    live: { roles: { ada: "admin", cem: "edit" } },
    before: { roles: { ada: "admin", cem: "edit" } },
    runs: { A: { roles: { ada: "edit", cem: "admin" } } },
    kills: 1,
    orders: "all",
    promise: "after every step",
  },
  {
    title: "one run hands the role over, and two reads are older than its writes",
    live: { roles: { ada: "admin", cem: "edit" } },
    before: { roles: { ada: "admin", cem: "edit" } },
    runs: { A: { roles: { ada: "edit", cem: "admin" } } },
    oldReads: 2,
    orders: "all",
    promise: "after every step",
  },
  {
    title: "one run lowers an administrator, and a person lowers the other one",
    live: { roles: people },
    before: { roles: { ada: "admin", bea: "admin" } },
    runs: { A: { roles: { ada: "edit", bea: "admin" } } },
    hand: { bea: "read" },
    orders: "all",
    promise: "in the end",
  },
  {
    title: "two runs of both hosts lower one administrator each",
    live: { roles: people },
    before: { roles: { ada: "admin", bea: "admin" } },
    runs: { A: { roles: { ada: "edit", bea: "admin" } }, b: { roles: { ada: "admin", bea: "edit" } } },
    orders: "all",
    promise: "in the end",
    story: [
      "A looks at ada",
      "A looks at bea",
      "b looks at ada",
      "b looks at bea",
      "A lists the administrators",
      "b lists the administrators",
      "A looks at bea",
      "b looks at ada",
      "A makes ada edit",
      "b makes bea edit",
    ],
  },
  {
    title: "two runs of both hosts lower one administrator each, and one is killed",
    live: { roles: people },
    before: { roles: { ada: "admin", bea: "admin" } },
    runs: { A: { roles: { ada: "edit", bea: "admin" } }, b: { roles: { ada: "admin", bea: "edit" } } },
    kills: 1,
    orders: "random",
    promise: "in the end",
  },
  {
    title: "two runs lower one owner of a team each",
    live: { roles: people, team_a },
    before: { team_a },
    runs: { A: { team_a: { ...team_a, cem: "member" } }, b: { team_a: { ...team_a, dan: "member" } } },
    orders: "all",
    promise: "in the end",
  },
  {
    title: "one run lowers an owner and removes a member, and a person removes the other owner",
    live: { roles: people, team_a },
    before: { team_a },
    runs: { A: { team_a: { cem: "member", dan: "owner" } } },
    hand: { "team_a dan": "none" },
    orders: "all",
    promise: "in the end",
  },
  {
    title: "two runs and a person change roles and teams of four people, with older reads, and one run is killed",
    live: { roles: people, team_a, team_b: { bea: "owner", cem: "member" } },
    before: { roles: people, team_a, team_b: { bea: "owner", cem: "member" } },
    runs: {
      A: { roles: { ada: "edit", bea: "admin", cem: "admin", dan: "read" }, team_a: { cem: "member", dan: "owner" } },
      b: {
        roles: { ada: "admin", bea: "edit", cem: "edit", dan: "guest" },
        team_a: { cem: "owner", ada: "member" },
        team_b: { cem: "owner" },
      },
    },
    hand: { bea: "read" },
    kills: 1,
    oldReads: 1,
    orders: "random",
    promise: "in the end",
  },
  {
    title: "a site is created by a run that is killed anywhere, and begins again",
    live: { roles: { ada: "admin" } },
    runs: { A: { site: "Handbook" } },
    kills: 1,
    orders: "all",
    promise: "after every step",
  },
];

/** Seconds for each world of which not all orders are tried, with more of them in CI. With EVERY_SCHEDULE=1, all are. */
const { SCHEDULES_SECONDS = isCi() ? "2" : "0.5", SCHEDULES_SEED = "1" } = process.env;
/** The choices of one schedule, by their places in the lists of steps. */
const path = process.env.SCHEDULES_PATH?.split(".").map(Number);

it.each(worlds.map((world) => [world.title, world] as const))("%s", { timeout: 3_700_000 }, async (title, world) => {
  const execute = await prepareWorld(world);
  const [start, cpu] = [performance.now(), process.cpuUsage().user];
  const sum = { steps: 0, orders: 0, without: 0, shortest: [] as readonly string[] };
  const attempt = async (choose: Choose) => {
    const choices: number[] = [];
    const taken: ScheduledStep[] = [];
    let isEarly = false;
    const { trace, mistakes, withoutAt } = await execute((all) => {
      const step = choose(all);
      if (step) {
        choices.push(all.indexOf(step));
        taken.push(step);
      } else isEarly = true;
      return step;
    });
    sum.steps += trace.length;
    const story = trace.map(({ sentence }) => sentence);
    const [at] = withoutAt;
    const orders = isEarly ? 0 : countOrders(taken);
    sum.orders += orders;
    if (at !== undefined) sum.without += orders;
    if (at !== undefined && (sum.shortest.length === 0 || at < sum.shortest.length)) sum.shortest = story.slice(0, at);
    const replay = `SCHEDULES_PATH=${choices.join(".")} npm run test:schedules -- -t "^${title}$"`;
    if (mistakes.length > 0) expect.fail([...mistakes, ...story, replay].join("\n"));
  };
  if (path) return attempt((all) => all[path.shift() ?? 0]);
  const isOver = () => performance.now() - start > Number(SCHEDULES_SECONDS) * 1000;
  const isAll = world.orders === "all" || process.env.EVERY_SCHEDULE !== undefined;
  const { schedules, abandoned } = isAll
    ? await exploreSchedules(attempt)
    : await exploreAtRandom(attempt, isOver, Number(SCHEDULES_SEED));
  const each = ((process.cpuUsage().user - cpu) / 1000 / (schedules + abandoned)).toFixed(1);
  process.stdout.write(
    `${title}: ${isAll ? `all ${sum.orders} orders by` : "random orders:"} ${schedules} schedules (${abandoned} ended early), ${sum.steps} steps, ${each} ms of CPU each\n`,
  );
  if (sum.shortest.length > 0)
    process.stdout.write(
      `  nobody is administrator or owner for a moment${isAll ? ` in ${sum.without} orders` : ""}, first after:\n    ${sum.shortest.join("\n    ")}\n`,
    );
  if (!world.story) return;
  expect(sum.shortest).toEqual(world.story);
  const numbers = [sum.without, sum.orders].map((one) => one.toLocaleString("en"));
  expect(readFileSync("docs/concepts/how-we-know.md", "utf8")).toContain(numbers.join(" of the "));
});

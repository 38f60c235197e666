import {
  type Change,
  decide,
  type File,
  type Id,
  isLower,
  isReviewed,
  type Level,
  type Live,
  type State,
} from "./model";

/** Runs act on a service, step by step; a person changes things by hand; a run is killed and begins again; reads may be old. */

/** What is true of the service and its use. Each one that is not given allows further steps. */
export interface Assumptions {
  readonly oneRunAtATime: boolean;
  readonly nobodyByHand: boolean;
  /** A read of one person, or of one object, is never older than the last write. Lists may be. */
  readonly singleReadsAreFresh: boolean;
  /** A run that has taken the role of an administrator looks once more before it is killed. */
  readonly noKillBeforeTheLook: boolean;
}

export const promises = [
  "somebody is administrator after every step",
  "no write that the plan does not list",
  "nobody managed elsewhere is touched",
  "when everything is quiet, live equals declared",
  "nothing is created twice",
] as const;
type Promise = (typeof promises)[number];

interface Run {
  readonly name: string;
  /** What the run does next. `look`: whether somebody else is administrator; `check`: the same once more, after the write. */
  readonly next: "read" | "look" | "write" | "check" | "find" | "create" | "record" | "end" | "refused";
  readonly todo: readonly Change[];
  readonly lowered?: Id;
}

interface Situation {
  readonly live: Live;
  /** What old reads show. */
  readonly past: Live;
  readonly objects: readonly string[];
  readonly recorded: boolean;
  readonly runs: readonly Run[];
  readonly hand: boolean;
  readonly killed: boolean;
  readonly old: number;
}

export interface Case {
  readonly live: Live;
  readonly state: State;
  readonly files: Readonly<Record<string, File>>;
  readonly hand: Change;
}

const begin = (name: string): Run => ({ name, next: "read", todo: [] });
const set = (live: Live, person: Id, level: Level): Live => ({
  ...live,
  levels: { role: { ...live.levels.role, [person]: level } },
});
const admins = ({ people, levels }: Live) =>
  people.filter(({ id, disabled }) => !disabled && levels.role?.[id] === "admin");
const takesRole = ({ before, after }: Change) => before === "admin" && after !== "admin";
/** Raises come first, and administrators lose the role last. */
const inOrder = (changes: readonly Change[]) => {
  const rank = (one: Change) => (takesRole(one) ? 2 : Number(isLower(one.after, one.before)));
  return [...changes].sort((a, b) => rank(a) - rank(b));
};

/** The shortest way in which each promise is broken, of all ways in which the case can go. */
export function explore({ live, state, files, hand }: Case, assumptions: Assumptions) {
  const planned = new Map(Object.entries(files).map(([name, file]) => [name, decide({ file, state, live }).changes]));
  const names = Object.keys(files).slice(0, assumptions.oneRunAtATime ? 1 : undefined);
  const start: Situation = {
    live,
    past: live,
    objects: [],
    recorded: false,
    runs: names.map(begin),
    hand: false,
    killed: false,
    old: 0,
  };
  const broken = new Map<Promise, readonly string[]>();
  const seen = new Set([JSON.stringify(start)]);
  const queue: [Situation, readonly string[]][] = [[start, []]];
  for (let entry = queue.shift(); entry; entry = queue.shift()) {
    const [situation, story] = entry;
    for (const [text, after, mistakes] of stepsOf(situation)) {
      const told = [...story, text];
      for (const one of mistakes) if (!broken.has(one)) broken.set(one, told);
      const key = JSON.stringify(after);
      if (!seen.has(key)) queue.push([after, told]);
      seen.add(key);
    }
  }
  return { situations: seen.size, broken };

  function stepsOf(now: Situation): [string, Situation, Promise[]][] {
    const byHand = (): [string, Situation, Promise[]] => {
      const after = { ...now, past: now.live, live: set(now.live, hand.person, hand.after), hand: true };
      // The promise is about runs: a person may take the role from the last administrator, if no run has just taken it from the others.
      const isOwnFault = !now.runs.some(({ lowered }) => lowered);
      return [
        `by hand: ${hand.person} becomes ${hand.after}`,
        after,
        admins(after.live).length > 0 || isOwnFault ? [] : [promises[0]],
      ];
    };
    const steps = now.runs.flatMap((run) => stepsOfRun(now, run));
    const kills = now.killed
      ? []
      : now.runs.filter(
          ({ next, lowered }) => !["end", "refused"].includes(next) && !(lowered && assumptions.noKillBeforeTheLook),
        );
    return [
      ...steps,
      ...(assumptions.nobodyByHand || now.hand ? [] : [byHand()]),
      ...kills.map((run): [string, Situation, Promise[]] => [
        `${run.name} is killed, and begins again`,
        { ...withRun(now, begin(run.name)), killed: true },
        [],
      ]),
    ];
  }

  function stepsOfRun(now: Situation, run: Run): [string, Situation, Promise[]][] {
    const { name, todo, lowered = "" } = run;
    const [change, ...rest] = todo;
    const go = (
      text: string,
      next: Partial<Run>,
      more: Partial<Situation> = {},
      mistakes: Promise[] = [],
    ): [string, Situation, Promise[]] => [
      `${name} ${text}`,
      { ...withRun(now, { ...run, ...next }), ...more },
      mistakes,
    ];
    const after = (left: readonly Change[]): Run["next"] =>
      left[0] ? (takesRole(left[0]) ? "look" : "write") : "find";
    /** A read, and the same read with an old answer. */
    const reading = (
      text: string,
      isSingle: boolean,
      then: (seen: Live, is: string) => [string, Situation, Promise[]],
    ) => {
      const isOld = now.old < 2 && now.past !== now.live && !(isSingle && assumptions.singleReadsAreFresh);
      const [fresh, old] = [then(now.live, text), isOld ? then(now.past, `${text} (old)`) : undefined];
      return old ? [fresh, [old[0], { ...old[1], old: now.old + 1 }, old[2]] as typeof old] : [fresh];
    };
    if (run.next === "read")
      return reading("reads who has what", false, (seen, is) => {
        const { changes, refusals } = decide({ file: files[name] as File, state, live: seen });
        const ordered = inOrder(changes);
        return refusals.length > 0
          ? go(`${is} and refuses`, { next: "refused" })
          : go(is, { todo: ordered, next: after(ordered) });
      });
    if (run.next === "look")
      return reading("looks whether somebody else is administrator", true, (seen, is) =>
        admins(seen).some(({ id }) => id !== change?.person)
          ? go(is, { next: "write" })
          : go(`${is}, and refuses`, { next: "refused" }),
      );
    if (run.next === "write" && change) {
      const before = now.live.levels.role?.[change.person] ?? "none";
      if (before === change.after)
        return [go(`has nothing to do for ${change.person}`, { todo: rest, next: after(rest) })];
      // The plan is compared with what the run has read, because no write of the service has a condition.
      if (!isReviewed(planned.get(name) ?? [], change))
        return [go(`refuses ${change.person}: not in the plan`, { next: "refused" })];
      const live = set(now.live, change.person, change.after);
      const next = takesRole(change) ? { lowered: change.person, next: "check" as const } : { next: after(rest) };
      return [
        go(
          `makes ${change.person} ${change.after}`,
          { ...next, todo: rest },
          { live, past: now.live },
          mistakesOf(now, change, live),
        ),
      ];
    }
    if (run.next === "check")
      return reading("looks again", true, (seen, is) => {
        const { lowered: _, ...checked } = run;
        if (admins(seen).length > 0) return [`${name} ${is}`, withRun(now, { ...checked, next: after(todo) }), []];
        const live = set(now.live, lowered, "admin");
        return [
          `${name} ${is}, and gives ${lowered} the role back`,
          { ...withRun(now, { ...checked, next: "refused" }), live, past: now.live },
          [],
        ];
      });
    const isFound = now.objects.length > 0;
    if (run.next === "find" && now.recorded) return [go("ends", { next: "end" }, {}, mistakesAtEnd(now, run))];
    if (run.next === "find")
      return [
        isFound
          ? go("finds the object, and refuses", { next: "refused" })
          : go("finds no such object", { next: "create" }),
      ];
    if (run.next === "create")
      return [
        go("creates the object", { next: "record" }, { objects: [...now.objects, name] }, isFound ? [promises[4]] : []),
      ];
    if (run.next === "record")
      return [go("records the object, and ends", { next: "end" }, { recorded: true }, mistakesAtEnd(now, run))];
    return [];
  }

  function mistakesOf(now: Situation, change: Change, live: Live): Promise[] {
    const isListed = [...planned.values()].some((plan) =>
      plan.some((one) => one.person === change.person && one.after === change.after),
    );
    return [
      ...(admins(live).length === 0 ? [promises[0]] : []),
      ...(isListed ? [] : [promises[1]]),
      ...(state.elsewhere.includes(change.person) && now.live !== live ? [promises[2]] : []),
    ];
  }

  /** A run alone that ends, and nobody has changed anything by hand. */
  function mistakesAtEnd(now: Situation, { name }: Run): Promise[] {
    const isQuiet = now.runs.length === 1 && !now.hand && now.old === 0;
    return isQuiet && decide({ file: files[name] as File, state, live: now.live }).changes.length > 0
      ? [promises[3]]
      : [];
  }
}

const withRun = (now: Situation, run: Run): Situation => ({
  ...now,
  runs: now.runs.map((one) => (one.name === run.name ? run : one)),
});

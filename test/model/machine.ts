import { type Change, decide, type Id, isLower, isReviewed, type Live, type ModelFile, type State } from "./model";

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

interface Run {
  readonly name: string;
  /** What the run does next. `look`: whether somebody else is administrator; `check`: the same once more, after the write. */
  readonly next: "read" | "look" | "write" | "check" | "find" | "create" | "record" | "end" | "refused";
  readonly todo: readonly Change[];
  /** The person whose role the run has taken, until it has looked again. */
  readonly lowered?: Id | undefined;
}

interface Situation {
  readonly live: Live;
  /** What old reads show. */
  readonly past: Live;
  readonly objects: number;
  readonly recorded: boolean;
  readonly runs: readonly Run[];
  readonly hand: boolean;
  readonly killed: boolean;
  readonly old: number;
}
type Step = readonly [happens: string, after: Situation];

export interface Case {
  readonly live: Live;
  readonly state: State;
  readonly files: Readonly<Record<string, ModelFile>>;
  readonly hand: Change;
}

const begin = (name: string): Run => ({ name, next: "read", todo: [], lowered: undefined });
const set = (live: Live, { person, after }: Pick<Change, "person" | "after">): Live => ({
  ...live,
  levels: { role: { ...live.levels.role, [person]: after } },
});
const admins = ({ people, levels }: Live) =>
  people.filter(({ id, disabled }) => !disabled && levels.role?.[id] === "admin");
const takesRole = ({ before, after }: Change) => before === "admin" && after !== "admin";
/** Raises come first, and administrators lose the role last. */
const rank = (one: Change) => (takesRole(one) ? 2 : Number(isLower(one.after, one.before)));
const inOrder = (changes: readonly Change[]) => [...changes].sort((a, b) => rank(a) - rank(b));
const nextOf = ([change]: readonly Change[]) => {
  if (!change) return "find";
  return takesRole(change) ? "look" : "write";
};
const withRun = (now: Situation, run: Run, to: Partial<Run>): Situation => {
  return { ...now, runs: now.runs.map((one) => (one === run ? { ...run, ...to } : one)) };
};

/** The shortest way in which each promise is broken, of all ways in which the case can go. */
export function exploreModel({ live, state, files, hand }: Case, assumptions: Assumptions) {
  const changesOf = (name: string, seen: Live) => decide({ file: files[name] as ModelFile, state, live: seen });
  const plans = new Map(Object.keys(files).map((name) => [name, changesOf(name, live)]));
  const runs = [...plans.keys()].slice(0, assumptions.oneRunAtATime ? 1 : undefined).map(begin);
  const start: Situation = { live, past: live, objects: 0, recorded: false, runs, hand: false, killed: false, old: 0 };
  const broken = new Map<string, readonly string[]>();
  const seen = new Set([JSON.stringify(start)]);
  const queue: [Situation, readonly string[]][] = [[start, []]];
  for (const [now, story] of queue)
    for (const [text, after] of stepsOf(now)) {
      const told = [...story, text];
      for (const one of brokenBy(now, after)) if (!broken.has(one)) broken.set(one, told);
      const key = JSON.stringify(after);
      if (!seen.has(key)) queue.push([after, told]);
      seen.add(key);
    }
  return { situations: seen.size, broken };

  function* stepsOf(now: Situation): Generator<Step> {
    for (const run of now.runs) {
      yield* stepsOfRun(now, run);
      const mayBeKilled = !["end", "refused"].includes(run.next) && !(run.lowered && assumptions.noKillBeforeTheLook);
      if (mayBeKilled && !now.killed)
        yield [`${run.name} is killed, and begins again`, { ...withRun(now, run, begin(run.name)), killed: true }];
    }
    if (!assumptions.nobodyByHand && !now.hand)
      yield [`by hand: ${hand.person} becomes ${hand.after}`, { ...write(now, hand), hand: true }];
  }

  function write(now: Situation, change: Pick<Change, "person" | "after">): Situation {
    return { ...now, past: now.live, live: set(now.live, change) };
  }

  function* stepsOfRun(now: Situation, run: Run): Generator<Step> {
    const { name, next, lowered } = run;
    const [change, ...rest] = run.todo;
    const does = (text: string, to: Partial<Run>, after = now): Step => [`${name} ${text}`, withRun(after, run, to)];
    const refuses = (text: string, after = now): Step => does(text, { next: "refused", lowered: undefined }, after);
    /** A read shows what is there, or what was there before the last write. The run goes on, or refuses. */
    function* reads(text: string, isSingle: boolean, goesOn: (shown: Live) => Partial<Run> | false): Generator<Step> {
      const mayBeOld = now.old < 2 && now.past !== now.live && !(isSingle && assumptions.singleReadsAreFresh);
      for (const old of mayBeOld ? [0, 1] : [0]) {
        const [said, after] = [old ? `${text} (old)` : text, { ...now, old: now.old + old }];
        const goal = goesOn(old ? now.past : now.live);
        const back = lowered && { person: lowered, after: "admin" as const };
        if (goal) yield does(said, goal, after);
        else if (!back) yield refuses(`${said}, and refuses`, after);
        else yield refuses(`${said}, and gives ${back.person} the role back`, write(after, back));
      }
    }
    if (next === "read")
      yield* reads("reads who has what", false, (shown) => {
        const todo = inOrder(changesOf(name, shown));
        return admins(todo.reduce(set, shown)).length > 0 && { todo, next: nextOf(todo) };
      });
    else if (next === "look")
      yield* reads("looks whether somebody else is administrator", true, (shown) => {
        return admins(shown).some(({ id }) => id !== change?.person) && { next: "write" };
      });
    else if (next === "check")
      yield* reads("looks again", true, (shown) => {
        return admins(shown).length > 0 && { next: nextOf(run.todo), lowered: undefined };
      });
    else if (next === "write" && change) {
      const done: Partial<Run> = { todo: rest, next: nextOf(rest) };
      if ((now.live.levels.role?.[change.person] ?? "none") === change.after)
        yield does(`has nothing to do for ${change.person}`, done);
      // The plan is compared with what the run has read, because no write of the service has a condition.
      else if (!isReviewed(plans.get(name) ?? [], change)) yield refuses(`refuses ${change.person}: not in the plan`);
      else {
        const look: Partial<Run> = takesRole(change) ? { next: "check", lowered: change.person } : {};
        yield does(`makes ${change.person} ${change.after}`, { ...done, ...look }, write(now, change));
      }
    } else if (next === "find" && now.recorded) yield does("ends", { next: "end" });
    else if (next === "find" && now.objects > 0) yield refuses("finds the object, and refuses");
    else if (next === "find") yield does("finds no such object", { next: "create" });
    else if (next === "create")
      yield does("creates the object", { next: "record" }, { ...now, objects: now.objects + 1 });
    else if (next === "record") yield does("records the object, and ends", { next: "end" }, { ...now, recorded: true });
  }

  function brokenBy(now: Situation, after: Situation): string[] {
    const rolesAfter = after.live.levels.role ?? {};
    const written = Object.keys(rolesAfter).find((id) => rolesAfter[id] !== now.live.levels.role?.[id]);
    const byRun = after.hand === now.hand ? written : undefined;
    const isListed = [...plans.values()].flat().some((one) => one.person === byRun && one.after === rolesAfter[byRun]);
    const isGivenBack = now.runs.some(({ lowered }) => lowered === byRun);
    const ended = after.runs.find((one, index) => one.next === "end" && now.runs[index]?.next !== "end");
    // A run alone, with fresh reads, and nobody has changed anything by hand.
    const isQuiet = after.runs.length === 1 && !after.hand && after.old === 0;
    // A person may take the role from the last administrator, if no run has just taken it from the others.
    const isNobody = written !== undefined && admins(after.live).length === 0 && after.runs.some((one) => one.lowered);
    const mistakes = [
      isNobody,
      byRun !== undefined && !isListed && !isGivenBack,
      byRun !== undefined && state.elsewhere.includes(byRun),
      isQuiet && ended !== undefined && changesOf(ended.name, after.live).length > 0,
      after.objects > 1 && after.objects > now.objects,
    ];
    return promises.filter((_, index) => mistakes[index]);
  }
}

import { expect, it } from "vitest";
import { type Assumptions, type Case, exploreModel, promises } from "./machine";
import type { Level, ModelFile } from "./model";

const person = (name: string) => ({ id: name, email: `${name}@acme.test` });
const roles: Record<string, Level> = { ada: "admin", bea: "admin", cem: "read", dan: "edit" };
const fileOf = (levels: Record<string, Level>): ModelFile => ({
  teams: {},
  others: "guest",
  lines: Object.entries(levels).map(([name, level]) => ({ name, level })),
});

/** Two people who administer, one who is raised, and one whose role another resource manages. */
const small: Case = {
  live: { people: Object.keys(roles).map(person), levels: { role: roles } },
  state: { roles: [], teams: {}, elsewhere: ["dan"] },
  files: {
    A: fileOf({ ada: "edit", bea: "admin", cem: "edit" }),
    B: fileOf({ ada: "admin", bea: "edit", cem: "read" }),
  },
  hand: { place: "role", person: "bea", before: "admin", after: "read" },
};

const all: Assumptions = {
  oneRunAtATime: true,
  nobodyByHand: true,
  singleReadsAreFresh: true,
  noKillBeforeTheLook: true,
};
const without = (...dropped: (keyof Assumptions)[]) => ({
  ...all,
  ...Object.fromEntries(dropped.map((one) => [one, false])),
});

const [administrator, twice] = [promises[0], promises[4]];
/** Both runs only create the same object. */
const sameObject = { ...small, files: { A: fileOf(roles), B: fileOf(roles) } };

it.each<[assumptions: Assumptions, broken: string[], brokenForAnObject: string[]]>([
  [all, [], []],
  [without("noKillBeforeTheLook", "singleReadsAreFresh"), [], []],
  [without("nobodyByHand"), [administrator], []],
  [without("oneRunAtATime"), [administrator], [twice]],
])("keeps every promise but those that need an assumption: %j", (assumptions, ...expected) => {
  for (const [index, one] of [small, sameObject].entries()) {
    const { situations, broken } = exploreModel(one, assumptions);
    const stories = [...broken].map(([promise, story]) => `  not always: ${promise}:\n    ${story.join("\n    ")}\n`);
    const given = Object.entries(assumptions).flatMap(([name, isGiven]) => (isGiven ? name : []));
    process.stdout.write(`model, with ${given.join(", ")}: ${situations} situations\n${stories.join("")}`);
    expect([...broken.keys()]).toEqual(expected[index]);
  }
});

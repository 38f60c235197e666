import type { Plan, PlannedAccess } from "../../access/plan-file";
import { isPartOf } from "../../access-plan/change";
import { idAmong } from "../../people/user";
import { plain } from "../../text/safe-text";
import { levelWords, placeWords } from "../model/sentences";

/** Finds changes of a plan by person and place. A person is the same by id, and by e-mail if one side has no id. */
export class AccessIndex {
  private readonly known = new Map<string, PlannedAccess[]>();

  constructor(access: readonly PlannedAccess[]) {
    for (const one of access) {
      for (const name of storedNames(one)) {
        const key = keyOf(one, name);
        this.known.set(key, [...(this.known.get(key) ?? []), one]);
      }
    }
  }

  has(one: PlannedAccess): boolean {
    const isIn = (meaning: PlannedAccess) => (whole: PlannedAccess) =>
      one.change === "accepted" || isPartOf(meaning, whole);
    return one.user.keys.some((name) =>
      meaningsOf(one).some((meaning) => this.known.get(keyOf(meaning, name))?.some(isIn(meaning))),
    );
  }
}

/** What was reviewed as a change and is accepted now was done meanwhile, for example by an interrupted up. */
function meaningsOf(one: PlannedAccess): PlannedAccess[] {
  const { end: _, ...rest } = one;
  return one.change === "accepted" ? doing.map((change) => ({ ...rest, change })) : [one];
}

const doing = ["gains", "loses", "changes", "accepted"] as const;

const keyOf = ({ place, change, after, end, options, hidden }: PlannedAccess, name: string): string =>
  JSON.stringify([place.kind, place.team, place.organization, change, after, end, options, hidden, name]);

/** Marks the e-mails of a person with an id: a change of another id must not match them. */
function storedNames({ user: { keys } }: PlannedAccess): string[] {
  const id = idAmong(keys);
  return id === undefined ? [...keys] : keys.map((key) => (key === id ? key : withId + key));
}

/** No name begins with a space. */
const withId = " ";

const titles: Readonly<Record<PlannedAccess["change"], string>> = {
  gains: "gain    ",
  loses: "loss    ",
  changes: "change  ",
  left: "change  ",
  accepted: "change  ",
  end: "change  ",
  options: "change  ",
};

/** One line for a list. The place has its organization if the plan is about several. */
export const lineOfAccess =
  ({ organizations }: Pick<Plan, "organizations">) =>
  (one: PlannedAccess): string =>
    `${titles[one.change]}  ${whoOf(one)}: ${outcomeOf(one, organizations)}`;

function whoOf({ user: { keys } }: PlannedAccess): string {
  const subject = idAmong(keys) ?? keys[0] ?? "";
  const others = keys.filter((key) => key !== subject);
  // Without the mark of a hidden person.
  return others.length > 0 ? `${subject} (${others.join(", ")})` : subject.replace(/^\?/, "");
}

function outcomeOf(one: PlannedAccess, organizations: readonly string[]): string {
  const { place, after, change, end = "", options = "{}" } = one;
  const where = placeWords(place, { organizations, teams: {} });
  const level = plain([...where, " ", ...levelWords(after, place.kind)]);
  if (change === "left") return `${level}, no longer managed`;
  if (change === "accepted") return `${level}, as it was changed by hand`;
  if (change === "end") return `${plain(where)}: granted ${end}`;
  if (change !== "options") return `${level} ${end}`.trimEnd();
  return `${plain(where)}: ${options === "{}" ? "declared without release options" : `declared with ${options}`}`;
}

import { isLower } from "../access-plan/place";
import { covers, type HeldAccess, type Sheet, type SheetRow } from "./sheet";

export interface SheetFinding {
  readonly kind: SheetFindingKind;
  readonly person: HeldAccess;
  /** The level at the service; omitted if the person has nothing there. */
  readonly now?: string | undefined;
  readonly row?: SheetRow;
}

/**
 * `undecided`: the row has no decision. `open`: decided, and not yet so at the service. `raised`: the person has more than the row
 * says. `new`: the sheet has no row for the access. `done`: the service has what was decided. `left`: the person has less than was decided;
 * without a decision, nothing is left to decide on.
 */
export type SheetFindingKind = "undecided" | "open" | "raised" | "new" | "done" | "left";

/** Whether a review with such a finding is not finished. */
export const isUnfinished = ({ kind }: SheetFinding): boolean => kind !== "done" && kind !== "left";

/** Compares a sheet with what people have at the service. */
export function compareSheet(sheet: Sheet, live: readonly HeldAccess[]): SheetFinding[] {
  const levels = new Map(live.map((one) => [keyOf(one), one.level]));
  const rows = new Set(sheet.rows.map(keyOf));
  return [
    ...sheet.rows.map((row): SheetFinding => {
      const now = levels.get(keyOf(row));
      return { kind: kindOf(row, now), person: row, row, now };
    }),
    ...live
      .filter((one) => covers(sheet, one) && !rows.has(keyOf(one)))
      .map((person): SheetFinding => ({ kind: "new", person, now: person.level })),
  ];
}

const keyOf = ({ userId, team = "" }: HeldAccess): string => JSON.stringify([userId, team]);

function kindOf({ level, team, decision }: SheetRow, now: string | undefined): SheetFindingKind {
  if (now === undefined) return decision && decision.to === undefined ? "done" : "left";
  if (isLower(level, now)) return "raised";
  if (!decision) return team === undefined && now === "guest" ? "left" : "undecided";
  const { to } = decision;
  if (now === to) return "done";
  return to !== undefined && isLower(now, to) ? "left" : "open";
}

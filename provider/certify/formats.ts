import { formatsOf } from "../report/formats";
import type { Report, ReportSection } from "../report/report";
import { counted, identified, type SafeText, safeText, trusted } from "../text/safe-text";
import { isUnfinished, type SheetFinding, type SheetFindingKind } from "./comparison";
import type { Decision, HeldAccess, Sheet, SheetRow } from "./sheet";

export interface Certification extends Pick<Sheet, "organization" | "roles" | "teams" | "checksum"> {
  readonly version: 1;
  readonly finished: boolean;
  readonly findings: readonly SheetFinding[];
}

export function certificationOf(
  { organization, roles, teams, checksum }: Sheet,
  findings: readonly SheetFinding[],
): Certification {
  return { version: 1, organization, roles, teams, checksum, finished: !findings.some(isUnfinished), findings };
}

export const certificationFormats = formatsOf(reportOf);

const kinds: readonly { kind: SheetFindingKind; symbol: string; title: string; severity?: "high" | "medium" }[] = [
  { kind: "raised", symbol: "▲", title: "Has more than the sheet", severity: "high" },
  { kind: "new", symbol: "+", title: "Not in the sheet", severity: "high" },
  { kind: "open", symbol: "…", title: "Decided, and not yet so at the service", severity: "medium" },
  { kind: "undecided", symbol: "?", title: "Without a decision", severity: "medium" },
  { kind: "left", symbol: "○", title: "Has less than the decision leaves" },
  { kind: "done", symbol: "✓", title: "As decided" },
];

function reportOf({ organization, checksum, finished, findings }: Certification): Report {
  const sections = kinds.map(({ kind, symbol, title, severity }): ReportSection => {
    const entries = findings
      .filter((one) => one.kind === kind)
      .map((one) => ({ text: wordsOf(one), ...(severity && { severity }) }));
    return { id: kind, symbol, title, entries };
  });
  // The first four kinds are those that leave a review unfinished.
  const open = sections.slice(0, 4).filter(({ entries }) => entries.length > 0);
  const counts = open.map(({ title, entries }) => ` ${title}: ${entries.length.toLocaleString("en-US")}.`).join("");
  const rows = counted(findings.length, "row");
  return {
    marker: ["access review", organization],
    title: `Access review of organization ${organization}`,
    kind: finished ? "none" : "risky",
    verdict: [finished ? `The access review is finished: ${rows}.` : `The access review is not finished.${counts}`],
    about: safeText`Organization ${organization}, compared with the sheet whose checksum is ${checksum}.`,
    notes: [],
    sections,
  };
}

function wordsOf({ person, now, row }: SheetFinding): SafeText {
  const level = now === undefined ? trusted("nothing") : safeText`${now}`;
  const before = row && now !== row.level ? safeText`, in the sheet ${row.level}` : [];
  return safeText`${personWords(person)}: ${level}${before}${row?.decision ? decisionWords(row, row.decision) : []}`;
}

function decisionWords({ level }: SheetRow, { to, by, on, why }: Decision): SafeText {
  const lowered = to === level ? trusted("keep") : safeText`lower to ${to ?? ""}`;
  const reason = why === "" ? [] : safeText` (${why})`;
  return safeText`; decided: ${to === undefined ? trusted("remove") : lowered} by ${by} on ${on}${reason}`;
}

const personWords = ({ name, userId, team, teamTitle = team }: HeldAccess): SafeText =>
  safeText`${identified(name, userId)}, ${teamTitle === undefined ? trusted("role") : safeText`team ${identified(teamTitle, team)}`}`;

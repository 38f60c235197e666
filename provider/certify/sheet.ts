import { createHash } from "node:crypto";
import { z } from "zod";
import { ascendingRoles } from "../access-plan/place";
import { DocsError } from "../api/http/errors";
import { evidenceText } from "../report/evidence";
import { escapedMarkdown, withoutEscapes } from "../report/markdown";
import type { Evidence } from "../run/evidence";
import { quoted } from "../text/mistakes";
import { counted } from "../text/safe-text";
import { notSeen } from "../text/shared-sentences";
import { visible } from "../text/visible";

/** What one person has in one place. */
export interface HeldAccess {
  readonly userId: string;
  readonly name: string;
  /** The day of the last activity, as far as the service knows it. */
  readonly seen?: string;
  /** Id of the team; omitted for the role in the organization. */
  readonly team?: string;
  readonly teamTitle?: string;
  /** The role; `guest` for a member of the organization without one. */
  readonly level: string;
}

/** Whose access a review covers; without roles and teams, that of everybody with a role or a team. */
export interface Scope {
  readonly organization: string;
  readonly roles: readonly string[];
  readonly teams: readonly string[];
}

export interface Decision {
  /** The level that the person keeps: the present one, a lower one, or nothing. */
  readonly to: string | undefined;
  readonly by: string;
  readonly on: string;
  readonly why: string;
}

export interface SheetRow extends HeldAccess {
  readonly line: number;
  readonly decision?: Decision;
}

export interface Sheet extends Scope {
  /** The day in UTC. */
  readonly writtenOn: string;
  readonly checksum: string;
  readonly rows: readonly SheetRow[];
}

export const covers = ({ roles, teams }: Omit<Scope, "organization">, { team, level }: HeldAccess): boolean => {
  if (team === undefined && level === "guest") return false;
  if (roles.length + teams.length === 0) return true;
  return team === undefined ? roles.includes(level) : teams.includes(team);
};

const columns = ["Person", "Id", "Access", "Level", "Last seen", "Decision", "By", "On", "Why"] as const;
/** Number of columns that a reviewer must not change. */
const frozen = 5;
const dayName = "Written on";
const checksumName = "Checksum of the list";
/** The titles, and the line below them. */
const headingRows = 2;

export function writeSheet(scope: Scope, all: readonly HeldAccess[], evidence: Evidence): string {
  const writtenOn = dayOf(Date.parse(evidence.createdAt));
  const rows = all.filter((one) => covers(scope, one)).map(cellsOf);
  const empty = columns.slice(frozen).map(() => "");
  return [
    `# Access review of organization ${escapedMarkdown(scope.organization)}`,
    "",
    `${counted(rows.length, "row")}, each with what one person has in one place. Write a decision into each row: \`keep\`, ` +
      "`lower to LEVEL` or `remove` (a role: from the organization; a team: from this team), who decided (By), the day " +
      "(On, such as 2027-01-31), and why, unless the person keeps it. `Reviewed by` and `Reviewed on` hold for rows without By and On.",
    "",
    ...settingLines(scope),
    `- ${dayName}: ${writtenOn}`,
    `- ${checksumName}: ${checksumOf({ ...scope, writtenOn }, rows)}`,
    "- Reviewed by:",
    "- Reviewed on:",
    "",
    rowText(columns),
    rowText(columns.map(() => "---")),
    ...rows.map((cells) => rowText([...cells.map(code), ...empty])),
    "",
    `<sub>${escapedMarkdown(evidenceText(evidence, leftOut))}</sub>`,
    "",
  ].join("\n");
}

const leftOut = ["guests without a team, and invitations that nobody has accepted"];

const cellsOf = ({ name, userId, team, teamTitle, level, seen = notSeen }: HeldAccess): string[] => [
  visible(name),
  userId,
  team === undefined ? "role" : `team ${teamTitle === undefined ? team : `${visible(teamTitle)} (${team})`}`,
  level,
  seen,
];

const settingLines = ({ organization, roles, teams }: Scope): string[] => [
  `- Organization: ${code(organization)}`,
  `- Roles: ${roles.length === 0 ? wordForEmpty(teams) : roles.map(escapedMarkdown).join(", ")}`,
  `- Teams: ${teams.length === 0 ? wordForEmpty(roles) : teams.map(escapedMarkdown).join(", ")}`,
];

/** A review without roles and teams covers all; with roles only, it covers no team, and the other way round. */
const wordForEmpty = (otherList: readonly string[]) => (otherList.length === 0 ? "all" : "none");

/** The order of the rows does not count: a reviewer may sort them. */
function checksumOf(
  { organization, roles, teams, writtenOn }: Scope & Pick<Sheet, "writtenOn">,
  rows: readonly (readonly string[])[],
): string {
  const lines = rows.map((cells) => JSON.stringify(cells)).sort();
  return createHash("sha256")
    .update(JSON.stringify([organization, roles, teams, writtenOn, lines]))
    .digest("hex");
}

/** Reads a sheet, which people have edited. All mistakes in decisions are in one error. */
export function readSheet(text: string, source: string, now: Date): Sheet {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const settings = settingsIn(lines.slice(0, lines.findIndex(isRow)));
  const table = lines
    .flatMap((row, index) => (isRow(row) ? [{ line: index + 1, cells: splitRow(row) }] : []))
    .slice(headingRows);
  const list = table.map(({ cells }) => cells.slice(0, frozen));
  const written = writtenScope(settings, list, source);
  const usual: UsualDecision = {
    by: settings.get("Reviewed by") ?? "",
    on: settings.get("Reviewed on") ?? "",
    earliest: dayOf(Date.parse(written.writtenOn) - 12 * hour),
    latest: dayOf(now.getTime() + 14 * hour),
  };
  const mistakes: string[] = [];
  const rows = table.map(({ line, cells }): SheetRow => {
    const held = heldIn(cells);
    const report = (what: string) => void mistakes.push(`${visible(source)}:${line}: ${visible(held.name)}: ${what}`);
    if (cells.length !== columns.length)
      report(`found ${counted(cells.length, "column")}, not ${columns.length}; escape | as \\|`);
    const decision = decisionIn(cells.slice(frozen), held, usual, report);
    return { ...held, line, ...(decision && { decision }) };
  });
  if (mistakes.length > 0) throw new DocsError(mistakes.join("\n"));
  return { ...written, rows };
}

const isRow = (line: string): boolean => line.startsWith("|");

/** What the sheet covers; refuses one with another list than the written one. */
function writtenScope(
  settings: ReadonlyMap<string, string>,
  list: readonly (readonly string[])[],
  source: string,
): Omit<Sheet, "rows"> {
  const [organization, checksum] = [settings.get("Organization"), settings.get(checksumName)];
  const writtenOn = settings.get(dayName) ?? "";
  if (organization === undefined || checksum === undefined)
    throw new DocsError(
      `${visible(source)} is no sheet of docs-org certify: "Organization" or "${checksumName}" is missing`,
    );
  const scope = { organization, roles: listIn(settings.get("Roles")), teams: listIn(settings.get("Teams")) };
  if (checksumOf({ ...scope, writtenOn }, list) !== checksum)
    throw new DocsError(
      `${visible(source)} has another list than the one that was written: a row was added or removed, or a line above the table or ` +
        "one of the first five columns changed; restore them from the commit that added the sheet, or write a new sheet",
    );
  return { ...scope, writtenOn, checksum };
}

/** Who decides and when, if the row does not say it. A day is right if it was that day anywhere on earth after the sheet was written. */
interface UsualDecision extends Pick<Decision, "by" | "on"> {
  readonly earliest: string;
  readonly latest: string;
}

const hour = 3_600_000;
/** The day in UTC, such as 2027-01-31. */
export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** The lines above the table, such as `- Reviewed by: Ada`. */
const settingsIn = (lines: readonly string[]): ReadonlyMap<string, string> =>
  new Map(
    lines.flatMap((line): [string, string][] => {
      const [, name = "", value = ""] = /^[-*] ([^:]+):(.*)$/.exec(line) ?? [];
      return name === "" ? [] : [[name, valueIn(value.trim())]];
    }),
  );

const listIn = (value = "all"): string[] => (value === "all" || value === "none" ? [] : value.split(", "));

function heldIn([name = "", userId = "", place = "", level = "", seen = ""]: readonly string[]): HeldAccess {
  const [, teamTitle, titled, team = titled] = /^team (?:(.+) \((.+)\)|(.+))$/.exec(place) ?? [];
  return { name, userId, level, seen, ...(team !== undefined && { team }), ...(titled !== undefined && { teamTitle }) };
}

function decisionIn(
  [text = "", ownBy = "", ownOn = "", why = ""]: readonly string[],
  { level, team }: HeldAccess,
  usual: UsualDecision,
  report: (what: string) => void,
): Decision | undefined {
  const lower = lowerLevels(level, team);
  const allowed = ["keep", ...lower.map((one) => `lower to ${one}`), "remove"].join(", ");
  if (text === "") {
    if (ownBy + ownOn + why !== "") report(`found By, On or Why without a decision; write one of: ${allowed}`);
    return undefined;
  }
  const [to, by, on] = [levelAfter(text, level, lower), ownBy || usual.by, ownOn || usual.on];
  if (to === null) {
    report(`found the decision ${quoted(text)}; use one of: ${allowed}`);
    return undefined;
  }
  if (by === "") report('nobody has made the decision; write a name under By, or behind "Reviewed by"');
  if (!day.safeParse(on).success)
    report(`found the day ${quoted(on)}; write a day such as 2027-01-31 under On, or behind "Reviewed on"`);
  else if (on > usual.latest) report(`found the day ${on}, which has not come yet; write the day of the decision`);
  else if (on < usual.earliest)
    report(`found the day ${on}, before the sheet was written; write the day of the decision`);
  if (to !== level && why === "") report(`found ${text} without a reason; write it under Why`);
  return { to, by, on, why };
}

const day = z.iso.date();

/** What a decision leaves of a level: `undefined` for nothing, `null` if the text is no decision. */
function levelAfter(text: string, level: string, lower: readonly string[]): string | undefined | null {
  const decision = text.toLowerCase();
  if (decision === "keep") return level;
  if (decision === "remove") return undefined;
  return lower.find((one) => decision === `lower to ${one}`) ?? null;
}

/** A role that this version does not know can only become a guest. */
function lowerLevels(level: string, team: string | undefined): readonly string[] {
  if (team !== undefined) return level === "owner" ? ["member"] : [];
  const rank = ascendingRoles.indexOf(level);
  return ascendingRoles.slice(0, rank < 0 ? 1 : rank);
}

const rowText = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;

/** A value as code, in which only a vertical line needs an escape. Code cannot be empty or contain a backtick: such a value is escaped text. */
const code = (text: string): string =>
  text.includes("`") || text === "" ? escapedMarkdown(text) : `\`${text.replaceAll("|", "\\|")}\``;

function valueIn(text: string): string {
  const inCode = /^`([^`]+)`$/.exec(text)?.[1];
  return inCode === undefined ? withoutEscapes(text) : inCode.replaceAll("\\|", "|");
}

function splitRow(row: string): string[] {
  const cells = row.replace(/^\||\|$/g, "").split(/(?<!\\)\|/);
  return cells.map((one) => valueIn(one.trim()));
}

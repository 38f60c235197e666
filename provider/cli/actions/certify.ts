import { existsSync } from "node:fs";
import { byPower } from "../../access-plan/place";
import { listAccess } from "../../access-report/access-list";
import { roles as allRoles } from "../../api/groups/shared";
import { DocsError } from "../../api/http/errors";
import { compareSheet } from "../../certify/comparison";
import { isWithoutEdit, type PlannedEdit, planEdits } from "../../certify/edits";
import { type Certification, certificationFormats, certificationOf } from "../../certify/formats";
import { covers, type HeldAccess, readSheet, type Sheet, type SheetRow, writeSheet } from "../../certify/sheet";
import { PeopleNames } from "../../organization/drafts/people";
import { editEntries } from "../../organization/file/edit-entries";
import { editWords, entryChanges } from "../../organization/file/line-edits";
import { loadOrganization, organizationYaml, readPositions } from "../../organization/file/loader";
import { compare as compareText } from "../../organization/sections/parts";
import type { TeamName } from "../../organization/sections/teams";
import { readEvidence } from "../../report/evidence";
import { type Context, connectBySettings } from "../../run/context";
import { replaceFile } from "../../run/files";
import { Settings } from "../../run/settings";
import { counted } from "../../text/safe-text";
import { inert, visible } from "../../text/visible";
import { readText } from "../input";
import type { ReportFormat } from "../options";
import { print, StatusError } from "../output";
import { connectInFolder, readLivePeople } from "./access";

interface Options {
  readonly role?: readonly string[];
  readonly team?: readonly string[];
  readonly check?: true;
  readonly apply?: true;
  readonly format: ReportFormat;
  readonly page?: string;
}

export async function certify(file: string, options: Options): Promise<void> {
  const { role: roles = [], team: teams = [], check, apply } = options;
  if (check || apply) {
    if (roles.length + teams.length > 0) throw new StatusError("--role and --team choose what a new sheet covers");
    return check ? compare(file, options) : edit(file);
  }
  const unknown = roles.find((one) => !(allRoles as readonly string[]).includes(one));
  if (unknown !== undefined)
    throw new StatusError(`--role "${visible(unknown, 60)}": use one of ${allRoles.join(", ")}`);
  if (existsSync(file))
    throw new DocsError(`${visible(file)} exists; compare it with --check, or write the new sheet to another file`);
  const context = await connectInFolder();
  const { organizationId: organization } = context;
  const { held } = await readHeld(context, teams);
  if (!held.some((one) => covers({ roles, teams }, one)))
    throw new DocsError("nobody has a role or a team that the sheet would cover; check --role and --team");
  const text = writeSheet({ organization, roles, teams }, held, evidenceOf(context));
  // A sheet that could not be read again must not be written.
  const sheet = sheetIn(text, file);
  replaceFile(file, text);
  writePage(options, certificationOf(sheet, compareSheet(sheet, held)), context);
  await print(
    `Wrote ${visible(file)} with ${counted(sheet.rows.length, "row")}. Fill in the decisions, then run docs-org certify ${visible(file)} --check.\n`,
  );
}

async function compare(file: string, options: Options): Promise<void> {
  const { sheet, findings, context } = await compared(file);
  const certification = certificationOf(sheet, findings);
  writePage(options, certification, context);
  await print(certificationFormats[options.format](certification, evidenceOf(context)));
  if (!certification.finished) throw new StatusError("the access review is not finished");
}

async function edit(file: string): Promise<void> {
  const { findings, context, emails } = await compared(file);
  const now = context.run.settings.now();
  const { organization } = loadOrganization(organizationYaml, { now });
  if (organization.organization !== context.organizationId)
    throw new DocsError(
      `${organizationYaml} declares organization ${visible(organization.organization)}, and the sheet is of ${visible(context.organizationId)}`,
    );
  const { edits, present, byHand } = planEdits(findings, readPositions(organizationYaml), {
    file: organization,
    now,
    emails,
  });
  writeEdits(edits, now);
  const wordsOf = ({ line, name }: SheetRow, words: string) =>
    inert(`${visible(file)}:${line}: ${visible(name)}: ${words}`);
  const left = findings.filter(isWithoutEdit).length;
  const lines = [
    ...edits.map((one) => editWords(one, ` (line ${one.row.line} of the sheet)`)),
    ...present.map((row) => wordsOf(row, `${organizationYaml} already gives no more`)),
    ...byHand.map(({ row, reason }) => wordsOf(row, `by hand, because ${reason}`)),
    edits.length === 0
      ? "Nothing to edit."
      : `Edited ${counted(edits.length, "line")}. Look at the diff, and run docs-org preview.`,
    ...(byHand.length > 0
      ? [`${counted(byHand.length, "decision remains", "decisions remain")} to be carried out by hand.`]
      : []),
    ...(left > 0
      ? [`${counted(left, "entry needs", "entries need")} a decision first: docs-org certify ${visible(file)} --check.`]
      : []),
  ];
  await print(`${lines.join("\n")}\n`);
}

/** Edits the file, unless it would have mistakes. */
function writeEdits(edits: readonly PlannedEdit[], now: Date): void {
  const edited = new Map([...editEntries(entryChanges(edits))].map(([{ path }, text]) => [path, text]));
  try {
    loadOrganization(organizationYaml, { now, edited });
  } catch (error) {
    throw new DocsError(`nothing was edited, because the file would have mistakes: ${(error as Error).message}`);
  }
  for (const [path, text] of edited) replaceFile(path, text);
}

async function compared(file: string) {
  const sheet = sheetIn(readText(file, "sheet"), file);
  const configured = new Settings().organizationId();
  if (configured !== undefined && configured !== sheet.organization)
    throw new DocsError(
      `${visible(file)} is of organization ${visible(sheet.organization)}, and DOCS_ORGANIZATION_ID is ${visible(configured)}; ` +
        "correct the variable, or use the sheet of this organization",
    );
  const context = await connectBySettings(sheet.organization);
  const { held, emails } = await readHeld(context, sheet.teams);
  return { sheet, findings: compareSheet(sheet, held), context, emails };
}

const sheetIn = (text: string, file: string): Sheet => readSheet(text, file, new Settings().now());

const evidenceOf = ({ run, organizationId: organization }: Context) => readEvidence(run.settings, { organization });

function writePage({ page }: Options, certification: Certification, context: Context): void {
  if (page !== undefined) replaceFile(page, certificationFormats.html(certification, evidenceOf(context)));
}

/** A title that is the id says nothing more. */
const placeOf = ({ id, title = id }: TeamName): Pick<HeldAccess, "team" | "teamTitle"> =>
  title === id ? { team: id } : { team: id, teamTitle: title };

const orderOfTeam = ({ team = "", teamTitle = team }: HeldAccess): string => `${teamTitle} ${team}`;

/** Who has what at the service, the roles before the teams, and the e-mails by id that tell members apart. */
async function readHeld(context: Context, teamIds: readonly string[]) {
  const live = await readLivePeople(context, teamIds);
  const people = new PeopleNames(live.members, []);
  const emails = new Map<string, string>();
  for (const { user } of live.members) {
    const name = people.nameOf(user.id);
    if (name !== undefined && name !== user.id) emails.set(user.id, name);
  }
  const rows = listAccess(live, { now: context.run.settings.now() }).flatMap(
    ({ userId = "", name, lastSeenAt, role, teams }) => {
      const person = { userId, name, ...(lastSeenAt !== undefined && { seen: lastSeenAt.slice(0, 10) }) };
      return [role, ...teams].flatMap(({ level, team }): HeldAccess[] =>
        level === undefined ? [] : [{ ...person, level, ...(team && placeOf(team)) }],
      );
    },
  );
  const held = rows.sort(
    (a, b) => compareText(orderOfTeam(a), orderOfTeam(b)) || byPower(a.level, b.level) || compareText(a.name, b.name),
  );
  return { held, emails };
}

import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { momentWords } from "../../access-plan/grants";
import { DocsError } from "../../api/http/errors";
import type { Deployment } from "../../deployment/deployment";
import { severalGrants } from "../../history/version";
import { type DueGrants, planOfGrants, readDueGrants } from "../../organization/due-grants";
import { keyOfPath } from "../../organization/file/line-edits";
import { loadOrganization, organizationYaml, readPositions } from "../../organization/file/loader";
import { filePlaceAt, type Path, type Position, placesIn, positionAt } from "../../organization/file/places";
import type { GrantLine } from "../../organization/review-notes";
import { git } from "../../report/evidence";
import { lineOfAccess, printable } from "../../review/plan/lines";
import { planOf } from "../../review/plan/plan";
import { howItEnded } from "../../review/verdict";
import { connectBySettings, explained } from "../../run/context";
import { Settings } from "../../run/settings";
import { counted } from "../../text/safe-text";
import { visible } from "../../text/visible";
import { print } from "../output";
import { confirm, refuseWithoutTerminal } from "./ask";
import { applyChange, openStack, reviewChange, type StackOptions } from "./deployment";
import { listLines } from "./previews";

/**
 * Begins and ends grants whose lines the last up had as they are: somebody has reviewed them then. Nothing else of the file or of
 * the service is changed.
 */
export async function upOnlyGrants(options: StackOptions): Promise<void> {
  refuseWithoutTerminal("up", options);
  const deployment = await openStack(options, { create: false });
  await deployment.settleOvertaken();
  const now = new Settings().now();
  const { organization: file } = loadOrganization(organizationYaml, { now, mayLackAdmins: true });
  const lines = new GrantLines();
  const { name: component, organizationId } = deployment.options.project;
  const refusalOf = ({ path }: GrantLine) => lines.commitAt(path).refusal;
  const find = async () => {
    const context = await connectBySettings(organizationId);
    const { all: state } = await deployment.readResources();
    return explained(context, () => readDueGrants(context, { component, file, now, state, refusalOf }));
  };
  const dueGrants = await find();
  const { due, refused, unreviewed } = dueGrants;
  lines.list(
    "Left out, because no up that ended well has had the line as it is; a reviewed docs-org up applies it:",
    unreviewed,
  );
  lines.list("Refused:", refused, ({ refusal }) => `: ${refusal}`);
  if (due.length === 0 && refused.length === 0) await print("No grant that was reviewed begins or ends now.\n");
  if (due.length > 0) {
    if (!(await makeDue(deployment, dueGrants, lines, options))) return;
    // A successful up may have left out what the plan did not show as it is.
    const after = await find();
    const unmade = due.filter((line) => !after.isMade(line));
    lines.list("Not made, though the up succeeded:", unmade);
    if (unmade.length > 0) throw new DocsError(`${counted(unmade.length, "grant")} did not begin or end; see above`);
  }
  if (refused.length > 0)
    throw new DocsError(`${counted(refused.length, "grant")} did not begin or end; the lines above say why`);
}

/** Reviews the change, asks, and applies it; false if the answer is no. */
async function makeDue(
  deployment: Deployment,
  dueGrants: DueGrants,
  lines: GrantLines,
  { yes }: StackOptions,
): Promise<boolean> {
  const { due } = dueGrants;
  const texts = lines.list(
    "Grants that begin or end:",
    due,
    (line) => `: ${whenOf(line)}, ${lines.commitAt(line.path).text}`,
  );
  deployment.limitTo(dueGrants, messageOf(texts));
  const { review } = await reviewChange(deployment, "up");
  if (review.refusals.length > 0) {
    const refusals = review.refusals.map(({ text }) => printable(text));
    throw new DocsError([`nothing was changed, because ${howItEnded(review.refusals)}:`, ...refusals].join("\n  "));
  }
  const plan = planOfGrants(planOf(review), due);
  const shown = plan.access.filter(({ change }) => change !== "options");
  listLines("Changes of access:", shown.map(lineOfAccess(plan)).map(printable));
  if (!yes && !(await confirm("Make this change?", "Nothing was changed."))) return false;
  await applyChange(deployment, "up", plan);
  await deployment.settle();
  return true;
}

/** The lines of the file with grants, and the commits that wrote them. */
class GrantLines {
  private readonly root = readPositions(organizationYaml);
  private readonly commits = new Map<string, LineCommit>();

  /** Git is asked once for each line. */
  commitAt(path: Path): LineCommit {
    const commit = this.commits.get(keyOfPath(path)) ?? commitOf(this.root, path);
    this.commits.set(keyOfPath(path), commit);
    return commit;
  }

  /** Prints the lines, each followed by what `words` says of it, and returns the printed texts. */
  list<Line extends GrantLine>(
    title: string,
    lines: readonly Line[],
    words: (line: Line) => string = () => "",
  ): string[] {
    const texts = lines.map((line) => printable(`${describe(line, this.root)}${words(line)}`));
    listLines(title, texts);
    return texts;
  }
}

/** The message of the update is an argument of the engine, so it is about 8 KB at most. */
function messageOf(lines: readonly string[]): string {
  const shown = lines.slice(0, 40).map((line) => line.slice(0, 200));
  const more = lines.length > shown.length ? [`… and ${lines.length - shown.length} more`] : [];
  // The history shows the line of each person.
  const first = lines.length > 1 ? [`${lines.length}${severalGrants}`] : [];
  return [...first, ...shown, ...more].join("\n");
}

const isInRepository = (folder: string): boolean =>
  existsSync(join(folder, ".git")) || (dirname(folder) !== folder && isInRepository(dirname(folder)));

function describe({ path, grant }: GrantLine, root: Position): string {
  const { file, line } = placesIn(root).of(path) ?? { file: organizationYaml, line: 1 };
  const reason = grant.reason === undefined ? "" : ` (${grant.reason})`;
  return `${visible(file)}:${line}: ${path.map(String).join(".")}: ${grant.role}${reason}`;
}

const whenOf = ({ phase, grant: { from, expires = "" } }: GrantLine): string => {
  if (phase === "ended") return `ended ${momentWords(expires)}`;
  return from === undefined ? "not given yet" : `began ${momentWords(from)}`;
};

interface LineCommit {
  readonly text: string;
  /** Why the line does not count as committed. */
  readonly refusal?: string;
}

/**
 * The newest commit that wrote the lines of the grant, or a key above them, which names the team. Refused are lines in no commit of
 * the repository, and a repository that git cannot read.
 */
function commitOf(root: Position, path: Path): LineCommit {
  const { source } = positionAt(root, path) ?? root;
  const folder = resolve(dirname(source.path));
  const isShallow = git(folder, "rev-parse", "--is-shallow-repository").trim();
  if (isShallow === "") {
    const text = "no commit is known, because git finds no repository";
    if (!isInRepository(folder)) return { text };
    const problem = "git cannot read the repository of the line";
    return {
      text: problem,
      refusal: `${problem}; check that git is installed, and that this user owns the repository`,
    };
  }
  const blame = git(folder, "blame", "--line-porcelain", ...rangesOf(root, path), "--", source.path);
  const commits = [
    ...blame.matchAll(/^([0-9a-f]{40,64}) [\s\S]*?^committer-time (\d+)$[\s\S]*?^summary (.*)\n(boundary)?/gm),
  ];
  const [newest] = commits.sort((a, b) => Number(b[2]) - Number(a[2]));
  const [, commit = "", , summary = "", boundary] = newest ?? [];
  if (commits.some(([, one = ""]) => /^0+$/.test(one)) || !newest)
    return { text: "not committed", refusal: "the line is not committed; commit it" };
  // The oldest commits of a shallow clone have all lines of older ones.
  if (isShallow === "true" && boundary) return { text: "its commit is not known in this shallow clone" };
  return { text: `commit ${commit.slice(0, 10)} (${summary})` };
}

/** The lines of the grant, and of each key above it in the same file, as options of git blame. */
function rangesOf(root: Position, path: Path): string[] {
  const position = positionAt(root, path) ?? root;
  const { source } = position;
  const lineAt = (offset: number): number => filePlaceAt(source, offset).line;
  const lastLine = ({ value, inside }: Position): number =>
    Math.max(lineAt(value), ...Array.from(inside?.values() ?? [], lastLine));
  const keysAbove = path.flatMap((_, index) => {
    const above = positionAt(root, path.slice(0, index));
    return above?.source === source && above !== root ? [lineAt(above.key)] : [];
  });
  return [...keysAbove.map((line) => `-L${line},${line}`), `-L${lineAt(position.key)},${lastLine(position)}`];
}

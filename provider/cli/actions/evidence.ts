import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { accessFormats } from "../../access-report/formats";
import { DocsError } from "../../api/http/errors";
import { checksumsName, mistakeInName, sealFolder, verifyFolder } from "../../evidence/folder";
import { historyFormats } from "../../history/formats";
import { partOf, type Wanted } from "../../history/select";
import { repeatedIn } from "../../people/user";
import { attemptToRead, attemptToWrite, replaceFile } from "../../run/files";
import { counted } from "../../text/safe-text";
import { inert, visible } from "../../text/visible";
import { print, StatusError } from "../output";
import { readAccessReport } from "./access";
import { type HistorySource, readHistory } from "./history";

type CollectOptions = HistorySource & Pick<Wanted, "since" | "until">;

/** Writes who has what, since when, and the history of a period into a new folder, beside copies of the files, and seals it. */
export async function collect(folder: string, files: readonly string[], options: CollectOptions): Promise<void> {
  if (existsSync(folder) && attemptToWrite(visible(folder), () => readdirSync(folder)).length > 0)
    throw new DocsError(`${visible(folder)} is not empty; name a new folder`);
  const copies = files.map((file) => {
    const mistake = mistakeInName(path.basename(file));
    if (mistake !== undefined) throw new DocsError(`${visible(file)} ${mistake}; rename it`);
    return [path.basename(file), attemptToRead(visible(file), () => readFileSync(file))] as const;
  });
  const history = await readHistory(options);
  const part = partOf(history, options);
  const { list, evidence } = await readAccessReport({}, [], history);
  const contents = [
    ["access.html", accessFormats.html(list, evidence)],
    ["access.json", accessFormats.json(list, evidence)],
    ["history.html", historyFormats.html(part, evidence)],
    ["history.json", historyFormats.json(part, evidence)],
    ...copies,
  ] as const;
  const [repeated] = repeatedIn([checksumsName, ...contents.map(([name]) => name)].map((name) => name.toLowerCase()));
  if (repeated !== undefined)
    throw new DocsError(`two files would have the name ${visible(repeated)} in the folder; rename one`);
  attemptToWrite(visible(folder), () => mkdirSync(folder, { recursive: true }));
  for (const [name, content] of contents) replaceFile(path.join(folder, name), content);
  await seal(folder);
}

export async function seal(folder: string): Promise<void> {
  const { count, checksum } = await sealFolder(folder);
  await print(
    `Sealed ${counted(count, "file")} with checksum ${checksum}\n` +
      "Keep this checksum elsewhere, such as in the ticket of the audit: docs-org evidence verify takes it with --checksum.\n",
  );
}

export async function verifyEvidence(folder: string, { checksum }: { readonly checksum?: string }): Promise<void> {
  const { count, differences, ...actual } = await verifyFolder(folder, checksum);
  if (differences.length === 0) {
    const rest = checksum === undefined ? `; compare the checksum of the list with the one that seal printed` : "";
    return print(`${counted(count, "file")} unchanged since the seal with checksum ${actual.checksum}${rest}\n`);
  }
  for (const { file, what } of differences) await print(`${inert(`${visible(file)} ${what}`)}\n`);
  throw new StatusError(`${visible(folder)} is not as it was sealed: ${counted(differences.length, "difference")}`);
}

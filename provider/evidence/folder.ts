import { createHash } from "node:crypto";
import { createReadStream, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { DocsError } from "../api/http/errors";
import { attemptToRead, endOfPart, notRead, replaceFile } from "../run/files";
import { visible } from "../text/visible";

/** In the format of `sha256sum`, which can check the listed files, too: `sha256sum --check SHA256SUMS`. */
export const checksumsName = "SHA256SUMS";

/** By the path inside the folder, with slashes. */
type Checksums = ReadonlyMap<string, string>;

export interface FileDifference {
  readonly file: string;
  /** Such as `was changed`. */
  readonly what: string;
}

export interface EvidenceVerification {
  /** Number of listed files. */
  readonly count: number;
  /** The checksum of the list. */
  readonly checksum: string;
  readonly differences: readonly FileDifference[];
}

/** Writes the checksums of all files in the folder into a list. The checksum of the list vouches for the whole folder. */
export async function sealFolder(folder: string): Promise<Omit<EvidenceVerification, "differences">> {
  const { files, unlistable } = listFolder(folder);
  for (const { file, what } of unlistable) throw new DocsError(`${visible(path.join(folder, file))} ${what}`);
  if (files.length === 0) throw new DocsError(`${visible(folder)} has no files; put the evidence into it first`);
  const list = Buffer.from(listText(await checksumsOf(folder, files)));
  replaceFile(path.join(folder, checksumsName), list);
  return { count: files.length, checksum: sha256(list) };
}

/** Compares a folder with its list of checksums, and the list with the checksum that `sealFolder` has returned, if it is given. */
export async function verifyFolder(folder: string, checksum?: string): Promise<EvidenceVerification> {
  const { files, unlistable } = listFolder(folder);
  const listFile = path.join(folder, checksumsName);
  const list = attemptToRead(visible(listFile), () => readFileSync(listFile));
  const listed = parseList(list.toString());
  const present = await checksumsOf(folder, files);
  // The list may have the name of such a file: it is reported once, with the reason.
  const reported = new Set(unlistable.map(({ file }) => file));
  const names = [...new Set([...listed.keys(), ...present.keys()])].filter((file) => !reported.has(file)).sort();
  const differences = [
    ...differencesOfList(list, listed, checksum),
    ...unlistable,
    ...names.flatMap((file) => {
      const what = differenceOf(listed.get(file), present.get(file));
      return what === undefined ? [] : [{ file, what }];
    }),
  ];
  return { count: listed.size, checksum: sha256(list), differences };
}

function differenceOf(listed: string | undefined, present: string | undefined): string | undefined {
  if (listed === present) return undefined;
  if (listed === undefined) return "was added";
  return present === undefined ? "is missing" : "was changed";
}

function differencesOfList(list: Buffer, listed: Checksums, checksum: string | undefined): FileDifference[] {
  const actual = sha256(list);
  if (checksum !== undefined && checksum.toLowerCase() !== actual)
    return [{ file: checksumsName, what: `was changed: its checksum is ${actual}, not ${visible(checksum)}` }];
  if (listed.size === 0) return [{ file: checksumsName, what: "lists no file" }];
  // `parseList` passes over lines that are no checksums, a file's first of two lines, and the order: only this comparison finds them.
  if (!list.equals(Buffer.from(listText(listed))))
    return [{ file: checksumsName, what: "was changed: docs-org evidence seal writes such a list differently" }];
  return [];
}

const listText = (checksums: Checksums): string =>
  [...checksums]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([file, checksum]) => `${checksum}  ${file}\n`)
    .join("");

const parseList = (text: string): Checksums =>
  new Map(
    text.split("\n").flatMap((line): [string, string][] => {
      const [, checksum, file] = /^([0-9a-f]{64}) {2}(.+)$/.exec(line) ?? [];
      return checksum && file ? [[file, checksum]] : [];
    }),
  );

/** Why the list cannot contain the name: it has one name a line, without escapes. U+FFFD stands for bytes that are not UTF-8. */
export function mistakeInName(name: string): string | undefined {
  if (name.endsWith(endOfPart)) return "was not written to its end, because the command was killed; delete it";
  const isUnlistable = /[\\\p{Cc}\p{Zl}\p{Zp}\ufffd]/u.test(name);
  return isUnlistable ? "has a name with a backslash, a control character or invalid UTF-8" : undefined;
}

/** The files of a folder and its subfolders without the list of checksums, and the entries that the list cannot contain. Empty folders do not count. */
function listFolder(folder: string, inside = ""): { files: string[]; unlistable: FileDifference[] } {
  const files: string[] = [];
  const unlistable: FileDifference[] = [];
  const place = path.join(folder, inside);
  const entries = attemptToRead(visible(place), () => readdirSync(place, { withFileTypes: true }));
  for (const entry of entries) {
    const file = path.posix.join(inside, entry.name);
    if (file === checksumsName && entry.isFile()) continue;
    const mistake = mistakeInName(entry.name);
    if (mistake !== undefined) unlistable.push({ file, what: mistake });
    else if (entry.isFile()) files.push(file);
    else if (entry.isDirectory()) {
      const below = listFolder(folder, file);
      files.push(...below.files);
      unlistable.push(...below.unlistable);
    } else unlistable.push({ file, what: "is neither a file nor a folder, such as a symbolic link" });
  }
  return { files, unlistable };
}

async function checksumsOf(folder: string, files: readonly string[]): Promise<Checksums> {
  const checksums = new Map<string, string>();
  for (const file of files) {
    const hash = createHash("sha256");
    await pipeline(createReadStream(path.join(folder, file)), hash).catch((error) => {
      throw notRead(visible(path.join(folder, file)), error);
    });
    checksums.set(file, hash.digest("hex"));
  }
  return checksums;
}

const sha256 = (content: Buffer): string => createHash("sha256").update(content).digest("hex");

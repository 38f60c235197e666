import { basename, dirname, resolve } from "node:path";
import { DocsError } from "../../api/http/errors";
import { nearest, valueAt } from "../../text/mistakes";
import type { FileMistake } from "../sections/checks";
import { backendUrl, isIncludable } from "../sections/schema";
import { examine } from "./check";
import { Folder } from "./folder";
import {
  filePlaceAt,
  inProgram,
  type Path,
  type Places,
  type Point,
  type Position,
  placesIn,
  pointOf,
  positionAt,
  reportAt,
} from "./places";
import { type Flaw, Reader } from "./reader";
import type { OrganizationFile } from "./types";

/** The name of the organization's file, if a program does not choose another one. */
export const organizationYaml = "organization.yaml";

export interface Loaded {
  readonly organization: OrganizationFile;
  readonly places: Places;
}

interface LoadOptions {
  readonly now?: Date;
  /** Accepts fewer administrators than the guards require: the end of a grant may be the reason, and only whole changes are refused then. */
  readonly mayLackAdmins?: boolean;
  /** The texts of files that are not written yet, by their real paths. */
  readonly edited?: ReadonlyMap<string, string> | undefined;
}

/** Reads an organization's file and the files that it includes. One error names all mistakes. */
export function loadOrganization(
  path: string,
  { now = new Date(), mayLackAdmins = false, edited }: LoadOptions = {},
): Loaded {
  const { folder, reader, read } = readFile(path, { edited });
  if (!read) throw combineFlaws(reader, []);
  const { value, position } = read;
  const baseOf = (path: Path) => dirname(positionAt(position, path)?.source.path ?? "");
  const { findings, organization } = examine({ value, folder, baseOf, partial: reader.partial, mayLackAdmins }, now);
  if (organization && reader.flaws.length === 0) return { organization, places: placesIn(position) };
  throw combineFlaws(
    reader,
    findings.map((finding) => flawOf(finding, position, value)),
  );
}

/** The id of the organization that a file declares. Mistakes in other parts of the file are left to `loadOrganization`. */
export function readOrganizationId(path: string): { readonly id: string; readonly isForSeveral: boolean } {
  const { read, reader } = readFile(path, { withIncludes: false });
  const id = valueAt(read?.value, ["organization"]);
  const { isForSeveral } = reader;
  return { id: typeof id === "string" ? id : loadOrganization(path).organization.organization, isForSeveral };
}

export function readBackend(path: string): string | undefined {
  const url = valueAt(readFile(path, { withIncludes: false }).read?.value, ["backend"]);
  if (url === undefined) return undefined;
  const { success, data } = backendUrl.safeParse(url);
  return success ? data : loadOrganization(path).organization.backend;
}

/** The positions in a file without mistakes, and in the files that it includes. */
export function readPositions(path: string): Position {
  const { reader, read } = readFile(path);
  if (!read) throw combineFlaws(reader, []);
  return read.position;
}

function readFile(
  path: string,
  { withIncludes = true, edited }: { readonly withIncludes?: boolean } & Pick<LoadOptions, "edited"> = {},
) {
  const folder = withFileName(path, () => new Folder(dirname(resolve(path)), edited));
  const reader = new Reader(folder, dirname(path), withIncludes);
  const read = withFileName(path, () => reader.read(folder.join(".", basename(path))), folder);
  return { folder, reader, read };
}

/** Adds the name of the file to an error; if there is no such file, it also suggests a similar name. */
function withFileName<T>(path: string, action: () => T, folder?: Folder): T {
  try {
    return action();
  } catch (error) {
    if (!(error instanceof DocsError)) throw error;
    throw new DocsError(`could not read ${path}: ${error.message}${folder ? suggestFile(path, folder) : ""}`);
  }
}

function suggestFile(path: string, folder: Folder): string {
  const names = folder.list(folder.join(".", ".")).map(({ name }) => name);
  const files = names.filter((name) => /\.ya?ml$/.test(name));
  const guess = names.includes(basename(path)) ? undefined : nearest(basename(path), files);
  return guess === undefined ? "" : `; did you mean ${guess}?`;
}

function flawOf(finding: FileMistake, root: Position, value: unknown): Flaw {
  const { path, first } = finding;
  const text = inProgram.report(path, addHint(finding, valueAt(value, path)));
  const other = first && positionAt(root, first);
  const point = pointOf(root, finding);
  return { ...point, text, ...(other && { first: { source: other.source, offset: other.key } }) };
}

/** Adds a hint for frequent mistakes in YAML: missing quotes, and a path without `!include`. */
function addHint({ path, text }: FileMistake, found: unknown): string {
  if (text.endsWith("use a string") && ["number", "boolean"].includes(typeof found)) return `${text}, in quotes`;
  const isFile = typeof found === "string" && /\.ya?ml$/.test(found);
  return isFile && isIncludable(path) ? `${text}; did you mean !include ${found}?` : text;
}

/** Maximum number of mistakes in the error: a file may have one in every line. */
const most = 1000;

/** One error with all mistakes, sorted by file and line. A place that could not be read gets no second message. */
function combineFlaws({ flaws, sources }: Reader, found: readonly Flaw[]): DocsError {
  const unread = new Set(flaws.map(pointKey));
  const all = [...flaws, ...found.filter((flaw) => !unread.has(pointKey(flaw)))];
  const order = (a: Flaw, b: Flaw) => sources.indexOf(a.source) - sources.indexOf(b.source) || a.offset - b.offset;
  const texts = all
    .sort(order)
    .slice(0, most)
    .map(({ text, first, ...point }) => reportAt(point, text + (first ? describeFirst(point, first) : "")));
  if (all.length > most) texts.push(`and ${all.length - most} more`);
  return new DocsError([...new Set(texts)].join("\n"));
}

const pointKey = ({ source, offset }: Point) => `${offset} ${source.path}`;

function describeFirst({ source: here }: Point, { source, offset }: Point): string {
  const line = `line ${filePlaceAt(source, offset).line}`;
  return ` (the first is in ${source === here ? line : `${source.name}, ${line}`})`;
}

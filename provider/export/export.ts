import { join, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { ReadOptions } from "../access/discovery";
import { DocsError } from "../api/http/errors";
import { loadOrganization, organizationYaml } from "../organization/file/loader";
import { withTexts } from "../organization/file/texts";
import type { OrganizationFile } from "../organization/file/types";
import { childrenOf } from "../organization/sections/children";
import { type Context, explained } from "../run/context";
import { type Draft, draftOf, readEverything } from "./draft";
import { importFileOf, listNotImported } from "./existing";
import { type Files, inStaging, publish, refuseExisting, refuseFolders, write } from "./files";
import { type Target, textsOf } from "./program";
import { projectFiles, projectNames } from "./project";
import { organizationFiles } from "./yaml";

export interface ExportOptions extends ReadOptions {
  readonly folder: string;
  /** First argument of the class in the program, and name of the project. */
  readonly name: string;
  readonly target: Target;
  readonly force: boolean;
  /** Path of the file that imports the objects, relative to the folder; `import.json` by default. */
  readonly importFile?: string;
}

/** A live organization that was read, and not yet written. */
export interface PreparedExport {
  /** Paths relative to the folder. */
  readonly files: readonly string[];
  write(): Promise<Exported>;
}

export interface Exported {
  /** Paths relative to the folder. */
  readonly files: readonly string[];
  readonly resources: number;
  /** Names of what the first up creates, because the import file cannot have it. Nothing is sent for it. */
  readonly notImported: readonly string[];
  /** What could not be exported, and what readers should know. */
  readonly notes: readonly string[];
}

export async function exportOrganization(context: Context, options: ExportOptions): Promise<Exported> {
  return (await prepareExport(context, options)).write();
}

/** Reads a live organization, and refuses to overwrite files. */
export async function prepareExport(context: Context, options: ExportOptions): Promise<PreparedExport> {
  const live = await explained(context, () => readEverything(context, options));
  const draft = draftOf(live);
  const written = organizationFiles(draft.organization);
  const names = [...namesOf(options, draft, written)];
  if (!options.force) refuseExisting(options.folder, names);
  else refuseFolders(options.folder, names);
  return { files: names, write: () => writeExport(context, options, { draft, written, names }) };
}

interface Read {
  readonly draft: Draft;
  readonly written: Files;
  readonly names: readonly string[];
}

function writeExport(context: Context, options: ExportOptions, { draft, written, names }: Read): Promise<Exported> {
  const folder = resolve(options.folder);
  return inStaging(folder, async (staging) => {
    const { name, target, importFile = importJson } = options;
    const organization = readBack(draft, written, staging);
    const children = childrenOf(name, organization, new Date());
    const program = { name, target, organization, children, texts: textsOf(children, draft.organization) };
    const imported = await importFileOf(context, program, draft);
    write(staging, new Map([...projectFiles(program), [importFile, `${JSON.stringify(imported, undefined, 2)}\n`]]));
    publish(staging, folder, names);
    const notImported = listNotImported(program, imported);
    return { files: names, resources: children.length, notImported, notes: draft.notes };
  });
}

const importJson = "import.json";

function namesOf({ target, importFile = importJson }: ExportOptions, { texts }: Draft, written: Files): Set<string> {
  const organization = target.format === "file" ? written.keys() : [];
  const [first = [], ...more] = projectNames(target);
  return new Set(
    [first, organization, texts.keys(), importFile, more].flatMap((one) => (typeof one === "string" ? one : [...one])),
  );
}

/** Reads the written file back and compares it with the draft before the export succeeds. */
function readBack({ organization, texts }: Draft, written: Files, staging: string): OrganizationFile {
  write(staging, new Map([...texts, ...written]));
  const loaded = loadFrom(staging);
  if (isDeepStrictEqual(plain(loaded), plain(withTexts(organization, (file) => texts.get(file) ?? "").whole)))
    return loaded;
  throw defect("the written file has another content");
}

function loadFrom(staging: string): OrganizationFile {
  try {
    return loadOrganization(join(staging, organizationYaml)).organization;
  } catch (error) {
    throw error instanceof DocsError ? defect(error.message) : error;
  }
}

const defect = (what: string) =>
  new DocsError(
    `nothing was written, because the file would differ from the live organization; please report this: ${what}`,
  );

/** A value as JSON: without prototypes and undefined properties. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

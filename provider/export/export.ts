import { join, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { ReadOptions } from "../access/discovery";
import { DocsError } from "../api/http/errors";
import { withCertificates } from "../organization/file/check";
import { loadOrganization, organizationYaml } from "../organization/file/loader";
import type { OrganizationFile } from "../organization/file/types";
import { childrenOf } from "../organization/sections";
import { type Context, explained } from "../run/context";
import { type Draft, draftOf, readEverything } from "./draft";
import { importFileOf, listNotImported } from "./existing";
import { type Files, inStaging, publish, refuseExisting, write } from "./files";
import { projectFiles, projectNames, type Target } from "./project";
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

/** Reads a live organization, and refuses to overwrite files. */
export async function prepareExport(context: Context, options: ExportOptions): Promise<PreparedExport> {
  const { folder, name, target, force, importFile = "import.json" } = options;
  const live = await explained(context, () => readEverything(context, options));
  const draft = draftOf(live);
  const declaring = new Map([...organizationFiles(draft.organization), ...draft.texts]);
  const published = target.format === "resources" ? [] : declaring.keys();
  const files = [...published, ...projectNames(target), importFile];
  refuseExisting(folder, files, force);
  const make = async (staging: string): Promise<Exported> => {
    const organization = readBack(draft, declaring, staging);
    const children = childrenOf(name, organization, new Date());
    const program = { name, target, organization, children };
    const imported = await importFileOf(context, program, draft);
    write(staging, new Map([...projectFiles(program), [importFile, `${JSON.stringify(imported, undefined, 2)}\n`]]));
    publish(staging, resolve(folder), files);
    return { files, resources: children.length, notImported: listNotImported(program, imported), notes: draft.notes };
  };
  return { files, write: () => inStaging(resolve(folder), make) };
}

/** Reads the written file back and compares it with the draft before the export succeeds. */
function readBack({ organization, texts }: Draft, files: Files, staging: string): OrganizationFile {
  write(staging, files);
  const loaded = loadFrom(staging);
  if (isDeepStrictEqual(plain(loaded), plain(withCertificates(organization, (file) => texts.get(file) ?? "").whole)))
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

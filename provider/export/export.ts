import { join, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { DocsError } from "../api/http/errors";
import { type ExistingResource, type ImportFile, importFileIn } from "../hosts/dynamic/import-file";
import { loadOrganization } from "../organization/file/loader";
import { withTexts } from "../organization/file/texts";
import type { OrganizationFile } from "../organization/file/types";
import type { ReadOptions } from "../organization/live/discovery";
import { reviewNotes } from "../organization/notes";
import { sections } from "../organization/sections";
import { type Child, childrenOf, notesName, notesType } from "../organization/sections/children";
import type { Section } from "../organization/sections/section";
import { organizationType } from "../resources/urns";
import { type Context, explained } from "../run/context";
import { propertiesIn } from "../run/properties";
import { type Draft, draftOf } from "./draft";
import { type Files, inStaging, publish, refuseExisting, refuseFolders, write } from "./files";
import { fileProgram, projectFiles } from "./project";
import { readEverything } from "./reading";
import { programOf, type TextInput } from "./typescript";
import { organizationFiles, organizationYaml } from "./yaml";

export interface ExportOptions extends ReadOptions {
  readonly folder: string;
  /** First argument of the class in the program, and name of the project. */
  readonly name: string;
  readonly format: "yaml" | "typescript";
  readonly force: boolean;
}

export interface Exported {
  /** Paths relative to the folder. */
  readonly files: readonly string[];
  readonly resources: number;
  /** What could not be exported, and what readers should know. */
  readonly notes: readonly string[];
}

const importJson = "import.json";

/** Writes a program for a live organization, with the file that imports it. */
export async function exportOrganization(context: Context, options: ExportOptions): Promise<Exported> {
  const folder = resolve(options.folder);
  const live = await explained(context, () => readEverything(context, options));
  const draft = draftOf(live);
  const written = organizationFiles(draft.organization);
  const names = [...namesOf(options, draft, written)];
  if (!options.force) refuseExisting(options.folder, names);
  else refuseFolders(options.folder, names);
  return inStaging(folder, async (staging) => {
    const organization = readBack(draft, written, staging);
    const children = childrenOf(options.name, organization, new Date());
    const made = { options, draft, organization, children };
    const imported = await importFileIn(context.run, listExisting(made), { organizationId: context.organizationId });
    write(staging, filesOf(made, imported));
    publish(staging, folder, names);
    return { files: names, resources: children.length, notes: draft.notes };
  });
}

function namesOf({ format }: ExportOptions, { texts }: Draft, written: Files): Set<string> {
  const yaml = format === "yaml" ? written.keys() : [];
  return new Set(["index.ts", ...yaml, ...texts.keys(), importJson, ...projectFiles("").map(([name]) => name)]);
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

interface Made {
  readonly options: ExportOptions;
  readonly draft: Draft;
  readonly organization: OrganizationFile;
  readonly children: readonly Child[];
}

/** The input of `importFile`: the resources, below the component if there is one. */
function listExisting({ options: { name, format }, draft, organization, children }: Made) {
  const resources = children.map((child) => describeExisting(child, draft));
  if (format === "typescript") return resources;
  const notes = { component: notesType, name: notesName(name), inputs: { review: reviewNotes(organization) } };
  return [{ component: organizationType, name }, ...[notes, ...resources].map((one) => ({ ...one, parent: name }))];
}

function describeExisting(child: Child, { ids }: Draft): ExistingResource {
  const { resource, name, key, section, inputs, site } = child;
  const own = { resource, name, inputs };
  const siteId = site === undefined ? undefined : (ids.sites.get(site) ?? "");
  if (siteId !== undefined) return { ...own, inputs: { ...inputs, siteId }, id: siteId };
  const { makeImportId }: Section["writing"] = sections[section].writing;
  return { ...own, id: makeImportId?.(inputs) ?? ids[section].get(key) ?? "" };
}

function filesOf(made: Made, imported: ImportFile): Files {
  const { options, organization, draft, children } = made;
  const { name, format } = options;
  const texts = new Map(children.flatMap((child) => textOf(child, draft)));
  const program = format === "yaml" ? fileProgram(name) : programOf({ organization, children, texts });
  return new Map([
    ["index.ts", program],
    [importJson, `${JSON.stringify(imported, undefined, 2)}\n`],
    ...projectFiles(name),
  ]);
}

/** The input of a child whose text is in a separate file, by the name of the child. */
function textOf({ section, key, name }: Child, { organization }: Draft): [name: string, text: TextInput][] {
  const { textFile }: Section = sections[section];
  const { [textFile?.property ?? ""]: file } = propertiesIn(propertiesIn(organization[section])[key]);
  return textFile && typeof file === "string" ? [[name, { input: textFile.input, file }]] : [];
}

import { join, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { ReadOptions } from "../access/discovery";
import { DocsError } from "../api/http/errors";
import { importResources } from "../hosts/dynamic/import-resources";
import { type ExistingEntry, type ExistingResource, importEntries } from "../hosts/import-list";
import { withCertificates } from "../organization/file/check";
import { loadOrganization, organizationYaml } from "../organization/file/loader";
import type { OrganizationFile } from "../organization/file/types";
import { reviewNotes } from "../organization/review-notes";
import { type Child, childrenOf, notesType, sections } from "../organization/sections";
import type { Section } from "../organization/sections/section";
import { notesName } from "../review/model/component-notes";
import { type Context, explained } from "../run/context";
import { organizationType } from "../run/urn";
import { pluginEntry } from "./adoption";
import { type Draft, draftOf, readEverything } from "./draft";
import { type Files, publish, refuseExisting, write, writeInStaging } from "./files";
import { type ExportTarget, type Program, projectFiles, projectNames } from "./project";
import { yamlOf } from "./yaml";

export interface ExportOptions extends ReadOptions {
  readonly folder: string;
  /** First argument of the class in the program, and name of the project. */
  readonly name: string;
  readonly target: ExportTarget;
  /** The backend that the file names. */
  readonly backend?: string | undefined;
  /** Whether to overwrite files; absent if the command has no option for it. */
  readonly force?: boolean;
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

const importFile = "import.json";

/** Reads a live organization, and refuses to overwrite files. */
export async function prepareExport(context: Context, options: ExportOptions): Promise<PreparedExport> {
  const { folder, name, target, backend, force } = options;
  const live = await explained(context, () => readEverything(context, options));
  const draft = draftOf(live, backend);
  const declaringFiles = new Map([[organizationYaml, yamlOf(draft.organization)], ...draft.texts]);
  // A program with one class for each resource has no organization.yaml, which is only read back, as a proof.
  const published = target.format === "resources" ? [] : declaringFiles.keys();
  // Without a program, the commands import by themselves. Then organization.yaml comes last: it includes the other files, so
  // these must be there even after a killed run.
  const isProgram = target.format !== "none";
  const files = isProgram ? [...published, ...projectNames(target), importFile] : [...published].reverse();
  refuseExisting(folder, files, force, isProgram ? undefined : declaringFiles);
  const writeExport = async (staging: string): Promise<Exported> => {
    const organization = readBack(draft, declaringFiles, staging);
    const children = childrenOf(name, organization, new Date());
    const program = { name, target, organization, children };
    const imported = isProgram ? await importFileOf(context, program, draft) : { resources: [] };
    write(staging, new Map([...projectFiles(program), [importFile, `${JSON.stringify(imported, undefined, 2)}\n`]]));
    publish(staging, resolve(folder), files);
    return { files, resources: children.length, notImported: listNotImported(program, imported), notes: draft.notes };
  };
  return { files, write: () => writeInStaging(resolve(folder), writeExport) };
}

/** Reads the written file back and compares it with the draft before the export succeeds. */
function readBack({ organization, texts }: Draft, files: Files, staging: string): OrganizationFile {
  write(staging, files);
  const loaded = loadFrom(staging);
  const { whole: expected } = withCertificates(organization, (file) => texts.get(file) ?? "");
  if (isDeepStrictEqual(asJson(loaded), asJson(expected))) return loaded;
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
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

interface ImportFile {
  readonly resources: readonly { readonly type: string; readonly name: string }[];
}

async function importFileOf(context: Context, program: Program, draft: Draft): Promise<ImportFile> {
  const { target, children } = program;
  const resources = children.map((child) => describeExisting(child, draft));
  const existing =
    target.format === "resources"
      ? resources
      : [...componentsAbove(program), ...resources.map((one) => ({ ...one, parent: program.name }))];
  if (target.host === "plugin") return { resources: await importEntries(existing, (one) => pluginEntry(context, one)) };
  return importResources(existing, { run: context.run });
}

/**
 * Names of what the first up creates, because the import file cannot have it: resources whose ids do not say what they manage,
 * and what the plugin records for reviews.
 */
function listNotImported(program: Program, { resources }: ImportFile): string[] {
  const { name, target, children } = program;
  const keyOf = (type: string, child: string) => JSON.stringify([type.split(":").at(-1), child]);
  const imported = new Set(resources.map((one) => keyOf(one.type, one.name)));
  const notes = target.host === "plugin" && target.format !== "resources" ? [notesName(name)] : [];
  const created = children.filter((child) => !imported.has(keyOf(child.resource, child.name)));
  return [...created.map((child) => child.name), ...notes];
}

/** The component, and what it records for reviews. The plugin records that at the first up, as in a new stack. */
function componentsAbove({ name, target, organization }: Program): ExistingEntry[] {
  const component = { component: organizationType, name };
  if (target.host === "plugin") return [component];
  const inputs = { review: reviewNotes(organization) };
  return [component, { component: notesType, name: notesName(name), inputs, parent: name }];
}

function describeExisting(child: Child, { ids }: Draft): ExistingResource {
  const { resource, name, key, section, inputs, site } = child;
  const described = { resource, name, inputs };
  const siteId = site === undefined ? undefined : (ids.sites.get(site) ?? "");
  if (siteId !== undefined) return { ...described, inputs: { ...inputs, siteId }, id: siteId };
  const { makeImportId }: Section["writing"] = sections[section].writing;
  return { ...described, id: makeImportId?.(inputs) ?? ids[section].get(key) ?? "" };
}

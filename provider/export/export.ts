import { join, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { DocsError } from "../api/http/errors";
import { type ExistingResource, type ImportFile, importFileIn } from "../hosts/dynamic/import-file";
import { loadOrganization } from "../organization/file/loader";
import type { ReadOptions } from "../organization/live/live";
import { reviewNotes } from "../organization/notes";
import { type Child, childrenOf, notesName, notesType, organizationType } from "../organization/sections/children";
import type { OrganizationFile } from "../organization/sections/schema";
import { type Context, explained } from "../run/context";
import { type Draft, draftOf } from "./draft";
import { type Files, inStaging, publish, refuseExisting, refuseFolders, write } from "./files";
import { fileProgram, projectFiles } from "./project";
import { readEverything } from "./reading";
import { programOf } from "./typescript";
import { organizationFiles, organizationYaml } from "./yaml";

export interface ExportOptions extends ReadOptions {
  readonly folder: string;
  /** First argument of the class in the program, and name of the project. */
  readonly name: string;
  readonly format: "yaml" | "typescript";
  readonly force: boolean;
}

export interface Exported {
  /** Paths below the folder. */
  readonly files: readonly string[];
  readonly resources: number;
  /** What could not be exported, or should be known. */
  readonly notes: readonly string[];
}

const importJson = "import.json";

/** Writes a program for an organization that is there, with the file that imports it. */
export async function exportOrganization(context: Context, options: ExportOptions): Promise<Exported> {
  const folder = resolve(options.folder);
  const live = await explained(context, () => readEverything(context, options));
  const draft = draftOf(live);
  const written = organizationFiles(draft.organization);
  const names = [...namesOf(options, draft, written)];
  if (!options.force) refuseExisting(options.folder, names);
  else refuseFolders(options.folder, names);
  return inStaging(folder, async (staging) => {
    const organization = checked(draft, written, staging);
    const children = childrenOf(options.name, organization, new Date());
    const made = { options, draft, organization, children };
    const imported = await importFileIn(context.run, existingIn(made), { organizationId: context.organizationId });
    write(staging, filesOf(made, imported));
    publish(staging, folder, names);
    return { files: names, resources: children.length, notes: draft.notes };
  });
}

function namesOf({ format }: ExportOptions, { certificates }: Draft, written: Files): Set<string> {
  const yaml = format === "yaml" ? written.keys() : [];
  return new Set(["index.ts", ...yaml, ...certificates.keys(), importJson, ...projectFiles("").map(([name]) => name)]);
}

/** What is written is read back before anybody is told that it is good. */
function checked({ organization, certificates }: Draft, written: Files, staging: string): OrganizationFile {
  write(staging, new Map([...certificates, ...written]));
  const loaded = loadedIn(staging);
  if (isDeepStrictEqual(plain(loaded), plain(withCertificates(organization, certificates)))) return loaded;
  throw defect("it reads as something else");
}

function loadedIn(staging: string): OrganizationFile {
  try {
    return loadOrganization(join(staging, organizationYaml)).organization;
  } catch (error) {
    throw error instanceof DocsError ? defect(error.message) : error;
  }
}

const defect = (what: string) =>
  new DocsError(`nothing was written, since the file would not say what is live; please report this: ${what}`);

/** As JSON has it: without prototypes, and without what is `undefined`. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

function withCertificates(organization: OrganizationFile, certificates: Files): OrganizationFile {
  if (organization.saml === undefined) return organization;
  const saml = Object.entries(organization.saml).map(([name, { certificateFile, ...provider }]) => {
    return [name, { ...provider, ...(certificateFile && { certificate: certificates.get(certificateFile) }) }];
  });
  return { ...organization, saml: Object.fromEntries(saml) };
}

interface Made {
  readonly options: ExportOptions;
  readonly draft: Draft;
  readonly organization: OrganizationFile;
  readonly children: readonly Child[];
}

/** What `importFile` is asked for: the resources, below the component where there is one. */
function existingIn({ options: { name, format }, draft, organization, children }: Made) {
  const resources = children.map((child) => existing(child, name, draft));
  if (format === "typescript") return resources;
  const notes = { component: notesType, name: notesName(name), inputs: { review: reviewNotes(organization) } };
  return [{ component: organizationType, name }, ...[notes, ...resources].map((one) => ({ ...one, parent: name }))];
}

function existing(child: Child, above: string, { ids, organization }: Draft): ExistingResource {
  const { resource, name, inputs, site } = child;
  const key = keyOf(child, above);
  const siteId = ids.sites.get(site ?? key) ?? "";
  if (resource === "MemberRoles") return { resource, name, inputs, id: `${organization.organization}/roles` };
  if (resource === "TeamMembers") return { resource, name, inputs, id: String(inputs.teamId) };
  if (resource === "TeamMembership") return { resource, name, inputs, id: `${inputs.teamId}/${inputs.user}` };
  if (resource === "Site") return { resource, name, inputs, id: siteId };
  if (site !== undefined) return { resource, name, inputs: { ...inputs, siteId }, id: siteId };
  const id = (resource === "SamlProvider" ? ids.saml : ids.translations).get(key) ?? "";
  return { resource, name, inputs, id };
}

/** The key in the file. */
const keyOf = ({ name }: Child, above: string): string => name.slice(above.length + 1);

function filesOf(made: Made, imported: ImportFile): Files {
  const { options, organization, draft, children } = made;
  const { name, format } = options;
  const files = Object.entries(draft.organization.saml ?? {}).flatMap(([key, { certificateFile }]) =>
    certificateFile === undefined ? [] : [[`${name}-${key}`, certificateFile] as const],
  );
  const program =
    format === "yaml" ? fileProgram(name) : programOf({ name, organization, children, certificates: new Map(files) });
  return new Map([
    ["index.ts", program],
    [importJson, `${JSON.stringify(imported, undefined, 2)}\n`],
    ...projectFiles(name),
  ]);
}

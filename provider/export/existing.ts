import * as definitions from "../definitions";
import { importResources } from "../hosts/dynamic/import-resources";
import { type Existing, type ExistingResource, importEntries } from "../hosts/import-list";
import { IncompleteId, liveState } from "../lifecycle/live-state";
import { reviewNotes } from "../organization/review-notes";
import { type Child, notesName, notesType, sections } from "../organization/sections";
import type { Section } from "../organization/sections/section";
import { type Context, explained } from "../run/context";
import { organizationType, typeIn } from "../run/urn";
import type { Draft } from "./draft";
import type { Program } from "./project";

interface ImportFile {
  readonly resources: readonly { readonly type: string; readonly name: string }[];
}

export async function importFileOf(context: Context, program: Program, draft: Draft): Promise<ImportFile> {
  const { target, children } = program;
  const resources = children.map((child) => describeExisting(child, draft));
  const existing =
    target.format === "resources"
      ? resources
      : [...componentsAbove(program), ...resources.map((one) => ({ ...one, parent: program.name }))];
  if (target.host === "plugin") return { resources: await importEntries(existing, (one) => entryById(context, one)) };
  return importResources(existing, context.run);
}

/**
 * An entry for the plugin, which reads everything else. The object is read as the plugin will. A resource whose id does not say
 * what it manages, such as `MemberRoles`, is left out: the program declares it, which sends nothing.
 */
async function entryById(context: Context, { resource, name, id }: ExistingResource) {
  try {
    // The export has already said which live values nobody can declare.
    await explained(context, () => liveState(context, definitions[resource], { id, leaveOut: () => undefined }));
    return { type: typeIn("plugin", resource), name, id };
  } catch (error) {
    if (error instanceof IncompleteId) return undefined;
    throw error;
  }
}

/**
 * Names of what the first up creates, because the import file cannot have it: resources whose ids do not say what they manage,
 * and what the plugin records for reviews.
 */
export function listNotImported(program: Program, { resources }: ImportFile): string[] {
  const { name, target, children } = program;
  const key = (type: string, name: string) => JSON.stringify([type.split(":").at(-1), name]);
  const imported = new Set(resources.map((one) => key(one.type, one.name)));
  const notes = target.host === "plugin" && target.format !== "resources" ? [notesName(name)] : [];
  return [
    ...children.filter((child) => !imported.has(key(child.resource, child.name))).map((child) => child.name),
    ...notes,
  ];
}

/** The component, and what it records for reviews. The plugin records that at the first up, as in a new stack. */
function componentsAbove({ name, target, organization }: Program): Existing[] {
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

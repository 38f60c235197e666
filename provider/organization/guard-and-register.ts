import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { withTitles } from "../access/discovery";
import { managementOf } from "../access/management";
import { canonical } from "../access/plan-file";
import { reviewedPlan } from "../access/reviewed";
import { DocsError, isNotFound } from "../api/http/errors";
import { renamesIn } from "../lifecycle/renames";
import { type AppliedGrant, notesName } from "../review/model/component-notes";
import { type Context, connect, explained } from "../run/context";
import { refuseOtherServices } from "../run/origin";
import type { Run } from "../run/run";
import { previewedVariable } from "../run/settings";
import { stackIn } from "../run/urn";
import { writesOf, writtenKey } from "../run/writes";
import type { ComponentHost } from "./component-host";
import type { DeclaredOrganization } from "./declaration";
import { inProgram } from "./file/places";
import type { OrganizationFile } from "./file/types";
import { type PlannedChange, planChange } from "./guards/change";
import { findExistingChildren } from "./guards/existing";
import { findViolations } from "./guards/guards";
import { readGuarded } from "./live/live";
import { readRecorded } from "./live/recorded";
import { type OutputPath, outputPaths } from "./output-paths";
import { applyGrants, listLiveAccess, reviewNotes } from "./review-notes";
import { type RunComponent, requireAllGuards } from "./run-components";
import { type Child, childrenOf, notesType } from "./sections";
import { listWarnings } from "./warnings";

/** Compares the declaration with what is live and recorded, registers the children, and returns the outputs of the component. */
export async function guardAndRegister<Resource, Output>(
  host: ComponentHost<Resource>,
  own: RunComponent,
  declared: DeclaredOrganization,
  outputAt: (resource: Resource, path: OutputPath) => Output,
) {
  const { name } = own;
  const { change, applied } = await requireAllGuards(host, own, guard(host, name, declared));
  // Only previews are reviewed, and the state must not keep access that is outdated after the up.
  const live = host.isPreview ? listLiveAccess(change) : [];
  const notes = reviewNotes(declared.organization);
  const appliedAfter = applyGrants(change, applied);
  const children = childrenOf(name, declared.organization, declared.now);
  renamesIn(host.run).noteComponent(declared.organization.organization, name);
  const outputs = registerChildren(children, host, outputAt);
  host.registerNotes(notesType, notesName(name), ({ isMade }) => {
    const review = { ...notes, ...(live.length > 0 && { live }) };
    if (isMade && (host.isPreview || !host.run.settings.isReadOnly()))
      return { inputs: { review }, outputs: { applied: appliedAfter }, kept: [] };
    // A run that has failed or must send nothing applies no line, so no night may begin or end what only this run has read.
    const grants = notes.grants?.filter(({ from, expires }) => from === undefined && expires === undefined);
    return { inputs: { review: { ...review, grants } }, outputs: { applied }, kept: ["review"] };
  });
  return outputs;
}

/** Plans the change, and refuses violations before any child is registered, so one violation stops the whole organization. */
async function guard(
  host: ComponentHost<unknown>,
  name: string,
  { organization, places, now }: DeclaredOrganization,
): Promise<{ readonly change: PlannedChange; readonly applied: readonly AppliedGrant[] }> {
  const organizationId = organization.organization;
  try {
    const { run } = host;
    refuseUnpreviewed(run, host.isPreview, organization);
    const reviewed = reviewedPlan(run)?.plan;
    const { services, managed, applied, ...state } = await readRecorded(host, organizationId);
    refuseOtherServices(run, services);
    run.settings.requireFor(organizationId);
    const context = await connect(run, organizationId);
    for (const { outputs } of state.recorded) writesOf(context).restore(outputs[writtenKey]);
    const reading = explained(context, () => readGuarded(context, { organization, ...state }));
    const live = await reading.catch((error) => {
      throw isNotFound(error) ? new DocsError(places.report(["organization"], error.message)) : error;
    });
    for (const id of managed) managementOf(run).recordObject(id);
    const children = childrenOf(name, organization, now);
    const existing = await explained(context, () => findExistingChildren(context, children, state.recorded));
    const [urn = ""] = await host.urns();
    // Each recorded resource names its service.
    const isEmpty = Object.keys(services).length === 0;
    const stack = { name: stackIn(urn), isEmpty, isRunByDocsOrg: run.settings.isRunByDocsOrg() };
    const declaredBy = places.of(["organization"])?.file ?? "the program";
    const planned = planChange({ name, organization, live, existing, declaredBy, stack, now, reviewed, ...state });
    const change = await explained(context, () => withTeamTitles(context, planned));
    for (const text of listWarnings(change)) await host.warn(text);
    const violations = findViolations(change);
    if (violations.length === 0) return { change, applied };
    const lines = violations.map(({ path, text }) => (path.length === 0 ? text : places.report(path, text)));
    // A violation in a file begins with the file and the line.
    throw new DocsError(places === inProgram ? `Organization "${name}": ${lines.join("\n")}` : lines.join("\n"));
  } catch (error) {
    throw host.presentable(error);
  }
}

/** Keeps a digest of a previewed declaration, and refuses an up of another one: the file may have been edited meanwhile. */
function refuseUnpreviewed(run: Run, isPreview: boolean, organization: OrganizationFile): void {
  const file = run.settings.variable(previewedVariable);
  if (file === undefined) return;
  const digest = createHash("sha256").update(canonical(organization)).digest("hex");
  if (isPreview) writeFileSync(file, digest);
  else if (readFileSync(file, "utf8") !== digest) {
    throw new DocsError(
      "the organization's file, or a file that it refers to, was changed after the preview, so nothing was changed",
    );
  }
}

/**
 * Adds the titles of the teams in which the change gives or takes access, and of those that the stack does not manage yet: there,
 * a wrong title in the file would mislead reviewers. Each title costs a request.
 */
async function withTeamTitles(context: Context, change: PlannedChange): Promise<PlannedChange> {
  const { access, live, recorded } = change;
  const changed = new Set(access.changes.map(({ place }) => place.team));
  const managed = new Set(recorded.map(({ outputs }) => outputs.teamId));
  const teams = await withTitles(context, live.teams, ({ id }) => changed.has(id) || !managed.has(id));
  return { ...change, live: { ...live, teams } };
}

/** Registers the children in their order, a part of a site after the site, and returns the outputs of the component. */
function registerChildren<Resource, Output>(
  children: readonly Child[],
  host: ComponentHost<Resource>,
  outputAt: (resource: Resource, path: OutputPath) => Output,
): Readonly<Record<string, Readonly<Record<string, Output>>>> {
  const registered = new Map<string, Resource>();
  const idOf = (resource: string, key: string) => `${resource} ${key}`;
  for (const child of children) {
    const site = child.site === undefined ? undefined : registered.get(idOf("Site", child.site));
    registered.set(idOf(child.resource, child.key), host.registerChild(child, site));
  }
  const outputs = Object.entries(outputPaths).map(([name, [resource, ...path]]) => {
    const keys = children.flatMap((child) => (child.resource === resource ? [child.key] : []));
    const values = keys.map((key) => [key, outputAt(registered.get(idOf(resource, key)) as Resource, path)]);
    return [name, Object.fromEntries(values)];
  });
  return Object.fromEntries(outputs);
}

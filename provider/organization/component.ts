import * as pulumi from "@pulumi/pulumi";
import { reviewedPlan } from "../access/reviewed";
import { DocsError, isNotFound } from "../api/http/errors";
import { contextOf, explainedLookup, presentable } from "../hosts/dynamic/lookups/lookup";
import { placeOf, programRun } from "../hosts/dynamic/program-run";
import { refuseConfiguration } from "../hosts/dynamic/resource-class";
import { failInlineRun } from "../hosts/dynamic/sdk-internals";
import { refuseServices } from "../run/origin";
import { perRun } from "../run/run";
import { dotted } from "../text/mistakes";
import { now as clock } from "./clock";
import type { Loaded } from "./file/loader";
import { inProgram, type Path } from "./file/places";
import type { OrganizationFile } from "./file/types";
import { type ProjectedChange, projectChange } from "./guards/change";
import { findViolations } from "./guards/guards";
import { readGuarded } from "./live/live";
import { reviewNotes } from "./notes";
import { reportRefusal } from "./outcome";
import { listPresentAccess } from "./present";
import { readRecorded } from "./projection/recorded";
import { outputsOf, registerChildren } from "./registration";
import { childrenOf, notesName, notesType, organizationType } from "./sections/children";
import { listWarnings } from "./warnings";

/** The file that declares an organization, relative to the folder of the program. */
export interface OrganizationFromFile {
  readonly file: string;
}

/** The file, or its content as an object. Outputs are refused: an access review must know all values at preview. */
export type OrganizationArgs = OrganizationFromFile | OrganizationFile;

/** The outputs of the component, by the names of the resources in the file. */
interface ComponentOutputs {
  readonly siteIds: Record<string, pulumi.Output<string>>;
  readonly publishedUrls: Record<string, pulumi.Output<string | undefined>>;
  readonly translationIds: Record<string, pulumi.Output<string>>;
  readonly samlProviderIds: Record<string, pulumi.Output<string>>;
}

interface Declared extends Loaded {
  readonly now: Date;
}

/** Hands the declaration from the constructor, which reads it first, to `initialize`, which gets only the inputs. */
const declarations = new WeakMap<object, Declared & Pick<Placed, "place">>();

/**
 * A whole organization in one reviewed file: roles, teams, SAML, sites and translations, with guards that refuse dangerous
 * changes.
 *
 * @remarks
 * The component registers the resources that a program would otherwise declare one by one: one `MemberRoles`, one `TeamMembers`
 * for each team with `members`, one `TeamMembership` for each person in `memberships`, and a `SamlProvider`, `Site` (with `SiteAdaptiveSchema` and `SiteStructureOrder`) or `Translation` for each name.
 * A file and the same content as an object register the same resources with the same URNs.
 *
 * Before any resource is registered, at preview and again at up, the guards compare the declaration with the live organization
 * and with the recorded state of the stack. A violation stops the program with one message that names each person or site.
 *
 * Sites are protected against deletion unless they have `protect: false`. A destroy restores previous roles, unless a previous role is more powerful than the current one.
 *
 * A program must declare an organization only once: the guards of two components do not know of each other's changes.
 *
 * @example
 * ```ts
 * new docs.Organization("acme", { file: "organization.yaml" });
 * ```
 */
export class Organization extends pulumi.ComponentResource<ComponentOutputs> {
  /** Ids of the sites by name. */
  readonly siteIds: pulumi.Output<Record<string, string>>;
  /** Public addresses of the sites that are published, by name. */
  readonly publishedUrls: pulumi.Output<Record<string, string | undefined>>;
  /** Ids of the translations by name. */
  readonly translationIds: pulumi.Output<Record<string, string>>;
  /** Ids of the SAML providers by name. */
  readonly samlProviderIds: pulumi.Output<Record<string, string>>;

  constructor(name: string, args: OrganizationArgs, options: pulumi.ComponentResourceOptions = {}) {
    const place = placeOf(organizationType, name, options.parent);
    const declared = rejectMistakes({ name, place }, () =>
      refuseSecondComponent({ name, place }, readDeclaration(args)),
    );
    const inputs = {};
    declarations.set(inputs, { ...declared, place });
    super(organizationType, name, inputs, options);
    const made = pulumi.output(this.getData());
    this.siteIds = made.siteIds;
    this.publishedUrls = made.publishedUrls;
    this.translationIds = made.translationIds;
    this.samlProviderIds = made.samlProviderIds;
  }

  protected override async initialize(
    inputs: pulumi.Inputs,
    _options: unknown,
    name: string,
  ): Promise<ComponentOutputs> {
    const declared = declarations.get(inputs) as Declared & Pick<Placed, "place">;
    return reportRefusal(keepRunAlive(() => this.guardAndRegister(name, declared)));
  }

  private async guardAndRegister(name: string, declared: Declared & Pick<Placed, "place">): Promise<ComponentOutputs> {
    const { place } = declared;
    const change = await requireAllGuards({ name, place }, this.guard(name, declared));
    // Only previews are reviewed, and the state must not keep access that is outdated after the up.
    const present = pulumi.runtime.isDryRun() ? listPresentAccess(change) : {};
    // Registered after the guards, so that a refused change never becomes what later reviews compare with.
    new pulumi.ComponentResource(
      notesType,
      notesName(name),
      { review: { ...reviewNotes(declared.organization), ...present } },
      { parent: this },
    );
    const children = childrenOf(name, declared.organization, declared.now);
    // The sections name their outputs as the class does.
    return outputsOf(children, registerChildren(children, this)) as unknown as ComponentOutputs;
  }

  /** Runs before any child is registered, so a violation stops the whole organization. */
  private async guard(name: string, { organization, places, now }: Declared): Promise<ProjectedChange> {
    const given = { organizationId: organization.organization };
    try {
      refuseConfiguration();
      const run = programRun();
      const plan = reviewedPlan(run);
      const {
        children: recorded,
        formerComponents,
        rolesManagedElsewhere,
        services,
      } = await readRecorded(this, organization.organization);
      refuseServices(run, services);
      const context = await contextOf(given);
      const reading = explainedLookup(context, () => readGuarded(context, { organization, recorded, now }));
      const live = await reading.catch((error) => {
        throw isNotFound(error) ? new DocsError(places.report(["organization"], error.message)) : error;
      });
      const change = projectChange({
        name,
        formerComponents,
        rolesManagedElsewhere,
        organization,
        live,
        recorded,
        now,
        plan,
      });
      for (const text of listWarnings(change)) await pulumi.log.warn(text, this);
      const violations = findViolations(change);
      if (violations.length === 0) return change;
      const lines = violations.map(({ path, text }) => places.report(path, text));
      throw new DocsError(places === inProgram ? `Organization "${name}": ${lines.join("\n")}` : lines.join("\n"));
    } catch (error) {
      throw presentable(given, error);
    }
  }
}

/**
 * The Automation API ends a run when the program has returned and no request to the engine is pending. Requests of the guards
 * to the service do not count, so this function keeps the run alive while they are pending.
 */
async function keepRunAlive<T>(work: () => Promise<T>): Promise<T> {
  const done = pulumi.runtime.rpcKeepAlive();
  try {
    return await work();
  } catch (error) {
    failInlineRun(error);
    throw error;
  } finally {
    // The SDK registers the outputs of the component right after this.
    setImmediate(done);
  }
}

function readDeclaration(args: OrganizationArgs): Declared {
  const now = clock();
  refuseOutputs(args);
  if (typeof args !== "object" || args === null) {
    throw new DocsError('an organization is declared by an object, such as { file: "organization.yaml" }');
  }
  // The YAML reader is only loaded if there is a file.
  const { loadOrganization } = require("./file/loader") as typeof import("./file/loader");
  if ("file" in args) return { ...loadOrganization(readFileOption(args), { now }), now };
  const { checkOrganization } = require("./file/check") as typeof import("./file/check");
  return { organization: checkOrganization(args, { now }), places: inProgram, now };
}

/** A component of the run. */
interface Placed {
  /** Not unique: a component below another parent may have the same name. */
  readonly name: string;
  readonly place: string;
}

interface Guarded extends Placed {
  readonly guard: Promise<unknown>;
}

/** The running guards of all organizations that the program declares. */
const guardsIn = perRun((): Guarded[] => []);

function addGuard(own: Guarded): readonly Guarded[] {
  const all = guardsIn(programRun());
  all.push(own);
  return all;
}

/** Refuses every organization of the run if one is refused: they are reviewed and applied together. */
async function requireAllGuards<T>({ name, place }: Placed, own: Promise<T>): Promise<T> {
  const all = addGuard({ name, place, guard: own });
  const outcome = await own;
  for (const { name: other, guard } of all.filter((one) => one.place !== place)) {
    await guard.catch(() => {
      throw presentable(
        {},
        new DocsError(`Organization "${name}": nothing is changed, because Organization "${other}" is refused`),
      );
    });
  }
  return outcome;
}

/** The component of the run that declares an organization, by the id of the organization. */
const componentsIn = perRun(() => new Map<string, Placed>());

/** Two components of one organization would escape the guards: each guard sees only half of the change. */
function refuseSecondComponent(own: Placed, declared: Declared): Declared {
  const components = componentsIn(programRun());
  const { organization: id } = declared.organization;
  const first = components.get(id) ?? own;
  components.set(id, first);
  if (first.place === own.place) return declared;
  throw new DocsError(
    `Organization "${own.name}": Organization "${first.name}" of this program already declares organization "${id}", and guards do not see the changes of the other component; ` +
      "declare the organization in one component, whose file may !include other files",
  );
}

/** Refuses options beside `file`: a reader would believe that guards beside it have an effect. */
function readFileOption({ file, ...others }: OrganizationFromFile): string {
  const [other] = Object.entries(others).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (typeof file !== "string") throw new DocsError("file: use the path of a file, such as organization.yaml");
  if (other === undefined) return file;
  throw new DocsError(`${other}: use either file or ${other}; the file declares the whole organization`);
}

function refuseOutputs(value: unknown, path: Path = [], seen = new WeakSet<object>()): void {
  if (pulumi.Output.isInstance(value) || value instanceof Promise) {
    const what = path.length > 0 ? dotted(path) : "the organization";
    throw new DocsError(
      `${what} is an output, whose value is not known yet; declare the organization with plain values`,
    );
  }
  if (typeof value !== "object" || value === null || seen.has(value)) return;
  seen.add(value);
  for (const [name, inner] of Object.entries(value)) refuseOutputs(inner, [...path, name], seen);
}

/** Shows a mistake in the declaration without a stack trace, and refuses the other organizations of the run. */
function rejectMistakes<T>(own: Placed, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const refused = Promise.reject(error);
    // Other organizations read this rejection. If there are none, it must not end the process as unhandled.
    refused.catch(() => undefined);
    addGuard({ ...own, guard: refused });
    throw presentable({}, error);
  }
}

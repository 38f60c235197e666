import * as pulumi from "@pulumi/pulumi";
import { reviewedPlan } from "../access/reviewed";
import { DocsError, isNotFound } from "../api/http/errors";
import { contextOf, explainedLookup, presentable } from "../hosts/dynamic/lookups/lookup";
import { placeOf, programRun } from "../hosts/dynamic/program-run";
import { refuseConfiguration } from "../hosts/dynamic/resource-class";
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

/** The file, or the same as an object. Values are plain: an access review needs to know them at preview. */
export type OrganizationArgs = OrganizationFromFile | OrganizationFile;

/** What the organization's resources have become, by their names in the file. */
interface Made {
  readonly siteIds: Record<string, pulumi.Output<string>>;
  readonly publishedUrls: Record<string, pulumi.Output<string | undefined>>;
  readonly translationIds: Record<string, pulumi.Output<string>>;
  readonly samlProviderIds: Record<string, pulumi.Output<string>>;
}

interface Declared extends Loaded {
  readonly now: Date;
}

/** What was read before the engine was told of the component, by the inputs that it is told. */
const declarations = new WeakMap<object, Declared & Pick<Placed, "place">>();

/**
 * A whole organization as one reviewed file: roles, teams, SAML, sites and translations, with guards against changes that
 * must not happen.
 *
 * @remarks
 * Its children are the resources that a program would declare by hand: one `MemberRoles`, one `TeamMembers` for each team with
 * `members`, one `TeamMembership` for each person in `memberships`, and a `SamlProvider`, `Site` (with `SiteAdaptiveSchema` and `SiteStructureOrder`) or `Translation` for each name.
 * The file and the same object in a program give the same resources with the same URNs.
 *
 * Before any of them is registered, at preview and again at up, the guards compare the declaration with what is live and with
 * what the stack has managed so far. A violation stops the program with one message that names each person or site.
 *
 * Sites are protected against deletion unless they have `protect: false`. A destroy gives back the roles that were found, unless that would raise one.
 *
 * A program declares an organization once: the guards of two components would each allow what both requireAllGuards must not do.
 *
 * @example
 * ```ts
 * new docs.Organization("acme", { file: "organization.yaml" });
 * ```
 */
export class Organization extends pulumi.ComponentResource<Made> {
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

  protected override async initialize(inputs: pulumi.Inputs, _options: unknown, name: string): Promise<Made> {
    const declared = declarations.get(inputs) as Declared & Pick<Placed, "place">;
    return reportRefusal(keepRunAlive(() => this.guardAndRegister(name, declared)));
  }

  private async guardAndRegister(name: string, declared: Declared & Pick<Placed, "place">): Promise<Made> {
    const { place } = declared;
    const change = await requireAllGuards({ name, place }, this.guard(name, declared));
    // An up has nothing to show, and its state nothing that is outdated by then.
    const present = pulumi.runtime.isDryRun() ? listPresentAccess(change) : {};
    // Registered here, what reviews compare with is never that of a change which was refused.
    new pulumi.ComponentResource(
      notesType,
      notesName(name),
      { review: { ...reviewNotes(declared.organization), ...present } },
      { parent: this },
    );
    const children = childrenOf(name, declared.organization, declared.now);
    // The sections name their outputs as the class does.
    return outputsOf(children, registerChildren(children, this)) as unknown as Made;
  }

  /** Nothing has happened yet: whatever it refuses is refused as a whole. */
  private async guard(name: string, { organization, places, now }: Declared): Promise<ProjectedChange> {
    const given = { organizationId: organization.organization };
    try {
      refuseConfiguration();
      const run = programRun();
      const plan = reviewedPlan(run);
      const { children: recorded, former, elsewhere, services } = await readRecorded(this, organization.organization);
      refuseServices(run, services);
      const context = await contextOf(given);
      const reading = explainedLookup(context, () => readGuarded(context, { organization, recorded, now }));
      const live = await reading.catch((error) => {
        throw isNotFound(error) ? new DocsError(places.report(["organization"], error.message)) : error;
      });
      const change = projectChange({ name, former, elsewhere, organization, live, recorded, now, plan });
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
 * The Automation API ends a run when its program has returned and nothing is on its way to the engine, which knows nothing of
 * what the guards read of the service.
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

/**
 * The SDK reports an error of an inline program only after the engine was told that the program is complete, and the engine
 * deletes what the program does not declare. A failed wait for what is on its way makes the program itself fail before that.
 */
function failInlineRun(error: unknown): void {
  const store = getLocalStore();
  if (!store) return;
  store.settings.rpcDone = Promise.reject(error);
  store.settings.rpcDone.catch(() => undefined);
}

/** Not among the SDK's public types (seen in 3.270): there is one while an inline program runs. */
const { getLocalStore } = require("@pulumi/pulumi/runtime/state") as {
  getLocalStore(): { readonly settings: { rpcDone: Promise<unknown> } } | undefined;
};

function readDeclaration(args: OrganizationArgs): Declared {
  const now = clock();
  refuseOutputs(args);
  if (typeof args !== "object" || args === null) {
    throw new DocsError('an organization is declared by an object, such as { file: "organization.yaml" }');
  }
  // The reader of YAML is only loaded where there is a file.
  const { loadOrganization } = require("./file/loader") as typeof import("./file/loader");
  if ("file" in args) return { ...loadOrganization(readFileOption(args), { now }), now };
  const { checkOrganization } = require("./file/check") as typeof import("./file/check");
  return { organization: checkOrganization(args, { now }), places: inProgram, now };
}

/** A component of the run. */
interface Placed {
  /** Which another component may have below another parent. */
  readonly name: string;
  readonly place: string;
}

interface Guarded extends Placed {
  readonly guard: Promise<unknown>;
}

/** The guards of a run's organizations. */
const guardsIn = perRun((): Guarded[] => []);

function noteGuard(own: Guarded): readonly Guarded[] {
  const all = guardsIn(programRun());
  all.push(own);
  return all;
}

/** Nothing of any organization is done where one of them is refused: they are reviewed and applied requireAllGuards. */
async function requireAllGuards<T>({ name, place }: Placed, own: Promise<T>): Promise<T> {
  const all = noteGuard({ name, place, guard: own });
  const outcome = await own;
  for (const { name: other, guard } of all.filter((one) => one.place !== place)) {
    await guard.catch(() => {
      throw presentable(
        {},
        new DocsError(`Organization "${name}": nothing of it is done, since Organization "${other}" is refused`),
      );
    });
  }
  return outcome;
}

/** Which component of the run has an organization, by its id. */
const componentsIn = perRun(() => new Map<string, Placed>());

/** Guards of two components would each allow what both requireAllGuards must not do. */
function refuseSecondComponent(own: Placed, declared: Declared): Declared {
  const components = componentsIn(programRun());
  const { organization: id } = declared.organization;
  const first = components.get(id) ?? own;
  components.set(id, first);
  if (first.place === own.place) return declared;
  throw new DocsError(
    `Organization "${own.name}": Organization "${first.name}" of this program declares organization "${id}" already, and the guards of one count nothing of the other; ` +
      "declare all of it in one, whose file may !include others",
  );
}

/** Guards beside a file would be taken for some that hold. */
function readFileOption({ file, ...others }: OrganizationFromFile): string {
  const [other] = Object.entries(others).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (typeof file !== "string") throw new DocsError("file: use the path of a file, such as organization.yaml");
  if (other === undefined) return file;
  throw new DocsError(`${other}: use either file or ${other}; what stands in the file is the whole organization`);
}

function refuseOutputs(value: unknown, path: Path = [], seen = new WeakSet<object>()): void {
  if (pulumi.Output.isInstance(value) || value instanceof Promise) {
    const what = path.length > 0 ? dotted(path) : "the organization";
    throw new DocsError(`${what} is an output, which is known later; declare an organization with plain values`);
  }
  if (typeof value !== "object" || value === null || seen.has(value)) return;
  seen.add(value);
  for (const [name, inner] of Object.entries(value)) refuseOutputs(inner, [...path, name], seen);
}

/** A user's mistake is a sentence, without the stack of the program; the other organizations of the run wait for none. */
function rejectMistakes<T>(own: Placed, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const refused = Promise.reject(error);
    // Whoever asks is told, and nobody may.
    refused.catch(() => undefined);
    noteGuard({ ...own, guard: refused });
    throw presentable({}, error);
  }
}

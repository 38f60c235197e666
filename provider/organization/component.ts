import * as pulumi from "@pulumi/pulumi";
import * as classes from "../hosts/dynamic/classes";
import { reportRefusal } from "../hosts/dynamic/component-results";
import { recordedResources } from "../hosts/dynamic/stack-resources";
import { refuseConfiguration } from "../program/configuration";
import { loadAsk } from "../program/late";
import { programRun, urnOf } from "../program/program-run";
import { aliasesOf, failInlineRun } from "../program/sdk-internals";
import { propertiesIn } from "../run/properties";
import { organizationType } from "../run/urn";
import type { OrganizationArgs } from "./arguments";
import type { ComponentHost } from "./component-host";
import { OrganizationComponent } from "./component-outputs";
import type { DeclaredOrganization } from "./declaration";
import { type OutputPath, outputPaths } from "./output-paths";
import { type RunComponent, refuseSecondComponent, rejectMistakes } from "./run-components";
import type { Child } from "./sections";

// Loaded with the first component: a program may declare single resources only.
const loadDeclaration = () => require("./declaration") as typeof import("./declaration");
const loadGuardAndRegister = () => require("./guard-and-register") as typeof import("./guard-and-register");

/** By the name of the output and the key in the file. */
type Made = Readonly<Record<string, Readonly<Record<string, pulumi.Output<unknown>>>>>;

interface Declaration extends DeclaredOrganization {
  readonly own: RunComponent;
}

/** Hands the declaration from the constructor, which reads it first, to `initialize`, which gets only the inputs. */
const declarations = new WeakMap<object, Declaration>();

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
 * A program can declare an organization only once: the guards of two components do not know of each other's changes.
 *
 * @example
 * ```ts
 * new docs.Organization("acme", { file: "organization.yaml" });
 * ```
 */
export class Organization extends OrganizationComponent<Made> {
  constructor(name: string, args: OrganizationArgs, options: pulumi.ComponentResourceOptions = {}) {
    const own = { name, place: urnOf(organizationType, name, options.parent) };
    const host = { run: programRun(), presentable };
    const declared = rejectMistakes(host, own, () => {
      const declaration = loadDeclaration().readDeclaration(args, isOutput);
      refuseSecondComponent(host.run, own, declaration);
      return declaration;
    });
    const inputs = {};
    declarations.set(inputs, { ...declared, own });
    super(organizationType, name, inputs, options);
    const made = pulumi.output(this.getData());
    // With `apply`, all outputs would be unknown in a preview as soon as one of them is.
    for (const output of Object.keys(outputPaths)) Reflect.set(this, output, Reflect.get(made, output));
  }

  protected override async initialize(inputs: pulumi.Inputs): Promise<Made> {
    const declared = declarations.get(inputs) as Declaration;
    const made = keepRunAlive(() => {
      refuseConfiguration();
      return loadGuardAndRegister().guardAndRegister(hostOf(this), declared.own, declared, outputAt);
    });
    return reportRefusal(made);
  }
}

/** The component in a program with the SDK. */
function hostOf(component: pulumi.ComponentResource): ComponentHost<pulumi.CustomResource> {
  return {
    run: programRun(),
    isPreview: pulumi.runtime.isDryRun(),
    urns: () => new Promise((resolve) => pulumi.all([component.urn, ...aliasesOf(component)]).apply(resolve)),
    recordedResources,
    presentable,
    warn: (text) => pulumi.log.warn(text, component),
    // Only `up --only grants` must know which children were made, and it uses the plugin.
    registerNotes: (type, name, notesAfter) => {
      const { inputs, kept } = notesAfter({ isMade: true });
      new pulumi.ComponentResource(type, name, inputs, { parent: component, ignoreChanges: kept });
    },
    registerChild: (child, site) => registerChild(component, child, site),
  };
}

const presentable = (error: unknown): unknown => loadAsk().presentableError(error);

function registerChild(
  parent: pulumi.Resource,
  { resource, name, inputs, protect, site: key }: Child,
  site: pulumi.CustomResource | undefined,
): pulumi.CustomResource {
  const options = { parent, ...(protect !== undefined && { protect }) };
  const siteId = key === undefined ? {} : { siteId: site?.id };
  // The compiler cannot relate the class to its inputs; the class checks them itself.
  return new classes[resource](name, { ...inputs, ...siteId } as never, options);
}

function outputAt(resource: unknown, [name, ...path]: OutputPath): pulumi.Output<unknown> {
  const output = (resource as Readonly<Record<string, pulumi.Output<unknown>>>)[name] as pulumi.Output<unknown>;
  if (path.length === 0) return output;
  return output.apply((value): unknown => path.reduce((inner, key) => propertiesIn(inner)[key], value));
}

const isOutput = (value: unknown): boolean => pulumi.Output.isInstance(value) || value instanceof Promise;

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
    // Not at once: the SDK registers the outputs of the component right after this, which must still be part of the run.
    setImmediate(done);
  }
}

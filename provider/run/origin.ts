import { addressOf, isLoopback } from "../api/http/base-url";
import type { Properties } from "./properties";
import { type Run, runScoped } from "./run";
import { isStored, usableUrlOf } from "./settings";
import { SettingsError } from "./settings-error";
import { orRunProgram, storedConfiguration } from "./settings-explained";

/** The output that records which service the resource belongs to. The engine hides names that begin with `__`. */
export const originKey = "__origin";

/** The address of the configured service, normalized: scheme, host and path. */
export const currentOrigin = ({ settings }: Run): string => addressOf(settings.usableBaseUrl());

/**
 * The input with which the resource class passes the recorded services to `check`, which removes it. So the state has no value of
 * it, but its name, among the `propertyDependencies` of the engine.
 */
export const servicesKey = "__services";

export interface StackServices {
  /** Descriptions of the resources by the service that the state records; empty for a single record, which needs none. */
  readonly services?: Readonly<Record<string, string>>;
  /** The resources that the plugin manages, in words. */
  readonly ofPlugin?: string | undefined;
  /** Why the state could not be read. */
  readonly whyUnread?: string;
}

interface RecordedServices {
  /** The services that resources of the stack belong to, each with a description of those resources. */
  readonly services: Map<string, string>;
  whyUnread?: string | undefined;
  ofPlugin?: string | undefined;
}
const recordedServicesIn = runScoped((): RecordedServices => ({ services: new Map() }));

export function noteServices(run: Run, { services = {}, whyUnread, ofPlugin }: StackServices): void {
  const known = recordedServicesIn(run);
  for (const [recorded, resources] of Object.entries(services)) known.services.set(recorded, resources);
  known.whyUnread = whyUnread ?? known.whyUnread;
  known.ofPlugin = ofPlugin ?? known.ofPlugin;
}

/**
 * The two hosts share nothing of a run, so each would change what the other manages. And a stack cannot move back: the plugin
 * removes the text of the dynamic host from the state (see stub.ts).
 */
export function refuseBesidePlugin(run: Run): void {
  const { ofPlugin } = recordedServicesIn(run);
  if (ofPlugin === undefined) return;
  const problem = `the provider plugin manages resources of this stack: ${ofPlugin}`;
  throw new SettingsError(
    `${problem}. A stack cannot move back to the classes of "pulumi-docs-org", and cannot use both; ` +
      'in the program, import all classes from "pulumi-docs-org/plugin"',
    problem,
  );
}

/**
 * A stack belongs to one service. Another service may have an organization with the same id, in which every object of the
 * stack seems deleted. So this check must pass before anything is sent. If a failed creation has left no record of the
 * service, the records of the other resources decide.
 */
export function refuseOtherService(run: Run, { [originKey]: recorded }: Properties): void {
  if (run.settings.baseUrl() === undefined) return;
  const { services } = recordedServicesIn(run);
  if (typeof recorded !== "string") {
    refuseOthers(run, services);
    return;
  }
  if (!services.has(recorded)) services.set(recorded, "");
  if (!belongsHere(run, recorded)) throw otherService(run, recorded, services);
}

/** Whether the state records the address that the service had before a move, so that an update must record the new one. */
export function isOfFormerOrigin(run: Run, { [originKey]: recorded }: Properties): boolean {
  if (typeof recorded !== "string" || run.settings.baseUrl() === undefined) return false;
  return recorded !== currentOrigin(run);
}

/** A new resource has no recorded service yet, so the records of the other resources of the stack decide. */
export function refuseCreationElsewhere(run: Run): void {
  const { services, whyUnread } = recordedServicesIn(run);
  if (whyUnread !== undefined) throw new SettingsError(whyUnread);
  refuseOthers(run, services);
}

/** As `refuseCreationElsewhere`, for a caller that has read the services from the state. */
export function refuseOtherServices(run: Run, services: Readonly<Record<string, string>>): void {
  if (run.settings.baseUrl() !== undefined) refuseOthers(run, new Map(Object.entries(services)));
}

function refuseOthers(run: Run, services: ReadonlyMap<string, string>): void {
  for (const recorded of services.keys()) if (!belongsHere(run, recorded)) throw otherService(run, recorded, services);
}

function belongsHere(run: Run, recorded: string): boolean {
  const movedFrom = run.settings.baseUrlMovedFrom();
  return recorded === currentOrigin(run) || (!!movedFrom && recorded === addressOf(usableUrlOf(movedFrom)));
}

function otherService(run: Run, recorded: string, services: ReadonlyMap<string, string>): SettingsError {
  const current = currentOrigin(run);
  const { source } = run.settings.requiredBaseUrl();
  const hasSeveral = services.size > 1;
  const manages = hasSeveral
    ? `the state of this stack has resources of several services: ${listServices(services)}`
    : `this stack manages the service at ${recorded}`;
  const problem = `${manages}, and ${source} names ${current}`;
  const ways = hasSeveral ? waysOutOfSeveral : waysToOneService(recorded, source);
  return new SettingsError([`${problem}.`, ...ways].join("\n"), problem);
}

const listServices = (services: ReadonlyMap<string, string>): string =>
  [...services]
    .sort()
    .map(([origin, resources]) => (resources ? `${origin} (${resources})` : origin))
    .join(" and ");

/**
 * A stack can have several services for two reasons: a move may be recorded for some resources only; and
 * `pulumi import --file` adds what the file says. For an import, the engine calls only `check`, with inputs and without the
 * state, so no handler can refuse it (read in `ImportStep.Apply` of 3.259).
 */
const waysOutOfSeveral = [
  "If it is one service that has moved, set its new address in the settings, and its old one in the environment variable " +
    "DOCS_BASE_URL_MOVED_FROM, until a refresh or up of the whole stack has recorded the new one.",
  `Otherwise, use one stack for each service: "pulumi state delete URN" removes a resource from this stack and ` +
    `changes nothing at its service; "pulumi stack export" shows the service of each resource (${originKey}).`,
];

function waysToOneService(recorded: string, source: string): string[] {
  const moved =
    `If it is the same service at a new address, set the environment variable DOCS_BASE_URL_MOVED_FROM=${recorded} until the ` +
    "next refresh or up has recorded the new address.";
  const port = portOfLoopback(recorded);
  const ownStack = "use a separate stack for the other service.";
  return [
    ...(isStored(source)
      ? [`${source} may be outdated: ${storedConfiguration}`, `Correct ${source}, and ${orRunProgram}. Or ${ownStack}`]
      : [`Correct ${source}, or ${ownStack}`]),
    moved,
    ...(port ? [`An emulator uses a different port at each start, unless it is started with --port ${port}.`] : []),
  ];
}

/** Only an emulator has a loopback address. */
function portOfLoopback(origin: string): string | undefined {
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  return url && isLoopback(url.hostname) ? url.port || "80" : undefined;
}

import { addressOf, isLoopback } from "../api/http/base-url";
import type { Properties } from "./properties";
import { baseUrl, baseUrlMovedFrom, SettingsError, type Sourced, usableBaseUrl, usableUrlOf } from "./settings";
import { orRunProgram, storedConfiguration } from "./settings-explained";

/** The property of the outputs that tells which service the resource belongs to; the engine shows no name that begins with `__`. */
export const originKey = "__origin";

/** The service that the settings name: scheme, host and path, in one spelling. */
export const currentOrigin = (): string => addressOf(usableBaseUrl());

/**
 * The input by which the class hands over what the state records. `check` takes it out: a state has only its name, in the
 * `propertyDependencies` that the engine keeps.
 */
export const servicesKey = "__services";

/** By service that the state records, words for the resources that belong to it; or why the state could not be read. */
export type StackServices = { readonly services: Readonly<Record<string, string>> } | { readonly unread: string };

/** What is known of a stack's services, which belongs to one address: in one process, another address is another stack's run. */
interface Known {
  readonly address: string | undefined;
  /** The services that resources of the stack belong to, with words for those resources. */
  readonly services: Map<string, string>;
  unread?: string;
}
let latest: Known = { address: undefined, services: new Map() };

function known(): Known {
  const address = baseUrl()?.value;
  if (latest.address !== address) latest = { address, services: new Map() };
  return latest;
}

/** Takes in what the class has handed over. */
export function noteServices(handed: unknown): void {
  const { services = {}, unread: reason } = (handed ?? {}) as { services?: Record<string, string>; unread?: string };
  for (const [recorded, resources] of Object.entries(services)) known().services.set(recorded, resources);
  if (reason !== undefined) known().unread = reason;
}

/**
 * A stack belongs to one service. Another service may have an organization with the same id, where everything of the stack
 * looks deleted: so nothing is sent before this has passed. States of older versions have no record, and get one with the
 * next read or update.
 */
export function refuseOtherService({ [originKey]: recorded }: Properties): void {
  if (baseUrl() === undefined) return;
  if (typeof recorded !== "string") {
    refuseOthers(known().services);
    return;
  }
  const { services } = known();
  if (!services.has(recorded)) services.set(recorded, "");
  if (!belongsHere(recorded)) throw otherService(recorded, services);
}

/** Whether the record has the address before a move, so that an update must write it anew. */
export function isOfFormerOrigin({ [originKey]: recorded }: Properties): boolean {
  return typeof recorded === "string" && baseUrl() !== undefined && spelled(recorded) !== currentOrigin();
}

/** A creation has no record of its own: those of the other resources of the stack decide. */
export function refuseCreationElsewhere(): void {
  const { services, unread } = known();
  if (unread !== undefined) throw new SettingsError(unread);
  refuseOthers(services);
}

/** The same for a program, by what it has read of the state. */
export function refuseServices(services: Readonly<Record<string, string>>): void {
  if (baseUrl() !== undefined) refuseOthers(new Map(Object.entries(services)));
}

function refuseOthers(services: ReadonlyMap<string, string>): void {
  for (const recorded of services.keys()) if (!belongsHere(recorded)) throw otherService(recorded, services);
}

function belongsHere(recorded: string): boolean {
  const origin = spelled(recorded);
  return origin === currentOrigin() || origin === originMovedFrom()?.value;
}

/** Earlier versions recorded other spellings. */
const spelled = (recorded: string): string => (URL.canParse(recorded) ? addressOf(new URL(recorded)) : recorded);

function originMovedFrom(): Sourced | undefined {
  const given = baseUrlMovedFrom();
  return given && { ...given, value: addressOf(usableUrlOf(given)) };
}

function otherService(recorded: string, services: ReadonlyMap<string, string>): SettingsError {
  const current = currentOrigin();
  const source = baseUrl()?.source ?? "";
  const several = new Set([...services.keys()].map(spelled)).size > 1;
  const manages = several
    ? `the state of this stack has resources of several services: ${listed(services)}`
    : `this stack manages the service at ${recorded}`;
  const problem = `${manages}, and ${source} names ${current}`;
  const ways = several ? waysOutOfSeveral() : waysOut(recorded, source);
  return new SettingsError([`${problem}.`, ...neither(recorded, current), ...ways].join("\n"), problem);
}

const listed = (services: ReadonlyMap<string, string>): string =>
  [...services]
    .sort()
    .map(([origin, resources]) => (resources ? `${origin} (${resources})` : origin))
    .join(" and ");

/**
 * An older version created resources beside those of another service; a move may have been recorded for some of them only; and
 * `pulumi import --file` adds what the file says: the engine asks only `check`, with inputs and nothing of the state, so no
 * handler could refuse it (read in `ImportStep.Apply` of 3.259).
 */
function waysOutOfSeveral(): string[] {
  return [
    "If it is one service that has moved, name its new address in the settings, and its old one in the environment variable " +
      "DOCS_BASE_URL_MOVED_FROM, until a refresh or up of the whole stack has recorded the new one.",
    `Otherwise use a stack of its own for each service: "pulumi state delete URN" takes a resource out of this stack and ` +
      `changes nothing at its service; "pulumi stack export" shows which service each has (${originKey}).`,
  ];
}

/** The user says that the service has moved, but not from where this stack is. */
function neither(recorded: string, current: string): string[] {
  const given = originMovedFrom();
  if (given === undefined) return [];
  const which = given.value === current ? "the address that it moved to" : "neither of the two";
  return [`${given.source} names ${given.value}, which is ${which}; it must name ${recorded}.`];
}

function waysOut(recorded: string, source: string): string[] {
  const moved =
    `If it is the same service at a new address, set the environment variable DOCS_BASE_URL_MOVED_FROM=${recorded} until the ` +
    "next refresh or up has recorded the new one, or run: " +
    `pulumi config set docs:baseUrlMovedFrom ${recorded} and then pulumi up --run-program.`;
  const port = portOfLoopback(recorded);
  const ownStack = "use a stack of its own for the other service.";
  return [
    ...(source.startsWith("docs:")
      ? [
          `${source} may not be the one that was set last: ${storedConfiguration}`,
          `Correct ${source}, and ${orRunProgram}. Or ${ownStack}`,
        ]
      : [`Correct ${source}, or ${ownStack}`]),
    moved,
    ...(port ? [`An emulator takes another port at each start, unless it is started with --port ${port}.`] : []),
  ];
}

/** Only an emulator has an address of this machine. */
function portOfLoopback(origin: string): string | undefined {
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  return url && isLoopback(url.hostname) ? url.port || "80" : undefined;
}

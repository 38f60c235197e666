import { addressOf, isLoopback, usableUrl } from "../api/http/base-url";
import { DocsError } from "../api/http/errors";
import type { Properties } from "./properties";
import { baseUrl, baseUrlMovedFrom, requiredBaseUrl, SettingsError, type Sourced } from "./settings";

/** The property of the outputs that tells which service the resource belongs to; the engine shows no name that begins with `__`. */
export const originKey = "__origin";

/** The service that the settings name: scheme, host and path, in one spelling. */
export const currentOrigin = (): string => addressOf(usableUrl(requiredBaseUrl()));

/** Services other than the current one that resources of this process belong to. */
const others = new Set<string>();

/**
 * A stack belongs to one service. Another service may have an organization with the same id, where everything of the stack
 * looks deleted: so nothing is sent before this has passed. States of older versions have no record, and get one with the
 * next read or update.
 */
export function refuseOtherService({ [originKey]: recorded }: Properties): void {
  if (typeof recorded !== "string" || baseUrl() === undefined) return;
  if (belongsHere(recorded)) return;
  others.add(recorded);
  throw otherService(recorded);
}

/** Whether the record has the address before a move, so that an update must write it anew. */
export function isOfFormerOrigin({ [originKey]: recorded }: Properties): boolean {
  return typeof recorded === "string" && baseUrl() !== undefined && recorded !== currentOrigin();
}

/** A creation has no record of its own: those of the resources that this process has seen so far decide. */
export function refuseCreationElsewhere(): void {
  for (const recorded of others) if (!belongsHere(recorded)) throw otherService(recorded);
}

function belongsHere(recorded: string): boolean {
  const current = currentOrigin();
  return recorded === current || recorded === originMovedFrom()?.value;
}

function originMovedFrom(): Sourced | undefined {
  const given = baseUrlMovedFrom();
  if (given === undefined) return undefined;
  try {
    return { ...given, value: addressOf(usableUrl(given.value)) };
  } catch (error) {
    throw error instanceof DocsError ? new SettingsError(`${given.source}: ${error.message}`) : error;
  }
}

function otherService(recorded: string): SettingsError {
  const current = currentOrigin();
  const source = baseUrl()?.source ?? "";
  const problem = `this stack manages the service at ${recorded}, and ${source} names ${current}`;
  return new SettingsError(
    [`${problem}.`, ...neither(recorded, current), ...waysOut(recorded, source)].join(" "),
    problem,
  );
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
  return [
    `Correct ${source}, or use a stack of its own for the other service.`,
    moved,
    ...(port ? [`An emulator takes another port at each start, unless it is started with --port ${port}.`] : []),
  ];
}

/** Only an emulator has an address of this machine. */
function portOfLoopback(origin: string): string | undefined {
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  return url && isLoopback(url.hostname) ? url.port || "80" : undefined;
}

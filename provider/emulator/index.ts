import { setMaxListeners } from "node:events";
import { readFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { DocsError } from "../api/http/errors";
import { inOneLine, mistakesIn } from "../text/mistakes";
import { join, type MemberRecord, type Newcomer } from "./members/record";
import { type Size, withCrowd } from "./seed/crowd";
import { type Seed, seedFromYaml, seed as seedSchema, stateFromSeed } from "./seed/seed";
import { type Fault, Faults } from "./server/faults";
import { type LoggedRequest, RequestLog } from "./server/log";
import { RateLimit } from "./server/rows";
import { startServer } from "./server/server";
import { newId } from "./store/ids";
import { defaultReadings, type Readings, type Service, type Version, versions } from "./store/service";
import { milliseconds, type OrganizationRecord, Past, type ReadLag, type State } from "./store/state";

export type { MemberRecord, Newcomer, TeamRecord } from "./members/record";
export type { Size } from "./seed/crowd";
export { type Seed, seedFromYaml } from "./seed/seed";
export type { Fault } from "./server/faults";
export type { LoggedRequest } from "./server/log";
export type { ContentEdit } from "./spaces/edits";
export { editChangeRequest, editSpace } from "./spaces/edits";
export { type Readings, type Version, versions } from "./store/service";
export type { ReadLag, State } from "./store/state";

export interface EmulatorOptions {
  /** TCP port, 0 to 65,535; 0 (default) takes any free one. */
  readonly port?: number;
  /** Token that requests must send; a random one by default. */
  readonly token?: string;
  /** Id of one of the seed's organizations (default: the first); without a seed, the id of the built-in organization. */
  readonly organizationId?: string;
  /** Initial state; a built-in organization by default. */
  readonly seed?: Seed;
  /** State of an emulator that was closed, to continue with it instead of a seed. */
  readonly state?: State;
  /**
   * Number of members, teams and sites to generate in the organization `organizationId`, in addition to the seed. A `state` has
   * its own.
   */
  readonly size?: Size;
  readonly faults?: readonly Fault[];
  /** Milliseconds by which reads lag behind writes: `{ lists: 10_000 }`, `{ all: 10_000 }`, `{ listMembers: 2000 }`. */
  readonly readLag?: ReadLag;
  /** Milliseconds added to each answer, 0 by default. */
  readonly latency?: number;
  /** Requests per second; further requests are answered with 429 and `Retry-After`. No limit by default. */
  readonly rate?: number;
  /** Version of the service, "0.146" by default: the one that the API document describes. */
  readonly version?: Version;
  readonly readings?: Partial<Readings>;
  readonly now?: () => Date;
  /**
   * Id of the user who owns the token. If it is a member in the initial state, requests have the rights of that member's current
   * role. By default (the first administrator of the organization) and with any other id, they have all rights.
   */
  readonly caller?: string;
}

export interface Emulator {
  readonly url: string;
  readonly token: string;
  readonly organizationId: string;
  /** State of the service. Tests may change it directly, like a person who uses the service's user interface. */
  readonly state: State;
  /** The last 10,000 requests for rows, since the start or the last call of `resetRequests`. */
  readonly log: readonly LoggedRequest[];
  /** Number of requests per row, since the start or the last call of `resetRequests`. */
  requests(): ReturnType<RequestLog["requests"]>;
  /** Resets the counts and empties the log. */
  resetRequests(): void;
  fault(fault: Fault): void;
  pendingFaults(): Fault[];
  /** Removes all faults and returns those that were still pending. */
  clearFaults(): Fault[];
  /** Replaces the option `readLag`; `{}` ends the lag. Writes before the first lag show at once. */
  setReadLag(lag: ReadLag): void;
  /** Adds a member to the organization `organizationId`; no operation of the API does this. */
  join(newcomer: Newcomer): MemberRecord;
  /** Stops the emulator at once and resets open connections and streams. */
  close(): Promise<void>;
}

/** Starts an emulator of the service on 127.0.0.1. It keeps its state in memory. */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const service = await serviceOf(options);
  const organization = organizationIn(service.state, options.organizationId);
  const { caller = "" } = options;
  // In organizations of which the caller is a member, the role decides what it may do (see caller.ts).
  for (const one of service.state.organizations.values()) if (one.members.has(caller)) one.caller = caller;
  const token = options.token ?? newId("token");
  const [faults, log, closing] = [new Faults(), new RequestLog(), new AbortController()];
  // Every delayed answer adds a listener; without this, Node.js warns at more than 10.
  setMaxListeners(0, closing.signal);
  for (const fault of options.faults ?? []) faults.add(fault);
  const { latency = 0, port = 0 } = options;
  const rate = options.rate === undefined ? undefined : new RateLimit(options.rate);
  const joinOrganization = (newcomer: unknown) => {
    service.past.keepBeforeChange();
    return join(organization, newcomer, service.now());
  };
  const serving = { service, token, faults, log, join: joinOrganization, latency, rate, closing: closing.signal };
  const server = await startServer(serving, port);
  service.url = server.url;
  return {
    url: service.url,
    token,
    organizationId: organization.id,
    state: service.state,
    log: log.entries,
    requests: () => log.requests(),
    resetRequests: () => void log.reset(),
    fault: (fault) => void faults.add(fault),
    pendingFaults: () => faults.pending(),
    clearFaults: () => faults.clear(),
    setReadLag: (lag) => void service.past.setLag(lag),
    join: joinOrganization,
    close: async () => {
      closing.abort();
      await server.close();
    },
  };
}

function organizationIn({ organizations }: State, chosenId: string | undefined): OrganizationRecord {
  const ids = [...organizations.keys()];
  const id = chosenId ?? ids[0] ?? "";
  const organization = organizations.get(id);
  if (organization) return organization;
  const quotedIds = ids.map((one) => `"${one}"`).join(", ");
  throw new DocsError(`the seed has no organization "${id}"; it has ${quotedIds}`);
}

const count = z.number().int().min(0).max(1_000_000).optional();

/** Limits of options, which their types do not show. */
const limits = z.looseObject({
  port: z.number().int().min(0).max(65_535).optional(),
  seed: seedSchema.optional(),
  size: z.strictObject({ members: count, teams: count, sites: count }).optional(),
  latency: milliseconds,
  rate: z.number().positive().optional(),
  version: z.enum(versions).optional(),
});

async function serviceOf(options: EmulatorOptions): Promise<Service> {
  const wrong = mistakesIn(limits, options);
  if (wrong.length > 0) throw new DocsError(`the options have mistakes: ${inOneLine(wrong)}`);
  const { version = "0.146", readings, readLag = {}, now = () => new Date(), caller } = options;
  const state = options.state ?? stateFromSeed(await seedOf(options, now()), now());
  const past = new Past(state, now);
  past.setLag(readLag);
  const secret = newId("secret");
  return { state, past, version, readings: { ...defaultReadings, ...readings }, now, caller, secret, url: "" };
}

async function seedOf({ organizationId, size, seed: given }: EmulatorOptions, now: Date): Promise<Seed> {
  const seed = given ?? (await defaultSeed(organizationId));
  const id = organizationId ?? Object.keys(seed.organizations)[0] ?? "";
  const organization = seed.organizations[id];
  if (!size || !organization) return seed;
  return { organizations: { ...seed.organizations, [id]: withCrowd(organization, id, size, now) } };
}

/** A small organization with objects of every kind, which is an example of a seed as well. The bundle is as deep in the package as this file. */
const exampleFile = path.join(__dirname, "../../examples/emulator/seed.yaml");
let example: Promise<Seed> | undefined;

async function defaultSeed(organizationId = "acme"): Promise<Seed> {
  example ??= seedFromYaml(readFileSync(exampleFile, "utf8"), exampleFile);
  const { acme = {} } = (await example).organizations;
  return { organizations: { [organizationId]: acme } };
}

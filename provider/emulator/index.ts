import { setMaxListeners } from "node:events";
import { DocsError } from "../api/errors";
import { inOneLine, mistakesIn } from "../api/mistakes";
import { defaultSeed } from "./default-seed";
import type { Fault } from "./faults";
import { Faults } from "./faults";
import { type LoggedRequest, RequestLog } from "./log";
import { RateLimit } from "./rate";
import { type Seed, seed as seedSchema } from "./seed";
import { stateOf } from "./seed-state";
import { createServer } from "./server";
import { defaultReadings, type Readings, type Service, type Version } from "./service";
import { newId, type State } from "./state";

export type { Fault } from "./faults";
export type { LoggedRequest } from "./log";
export type { Seed } from "./seed";
export { seedFromYaml } from "./seed-file";
export type { Readings, Version } from "./service";
export type { State } from "./state";

export interface EmulatorOptions {
  /** 0, the default, takes any free one. */
  readonly port?: number;
  /** Random when left out. */
  readonly token?: string;
  /** One of the seed's organizations, by default its first; without a seed, the name of the built-in one. */
  readonly organizationId?: string;
  /** What is there at the beginning; a built-in organization when left out. */
  readonly seed?: Seed;
  readonly faults?: readonly Fault[];
  /** Milliseconds added to each answer. */
  readonly latency?: number;
  /** Requests a second; those beyond it get 429 with `Retry-After`. */
  readonly rate?: number;
  /** Version of the service, "0.146" by default: the one that the API document describes. */
  readonly version?: Version;
  readonly readings?: Partial<Readings>;
  readonly now?: () => Date;
}

export interface Emulator {
  readonly url: string;
  readonly token: string;
  readonly organizationId: string;
  /** May be changed, as somebody at the service's own user interface would. */
  readonly state: State;
  /** The last 10,000 requests for rows, since the start or the last `resetRequests`. */
  readonly log: readonly LoggedRequest[];
  /** How often each row was asked for. */
  requests(): ReturnType<RequestLog["requests"]>;
  /** Forgets counts and log. */
  resetRequests(): void;
  fault(fault: Fault): void;
  pendingFaults(): Fault[];
  /** Forgets all faults and tells which were still pending. */
  clearFaults(): Fault[];
  /** Ends it at once: connections and streams that are open break off. */
  close(): Promise<void>;
}

/** Starts an emulator of the service on 127.0.0.1. Its state is in memory and lives until `close`. */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const service = serviceOf(options);
  const organizationId = organizationOf(options, service.state);
  const token = options.token ?? newId("token");
  const [faults, log, closing] = [new Faults(), new RequestLog(), new AbortController()];
  // As many as there are answers that wait.
  setMaxListeners(0, closing.signal);
  for (const fault of options.faults ?? []) faults.add(fault);
  const { latency = 0 } = options;
  const rate = options.rate === undefined ? undefined : new RateLimit(options.rate);
  const server = await createServer({ service, token, faults, log, latency, rate, closing: closing.signal });
  service.url = await server.listen({ host: "127.0.0.1", port: options.port ?? 0 });
  return {
    url: service.url,
    token,
    organizationId,
    state: service.state,
    log: log.entries,
    requests: () => log.requests(),
    resetRequests: () => log.reset(),
    fault: (fault) => void faults.add(fault),
    pendingFaults: () => faults.pending(),
    clearFaults: () => faults.clear(),
    close: () => {
      closing.abort();
      return server.close();
    },
  };
}

function serviceOf({
  seed,
  organizationId,
  version = "0.146",
  readings,
  now = () => new Date(),
}: EmulatorOptions): Service {
  const planted = seed ?? defaultSeed(organizationId);
  const wrong = mistakesIn(seedSchema, planted);
  if (wrong.length > 0) throw new DocsError(`the seed has mistakes: ${inOneLine(wrong)}`);
  return { state: stateOf(planted, now()), version, readings: { ...defaultReadings, ...readings }, now, url: "" };
}

function organizationOf({ organizationId }: EmulatorOptions, { organizations }: State): string {
  const ids = [...organizations.keys()];
  const id = organizationId ?? ids[0];
  if (id !== undefined && organizations.has(id)) return id;
  throw new DocsError(`the seed has no organization "${id}"; it has ${ids.map((one) => `"${one}"`).join(", ")}`);
}

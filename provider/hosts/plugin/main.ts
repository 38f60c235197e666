import { setTimeout as sleep } from "node:timers/promises";
import { Server } from "@grpc/grpc-js";
import { endWithEngine } from "../engine-watch";
import { bind, messageSizes } from "./grpc";
import { type Built, Instance } from "./instance";
import { definition, serviceOf } from "./service";

/** Milliseconds between two looks at the calls in flight. */
const interval = 20;
/** Milliseconds that an answer gets to reach the engine, on the same machine. */
const arrival = 200;

export async function listen(instance: Instance): Promise<{ readonly port: number; end(): Promise<void> }> {
  const server = new Server({
    ...messageSizes,
    // Statistics of the connection, which nobody reads.
    "grpc.enable_channelz": 0,
  });
  server.addService(definition, serviceOf(instance));
  const answered = async () => {
    while ([...instance.inFlight].some(({ cancelled }) => !cancelled)) await sleep(interval);
    await sleep(arrival);
  };
  /**
   * Calls in flight are answered first: a request that was sent must be recorded. The shutdown of gRPC waits for them as well, but
   * it never ends if the engine closes the connection of such a call at the same moment (seen with grpc-js 1.14).
   */
  const end = async () => {
    const closed = new Promise<void>((resolve) => server.tryShutdown(() => resolve()));
    await Promise.race([closed, answered()]);
    server.forceShutdown();
    instance.close();
  };
  instance.port = await bind(server);
  return { port: instance.port, end };
}

/**
 * Starts the provider. The first line on stdout is its port, which the engine waits for. Everything else that is printed there
 * would be shown to the user, so `console` writes to stderr.
 */
export async function serve(built: Built): Promise<void> {
  // biome-ignore lint/suspicious/noConsole: some library might print
  console.log = console.info = console.debug = console.error;
  const engine = process.argv[2];
  // A copy: every call looks for settings, and each look into `process.env` leaves JavaScript.
  const instance = new Instance({ ...built, environment: { ...process.env } });
  if (engine) instance.meet(engine);
  endWithEngine(engine);
  const { port, end } = await listen(instance);
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.on(signal, () => {
      instance.cancel();
      void end().then(() => process.exit(0));
    });
  process.stdout.write(`${port}\n`);
}

import type { FastifyInstance } from "fastify";
import type { Faults } from "./faults";
import type { RequestLog } from "./log";

/** Paths to control the emulator from tests in other languages. They need no token (see loopback.ts) and ignore latency and rate. */
export function addControl(app: FastifyInstance, { faults, log }: { faults: Faults; log: RequestLog }): void {
  app.get("/_emulator/requests", async () => log.requests());
  app.delete("/_emulator/requests", async () => {
    const counted = log.requests();
    log.reset();
    return counted;
  });
  app.get("/_emulator/faults", async () => ({ items: faults.pending() }));
  app.post("/_emulator/faults", async (request, reply) => reply.code(201).send(faults.add(request.body)));
  app.delete("/_emulator/faults", async () => ({ items: faults.clear() }));
}

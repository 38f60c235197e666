import { setTimeout as sleep } from "node:timers/promises";
import type { ServerUnaryCall, sendUnaryData, UntypedServiceImplementation } from "@grpc/grpc-js";

type Call = ServerUnaryCall<unknown, unknown>;
type Method = (call: Call, callback: sendUnaryData<unknown>) => void;

/** Milliseconds between two looks at the calls. */
const interval = 20;
/** Milliseconds that an answer gets to reach the engine, on the same machine. */
const arrival = 200;

/**
 * The same service, and a function that waits until each call is answered, or the engine has given it up. The shutdown of gRPC
 * alone is not enough: it waits for ever for a connection that the engine closes at the same moment with a call in flight (seen
 * with grpc-js 1.14).
 */
export function countCalls(service: UntypedServiceImplementation) {
  const inFlight = new Set<Call>();
  const counted =
    (method: Method): Method =>
    (call, callback) => {
      inFlight.add(call);
      call.on("cancelled", () => inFlight.delete(call));
      method(call, (...answer) => {
        callback(...answer);
        inFlight.delete(call);
      });
    };
  const methods = Object.entries(service).map(([name, method]) => [name, counted(method as Method)]);
  const ended = async (): Promise<void> => {
    while (inFlight.size > 0) await sleep(interval);
    await sleep(arrival);
  };
  return { service: Object.fromEntries(methods) as UntypedServiceImplementation, ended };
}

import { setTimeout as sleep } from "node:timers/promises";
import type { ServerUnaryCall, sendUnaryData, UntypedServiceImplementation } from "@grpc/grpc-js";

type Call = ServerUnaryCall<unknown, unknown>;
type Method = (call: Call, callback: sendUnaryData<unknown>) => void;

/** Milliseconds that an answer gets to reach the engine, on the same machine. */
const arrival = 200;

/** The calls whose answers the engine waits for. */
export class CallsInFlight {
  private readonly calls = new Set<Call>();
  private onEmpty: () => void = () => undefined;

  /** The same service, whose calls count from now on. */
  counted(service: UntypedServiceImplementation): UntypedServiceImplementation {
    const counting = ([name, method]: [string, unknown]) => [name, this.counting(method as Method)];
    return Object.fromEntries(Object.entries(service).map(counting));
  }

  /**
   * Waits until each call is answered, or the engine has given it up. The shutdown of gRPC alone is not enough: it waits for ever
   * for a connection that the engine closes at the same moment with a call in flight (seen with grpc-js 1.14).
   */
  async ended(): Promise<void> {
    if (this.calls.size > 0)
      await new Promise<void>((resolve) => {
        this.onEmpty = resolve;
      });
    await sleep(arrival);
  }

  private counting(method: Method): Method {
    return (call, callback) => {
      this.calls.add(call);
      call.on("cancelled", () => this.remove(call));
      method(call, (...answer) => {
        callback(...answer);
        this.remove(call);
      });
    };
  }

  private remove(call: Call): void {
    this.calls.delete(call);
    if (this.calls.size === 0) this.onEmpty();
  }
}

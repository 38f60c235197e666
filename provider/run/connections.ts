import type { Client } from "../api/client";
import { Limiter } from "../api/http/limiter";

interface Connection {
  readonly baseUrl: string;
  readonly token: string;
  /** How long one operation may take, in milliseconds. */
  readonly deadline: number;
  readonly logs: boolean;
  readonly readOnly: boolean;
}

/** The clients of a run. They share one limiter, because the service limits the caller, not the resource. */
export class Connections {
  private readonly limiter: Limiter;
  private readonly clients = new Map<string, Client>();
  private pauses = 0;

  constructor(private readonly notice: (line: string) => void) {
    this.limiter = new Limiter({ notice });
  }

  /** Whether a request of the run is in flight, or is repeated after a pause. */
  isBusy(): boolean {
    return this.limiter.isBusy() || this.pauses > 0;
  }

  /** Waits, until the user cancels the command at the latest. */
  async sleep(milliseconds: number): Promise<void> {
    this.pauses++;
    await this.limiter.sleep(milliseconds).finally(() => this.pauses--);
  }

  /** Sends no further request, after the user has cancelled the command. Requests in flight finish. */
  stop(): void {
    this.limiter.stop();
  }

  /** Whether the user has cancelled the command: no further call of the engine or the program comes. */
  isStopped(): boolean {
    return this.limiter.isStopped;
  }

  /** Loads the client module at the first call: most programs only declare resources and send no requests themselves. */
  async connect({ deadline, logs, ...address }: Connection): Promise<Client> {
    const { createClient } = await import("../api/client.js");
    const key = JSON.stringify([address, deadline]);
    const { limiter } = this;
    const options = { ...address, limiter, deadline, ...(logs && { log: this.notice }) };
    const client = this.clients.get(key) ?? createClient(options);
    this.clients.set(key, client);
    return client;
  }
}

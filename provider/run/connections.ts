import type { Client } from "../api/client";
import { Limiter } from "../api/http/limiter";

interface Connection {
  readonly baseUrl: string;
  readonly token: string;
  /** Milliseconds for one operation. */
  readonly deadline: number | undefined;
}

/** The clients of a run. They share one limiter: the service limits the caller, whichever resource calls. */
export class Connections {
  private readonly limiter: Limiter;
  private readonly clients = new Map<string, Client>();

  constructor(notice: (line: string) => void) {
    this.limiter = new Limiter({ notice });
  }

  /** Whether a request of the run waits for its answer. */
  isBusy(): boolean {
    return this.limiter.isBusy();
  }

  /** The client is loaded with the first call: most programs declare resources and ask for nothing themselves. */
  async connect({ deadline, ...address }: Connection): Promise<Client> {
    const { createClient } = await import("../api/client.js");
    const key = JSON.stringify([address, deadline]);
    const { limiter } = this;
    const client = this.clients.get(key) ?? createClient({ ...address, limiter, ...(deadline && { deadline }) });
    this.clients.set(key, client);
    return client;
  }
}

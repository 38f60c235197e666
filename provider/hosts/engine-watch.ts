import { connect } from "node:net";

/** Milliseconds. */
const interval = 2_000;

/**
 * Ends this process when the engine is gone. Pulumi's host of dynamic providers outlives a killed engine, and would continue
 * the writes of a call for minutes, while the next up may already undo them.
 */
export function endWithEngine(address: string | undefined): void {
  const [, host, port] = /^(?:tcp:\/\/)?(\S+):(\d+)$/.exec(address ?? "") ?? [];
  if (host === undefined) return;
  setInterval(() => pollEngine(host, Number(port)), interval).unref();
}

/** Polls the engine's port. There is no other sign: a shell starts this process, and nothing reads its standard input. */
function pollEngine(host: string, port: number): void {
  const socket = connect({ host, port, timeout: interval });
  socket.unref();
  socket.once("connect", () => socket.destroy());
  // A busy engine does not answer; only the port of an engine that is gone refuses the connection.
  socket.once("timeout", () => socket.destroy());
  socket.once("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "ECONNREFUSED") process.exit(1);
  });
}

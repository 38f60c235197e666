import { connect } from "node:net";

const every = 2_000;

/**
 * Ends this process when the engine is gone. The host of dynamic providers outlives an engine that was killed, and would go
 * on with the writes of a call for minutes, while the next up already undoes them.
 */
export function endWithEngine(address: string | undefined): void {
  const [, host, port] = /^(?:tcp:\/\/)?(\S+):(\d+)$/.exec(address ?? "") ?? [];
  if (host === undefined) return;
  setInterval(() => look(host, Number(port)), every).unref();
}

/** Nothing else tells: the engine starts a shell, which starts this process, and nothing reads its standard input. */
function look(host: string, port: number): void {
  const socket = connect({ host, port, timeout: every });
  socket.unref();
  socket.once("connect", () => socket.destroy());
  // An engine that is busy does not answer; only one that is gone refuses.
  socket.once("timeout", () => socket.destroy());
  socket.once("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "ECONNREFUSED") process.exit(1);
  });
}

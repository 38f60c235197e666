import { once } from "node:events";
import type { AddressInfo, Server, Socket } from "node:net";

/** What the script `node` sends to servers of the tests. */

/** Reads texts that end with NUL, and an empty one at the end. */
export function receiveTexts(socket: Socket, use: (texts: readonly string[]) => void): void {
  let text = "";
  socket.setEncoding("utf8").on("error", () => socket.destroy());
  socket.on("data", (chunk: string) => {
    text += chunk;
    if (text.endsWith("\0\0")) use(text.slice(0, -2).split("\0"));
  });
}

export function environmentFrom(variables: readonly string[]): NodeJS.ProcessEnv {
  return Object.fromEntries(
    variables.map((one) => {
      const end = one.indexOf("=");
      return [one.slice(0, end), one.slice(end + 1)];
    }),
  );
}

/** Lets the server listen on this machine. */
export async function portOf(server: Server): Promise<number> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  return (server.address() as AddressInfo).port;
}

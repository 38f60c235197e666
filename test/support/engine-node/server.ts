// The resident process (see index.ts). It prints its port, and ends with its standard input.
import { type AddressInfo, createServer, type Socket } from "node:net";
import { Instance, prepare, type Start } from "./instance";

/** Instances of one command of the engine, which starts several: for the configuration, for a refresh, for the program. */
const open = new Map<Socket, Instance>();
let engine: string | undefined;
let previous: Promise<void> = Promise.resolve();

/** Instances start one after another, because each changes the environment of this process. */
function inTurn(work: () => Promise<void>): Promise<void> {
  const turn = previous.then(work);
  previous = turn.catch(() => undefined);
  return turn;
}

async function start(socket: Socket, wanted: Start): Promise<void> {
  if (open.size > 0 && wanted.engine !== engine) throw new Error("serving another command");
  engine = wanted.engine;
  const instance = await Instance.start(wanted);
  if (socket.destroyed) {
    instance.end();
    return;
  }
  open.set(socket, instance);
  socket.once("close", () => {
    open.delete(socket);
    instance.end();
  });
  socket.write(`${instance.port}\n`);
}

/** Reads what the `node` of the command sends: texts that end with NUL, and an empty one at the end. */
function receive(socket: Socket): void {
  let text = "";
  socket.setEncoding("utf8").on("error", () => socket.destroy());
  socket.on("data", (chunk: string) => {
    text += chunk;
    if (!text.endsWith("\0\0")) return;
    inTurn(() => start(socket, parse(text.slice(0, -2)))).catch(() => socket.end("refused\n"));
  });
}

function parse(text: string): Start {
  const [folder = "", engine = "", ...variables] = text.split("\0");
  const pairs = variables.map((one): [string, string] => {
    const end = one.indexOf("=");
    return [one.slice(0, end), one.slice(end + 1)];
  });
  return { folder, engine, environment: Object.fromEntries(pairs) };
}

/** All instances belong to one command, which shows what any of them says. */
process.stderr.write = ((text: string | Uint8Array) => {
  const [socket] = [...open.keys()].reverse();
  return socket?.write(text) ?? true;
}) as typeof process.stderr.write;

prepare();
process.stdin.resume().once("end", () => process.exit());
const server = createServer(receive).listen(0, "127.0.0.1", () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
  // The script prints as well.
  process.stdout.write = () => true;
});

// The resident process (see index.ts). It prints its port and that of the key service, and ends with its standard input.
import { createServer, type Socket } from "node:net";
import { Instance, prepareInstance, type Start } from "./instance";
import { keyService } from "./key-service";
import { PluginInstance } from "./plugin";
import { Programs } from "./programs";
import { environmentFrom, portOf, receiveTexts } from "./requests";

interface Wanted extends Start {
  readonly isPlugin: boolean;
}

/** Instances of one command of the engine, which starts several: for the configuration, for a refresh, for the program. */
const open = new Map<Socket, Instance | PluginInstance>();
let engine: string | undefined;
let previous: Promise<void> = Promise.resolve();

/** Instances start one after another, because each changes the environment of this process. */
function inTurn(work: () => Promise<void>): Promise<void> {
  const turn = previous.then(work);
  previous = turn.catch(() => undefined);
  return turn;
}

async function start(socket: Socket, wanted: Wanted): Promise<void> {
  if (open.size > 0 && wanted.engine !== engine) throw new Error("serving another command");
  engine = wanted.engine;
  const instance = await startInstance(wanted);
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
  if (instance instanceof PluginInstance) instance.errors.pipe(socket);
}

function startInstance(wanted: Wanted): Promise<Instance | PluginInstance> {
  if (!wanted.isPlugin) return Instance.start(wanted);
  process.chdir(wanted.folder);
  return PluginInstance.start(wanted.environment);
}

function receive(socket: Socket): void {
  receiveTexts(socket, ([kind, folder = "", ...rest]) => {
    const work = kind === "program" ? runProgram(socket, folder, rest) : startProvider(socket, kind, folder, rest);
    work.catch(() => socket.end("refused\n"));
  });
}

/** `rest` is the address of the engine, and the environment. */
function startProvider(socket: Socket, kind = "", folder: string, [engine = "", ...rest]: string[]): Promise<void> {
  const isPlugin = kind === "plugin";
  return inTurn(() => start(socket, { isPlugin, folder, engine, environment: environmentFrom(rest) }));
}

/** `rest` is the id of the process that the engine started, the number of arguments, the arguments, and the environment. */
async function runProgram(socket: Socket, folder: string, [id, count, ...rest]: string[]): Promise<void> {
  const args = rest.slice(0, Number(count));
  const environment = environmentFrom(rest.slice(Number(count)));
  programs.run(socket, { folder, environment, args, streams: [`/proc/${id}/fd/1`, `/proc/${id}/fd/2`] });
}

/** All instances belong to one command, which shows what any of them says. */
process.stderr.write = ((text: string | Uint8Array) => {
  const [socket] = [...open.keys()].reverse();
  return socket?.write(text) ?? true;
}) as typeof process.stderr.write;

prepareInstance();
const programs = new Programs();
process.stdin.resume().once("end", () => process.exit());
void Promise.all([createServer(receive), keyService()].map(portOf)).then((ports) => {
  process.stdout.write(`${ports.join(" ")}\n`);
  // The script of an instance prints its port as well, which nobody reads.
  process.stdout.write = () => true;
});

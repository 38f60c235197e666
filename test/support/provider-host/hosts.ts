import { type ChildProcess, spawn } from "node:child_process";
import { type AddressInfo, createServer, type Socket } from "node:net";
import path from "node:path";

/** What the process of dynamic providers is started with. */
interface Session {
  readonly folder: string;
  readonly args: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
}

interface Message {
  idle?: true;
  stdout?: string;
  stderr?: string;
}

/**
 * Processes that carry out one session after another (host.cjs), in the place of a process for each: the SDK takes most of
 * a second to load. Who connects sends a session and gets the line that the process prints, then its stderr; the session
 * ends with the connection, and the connection with the process. There are as many processes as sessions at once.
 */
export async function startHosts(): Promise<{ port: number; close(): void }> {
  const idle: ChildProcess[] = [];
  const all = new Set<ChildProcess>();
  const server = createServer((socket) => {
    socket.on("error", () => socket.destroy());
    readSession(socket, (session) => {
      const host = idle.pop() ?? spawnHost(all);
      serve(socket, host, session, () => idle.push(host));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => {
    server.close();
    for (const host of all) host.kill("SIGKILL");
  };
  return { port: (server.address() as AddressInfo).port, close };
}

function spawnHost(all: Set<ChildProcess>): ChildProcess {
  const root = path.resolve(__dirname, "../../..");
  const { PATH, HOME, NODE_OPTIONS, NODE_EXTRA_CA_CERTS } = process.env;
  const environment = { PATH, HOME, NODE_OPTIONS, NODE_EXTRA_CA_CERTS };
  const stdio = ["ignore", "inherit", "inherit", "ipc"] as const;
  const script = path.join(__dirname, "host.cjs");
  const host = spawn(process.execPath, [script], { cwd: root, env: environment, stdio: [...stdio] });
  all.add(host);
  return host.once("exit", () => all.delete(host));
}

/** Texts with a NUL after each: folder, address of the engine, environment; an empty one is the end. */
function readSession(socket: Socket, start: (session: Session) => void): void {
  let text = "";
  socket.setEncoding("utf8").on("data", function read(chunk: string) {
    text += chunk;
    if (!text.endsWith("\0\0")) return;
    socket.off("data", read);
    const [folder = "/", engine = "", ...variables] = text.slice(0, -2).split("\0");
    const entries = variables.map((one) => [one.slice(0, one.indexOf("=")), one.slice(one.indexOf("=") + 1)]);
    start({ folder, args: [engine], environment: Object.fromEntries(entries) });
  });
}

function serve(socket: Socket, host: ChildProcess, session: Session, done: () => void): void {
  const hear = ({ stdout, stderr, idle }: Message) => {
    if (stdout !== undefined || stderr !== undefined) socket.write(stdout ?? stderr ?? "");
    if (!idle) return;
    host.off("message", hear).off("exit", gone);
    done();
  };
  const gone = () => socket.destroy();
  host.on("message", hear).once("exit", gone);
  host.send({ start: session });
  socket.resume().once("close", () => host.connected && host.send({ end: true }));
}

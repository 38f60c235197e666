import { type ChildProcess, execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { chown, mkdtemp, readdir, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

const run = promisify(execFile);
const user = "postgres";
const database = "pulumi";

/** A PostgreSQL server with its cluster in a temporary folder, which is removed when it stops. */
export class PostgresServer {
  private constructor(
    private readonly child: ChildProcess,
    private readonly folder: string,
    /** URL of the database, in the form of the engine's PULUMI_BACKEND_URL. */
    readonly url: string,
  ) {}

  static async start(): Promise<PostgresServer> {
    const programs = await programsFolder();
    const as = await owner();
    const folder = await mkdtemp(path.join(tmpdir(), "docs-org-postgres-"));
    if (as.uid !== undefined && as.gid !== undefined) await chown(folder, as.uid, as.gid);
    const program = (name: string) => path.join(programs, name);
    const options = { ...as, cwd: folder };
    const cluster = path.join(folder, "cluster");
    await run(program("initdb"), ["--pgdata", cluster, "--username", user, "--auth", "trust"], options);
    const port = String(await freePort());
    const settings = ["-D", cluster, "-h", "127.0.0.1", "-p", port, "-k", folder];
    const child = spawn(program("postgres"), settings, { ...options, stdio: "ignore" });
    const at = ["--host", "127.0.0.1", "--port", port, "--username", user];
    const server = new PostgresServer(
      child,
      folder,
      `postgres://${user}@127.0.0.1:${port}/${database}?sslmode=disable`,
    );
    try {
      await ready(() => run(program("createdb"), [...at, database], options));
    } catch (error) {
      await server.stop();
      throw error;
    }
    return server;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const ended = new Promise((resolve) => this.child.once("close", resolve));
      // "fast" closes open connections.
      this.child.kill("SIGINT");
      await ended;
    }
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** Debian installs each version into its own folder, which is not on PATH. */
async function programsFolder(): Promise<string> {
  const versions = "/usr/lib/postgresql";
  const found = existsSync(versions) ? await readdir(versions) : [];
  const newest = found.sort((a, b) => Number(b) - Number(a))[0];
  const folders = (process.env.PATH ?? "").split(path.delimiter);
  if (newest !== undefined) folders.unshift(path.join(versions, newest, "bin"));
  const folder = folders.find((one) => existsSync(path.join(one, "initdb")));
  if (folder !== undefined) return folder;
  throw new Error("there is no PostgreSQL server; install one (Debian: apt-get install -y postgresql)");
}

/** The server refuses to run as root; root therefore runs it as the user that its package created. */
async function owner(): Promise<{ uid?: number; gid?: number }> {
  if (process.getuid?.() !== 0) return {};
  const idOf = async (option: string) => Number((await run("id", [option, user])).stdout);
  return { uid: await idOf("-u"), gid: await idOf("-g") };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("could not find a free port");
  return address.port;
}

async function ready(attempt: () => Promise<unknown>): Promise<void> {
  const end = performance.now() + 30_000;
  for (;;) {
    try {
      await attempt();
      return;
    } catch (error) {
      if (performance.now() > end) throw error;
      await sleep(200);
    }
  }
}

import { mkdtemp, writeFile } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll } from "vitest";
import { root } from "../../scripts/stack";
import { environmentFrom, portOf, receiveTexts } from "./engine-node/requests";
import { runInResident } from "./resident-cli";

/**
 * Lets the resident process of `runInResident` run docs-org also for scripts, whose `node` is that of engine-node/. A command that reads
 * its standard input, that asks on a terminal, or that runs beside another one has a process of its own.
 */
export function serveCli(): void {
  const server = createServer((socket) => receiveTexts(socket, (texts) => void answer(socket, texts)));
  beforeAll(async () => {
    // Stacks that are made from now on give these to their commands.
    process.env.ENGINE_NODE_CLI = path.join(root, "dist", "cli", "index.js");
    process.env.ENGINE_NODE_CLI_PORT = String(await portOf(server));
  });
  afterAll(() => void server.close());
}

/** The answer is the status and a folder with what was written, which the script shows and removes. */
async function answer(socket: Socket, [folder = "", count, ...rest]: readonly string[]): Promise<void> {
  const args = rest.slice(0, Number(count));
  try {
    const { status, stdout, stderr } = await runInResident(args, folder, environmentFrom(rest.slice(Number(count))));
    const written = await mkdtemp(path.join(tmpdir(), "docs-org-written-"));
    await writeFile(path.join(written, "stdout"), stdout);
    await writeFile(path.join(written, "stderr"), stderr);
    socket.end(`${status} ${written}\n`);
  } catch {
    socket.end("refused\n");
  }
}

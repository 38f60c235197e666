import type { ChildProcess } from "node:child_process";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { root } from "../scripts/stack";
import { grouped, median } from "./numbers";
import { Place } from "./place";
import { memoryOf, socketsOf, watchProviders } from "./processes";
import type { Verdict } from "./verdicts";

const size = ["--members", "50", "--teams", "5", "--sites", "3"];
/** Milliseconds between two samples. */
const interval = 1_000;
/** How much memory may grow from the second fifth of the time to the last one: a tenth, and MiB that garbage collection leaves to chance. */
const growth = { factor: 1.1, more: 10 };
/** How many more sockets may be open at the same time. */
const moreSockets = 4;

/** A process that previews again and again until SIGUSR2, as a program of the Automation API may do. */
const script = `
const { run } = require(${JSON.stringify(path.join(root, "dist", "cli", "program.js"))});
(async () => {
  let isOver = false;
  process.once("SIGUSR2", () => {
    isOver = true;
  });
  while (!isOver) {
    const status = await run(["preview"]);
    if (status !== 0) process.exit(status);
    process.stderr.write("previewed\\n");
  }
})();`;

interface Sample {
  /** MiB. */
  readonly memory: Readonly<Record<"emulator" | "program" | "provider", number>>;
  readonly sockets: Readonly<Record<"emulator" | "program", number>>;
}

/** Previews an organization of 50 people for some minutes: memory and sockets must not grow. */
export async function repeatedPreviews(minutes: number): Promise<Verdict[]> {
  const place = await Place.create(...size);
  try {
    await place.run(["take-over", "--yes"]);
    const program = place.start(["-e", script]);
    const { samples, previews } = await watched(program, place, minutes);
    return verdictsOf(samples, `${grouped(previews)} previews of ${size[1]} people in ${minutes} minutes`);
  } finally {
    await place.remove();
  }
}

async function watched(program: ChildProcess, { service }: Place, minutes: number) {
  const samples: Sample[] = [];
  const lines: string[] = [];
  let ended: number | null | undefined;
  program.once("close", (status) => {
    ended = status;
  });
  program.stdout?.resume();
  createInterface({ input: program.stderr as NodeJS.ReadableStream }).on("line", (line) => lines.push(line));
  const end = performance.now() + minutes * 60_000;
  while (performance.now() < end) {
    const providers = watchProviders();
    await sleep(interval);
    if (ended !== undefined) throw new Error(`a preview ended with ${ended}:\n${lines.slice(-20).join("\n")}`);
    const provider = mib(providers.stop());
    samples.push({
      memory: { emulator: mib(memoryOf(service.pid)), program: mib(memoryOf(program.pid)), provider },
      sockets: { emulator: socketsOf(service.pid), program: socketsOf(program.pid) },
    });
  }
  const closed = new Promise((resolve) => program.once("close", resolve));
  program.kill("SIGUSR2");
  await closed;
  return { samples, previews: lines.filter((line) => line === "previewed").length };
}

const mib = (kib: number) => kib / 1024;

/** Compares the last fifth with the second one: in the first, each process loads what it needs. */
function verdictsOf(samples: readonly Sample[], what: string): Verdict[] {
  const fifth = Math.floor(samples.length / 5);
  const parts = { before: samples.slice(fifth, 2 * fifth), after: samples.slice(-fifth) };
  const { factor, more } = growth;
  const memory = (["emulator", "program", "provider"] as const).map((name) => {
    // Between two previews there is no provider.
    const middle = (some: readonly Sample[]) => median(some.map((one) => one.memory[name]).filter((mib) => mib > 0));
    const [before, after] = [middle(parts.before), middle(parts.after)];
    return verdict(`MiB of the ${name}`, before, after, before * factor + more, `${factor} x + ${more}`);
  });
  const sockets = (["emulator", "program"] as const).map((name) => {
    // Their number follows the phase of a preview, so that only the highest one is the same in each fifth.
    const highest = (some: readonly Sample[]) => Math.max(...some.map((one) => one.sockets[name]));
    const [before, after] = [highest(parts.before), highest(parts.after)];
    return verdict(`most sockets of the ${name}`, before, after, before + moreSockets, `+ ${moreSockets}`);
  });
  return [...memory, ...sockets].map((one) => ({ ...one, what: `${what}: ${one.what}` }));
}

function verdict(what: string, before: number, after: number, most: number, bound: string): Verdict {
  const text = `${bound} = ${grouped(most)}, with ${grouped(before)} at the beginning`;
  return { what, found: grouped(after), bound: text, holds: after <= most };
}

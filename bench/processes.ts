import { readdirSync, readFileSync, readlinkSync } from "node:fs";

interface Process {
  readonly parent: number;
  /** The command and its arguments, each followed by a NUL. */
  readonly command: string;
}

/** Peak memory of a process so far, in KiB (VmHWM of Linux); 0 if the process has ended. */
export function peakOf(pid: number | undefined): number {
  return Number(/VmHWM:\s+(\d+)/.exec(read(`/proc/${pid}/status`))?.[1] ?? 0);
}

/** Memory of a process now, in KiB. */
export function memoryOf(pid: number | undefined): number {
  return Number(/VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`))?.[1] ?? 0);
}

export function socketsOf(pid: number | undefined): number {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).filter((name) => linkOf(`${folder}/${name}`).startsWith("socket:")).length;
}

/** Watches the descendants of this process with these commands; `stop` returns the peak memory of the largest one. */
export function watchProcesses(isWatched: (command: string) => boolean): { stop(): number } {
  let most = 0;
  const look = () => {
    for (const [pid, { command }] of processesBelow(process.pid))
      if (isWatched(command)) most = Math.max(most, peakOf(pid));
  };
  const timer = setInterval(look, 200);
  return {
    stop: () => {
      clearInterval(timer);
      return most;
    },
  };
}

/** Watches the processes that serve resources, in either host. The shell script that starts the plugin has another name. */
export const watchProviders = () =>
  watchProcesses((command) => /^\S*node\0\S*\/(cmd\/dynamic-provider|plugin\/index\.js)/.test(command));

/** Kills all descendants of this process: a command of the engine does not end with its caller. */
export function endProcesses(): void {
  for (const pid of processesBelow(process.pid).keys()) {
    try {
      process.kill(pid, "SIGTERM");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  }
}

function processesBelow(ancestor: number): Map<number, Process> {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const processes = new Map(pids.map((pid) => [Number(pid), processOf(pid)]));
  const isBelow = (pid: number): boolean => {
    const parent = processes.get(pid)?.parent;
    return parent !== undefined && (parent === ancestor || isBelow(parent));
  };
  return new Map([...processes].filter(([pid]) => isBelow(pid)));
}

function processOf(pid: string): Process {
  // The name before the parent's id is in parentheses and may contain spaces.
  const parent = /\) \S (\d+)/.exec(read(`/proc/${pid}/stat`))?.[1];
  return { parent: Number(parent ?? 0), command: read(`/proc/${pid}/cmdline`) };
}

/** Reads a file of /proc; empty if the process has ended in the meantime. */
function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

/** The target of a link of /proc; empty if it is gone in the meantime. */
function linkOf(file: string): string {
  try {
    return readlinkSync(file);
  } catch {
    return "";
  }
}

import { readdirSync, readFileSync } from "node:fs";

interface Process {
  readonly parent: number;
  readonly command: string;
}

/** The most memory that a process had so far, in KiB, as Linux counts it; 0 for one that is gone. */
export function peakOf(pid: number | undefined): number {
  return Number(/VmHWM:\s+(\d+)/.exec(read(`/proc/${pid}/status`))?.[1] ?? 0);
}

/** Follows the processes below this one that run dynamic providers, until `stop` tells the most memory that one of them had. */
export function watchProviders(): { stop(): number } {
  let most = 0;
  const look = () => {
    for (const pid of providersBelow(process.pid)) most = Math.max(most, peakOf(pid));
  };
  const timer = setInterval(look, 200);
  return {
    stop: () => {
      clearInterval(timer);
      return most;
    },
  };
}

/** Ends everything that was started from here and still runs: a command of the engine does not end with its caller. */
export function endProcesses(): void {
  for (const pid of processesBelow(process.pid).keys()) {
    try {
      process.kill(pid, "SIGTERM");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  }
}

function providersBelow(ancestor: number): number[] {
  // The shell script that starts it has another name.
  const provides = ({ command }: Process) => /^\S*node\0\S*\/cmd\/dynamic-provider/.test(command);
  return [...processesBelow(ancestor)].filter(([, one]) => provides(one)).map(([pid]) => pid);
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
  // The name before the parent's id is in parentheses and may hold spaces.
  const parent = /\) \S (\d+)/.exec(read(`/proc/${pid}/stat`))?.[1];
  return { parent: Number(parent ?? 0), command: read(`/proc/${pid}/cmdline`) };
}

/** A process may end between two looks. */
function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

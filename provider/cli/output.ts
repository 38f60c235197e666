import { whyNotWritten } from "../text/file-errors";

/** Writes to the standard output and waits for it: the process ends right after, and a pipe may be slow. */
export function print(text: string): Promise<void> {
  return new Promise((resolve) =>
    process.stdout.write(text, (error) => {
      // Other errors end the process, see below.
      if (!error || isClosedPipe(error)) resolve();
    }),
  );
}

/**
 * Lets a command go on when the reader of its output ends, such as `head`, and when its progress cannot be written: a change must
 * not stop in the middle. What the standard output shows is written before a change, which is not begun if it cannot be read.
 */
export function watchOutput({ stdout, stderr }: Pick<NodeJS.Process, "stdout" | "stderr"> = process): void {
  stderr.on("error", () => undefined);
  stdout.on("error", (error) => {
    if (isClosedPipe(error)) return;
    tell(`could not write the standard output: ${whyNotWritten(error)}`);
    process.exit(1);
  });
}

const isClosedPipe = ({ code }: NodeJS.ErrnoException): boolean => code === "EPIPE";

/** Writes a line to stderr, since the standard output may be a file. */
export function tell(line: string): void {
  process.stderr.write(`docs-org: ${line}\n`);
}

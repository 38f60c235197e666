/** Writes to the standard output and waits for it: the process ends right after, and a pipe may be slow. */
export function print(text: string): Promise<void> {
  return new Promise((resolve, reject) =>
    process.stdout.write(text, (error) => (error && !isClosedPipe(error) ? reject(error) : resolve())),
  );
}

/** Lets a command go on when the reader of its output ends, such as `head`: a change must not stop in the middle. */
export function ignoreClosedPipes(streams: readonly NodeJS.EventEmitter[] = [process.stdout, process.stderr]): void {
  for (const stream of streams) {
    stream.on("error", (error) => {
      if (!isClosedPipe(error)) throw error;
    });
  }
}

const isClosedPipe = ({ code }: NodeJS.ErrnoException): boolean => code === "EPIPE";

/** Writes a line to stderr, since the standard output may be a file. */
export function tell(line: string): void {
  process.stderr.write(`docs-org: ${line}\n`);
}

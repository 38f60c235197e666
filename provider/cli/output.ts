/** Writes to the standard output and waits for it: the process ends right after, and a pipe may be slow. */
export function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => process.stdout.write(text, (error) => (error ? reject(error) : resolve())));
}

/** Writes a line to stderr, since the standard output may be a file. */
export function tell(line: string): void {
  process.stderr.write(`docs-org: ${line}\n`);
}

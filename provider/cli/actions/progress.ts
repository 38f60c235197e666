/** One line on a terminal that says how far a command is. Nothing is written if stderr is not a terminal. */
export class ProgressLine {
  private shown = 0;

  readonly count = (done: number, total: number, what: string): void => this.say(`read ${done} of ${total} ${what}`);

  say(text: string): void {
    if (!process.stderr.isTTY) return;
    process.stderr.write(`\r${text.padEnd(this.shown)}`);
    this.shown = text.length;
  }

  clear(): void {
    if (this.shown === 0) return;
    this.say("");
    process.stderr.write("\r");
    this.shown = 0;
  }
}

/** Shows the progress of the work, and removes it before the result is printed. */
export async function withProgress<T>(work: (line: ProgressLine) => Promise<T>): Promise<T> {
  const line = new ProgressLine();
  try {
    return await work(line);
  } finally {
    line.clear();
  }
}

import { DocsError } from "../api/http/errors";
import { whyNotWritten } from "../run/files";
import { inert, visible } from "../text/visible";

/** Writes to the standard output and waits for it: the process ends right after, and a pipe may be slow. */
export function print(text: string): Promise<void> {
  return new Promise((resolve) =>
    process.stdout.write(text, (error) => {
      // For other errors, `watchOutput` ends the process.
      if (!error || isClosedPipe(error)) resolve();
    }),
  );
}

/**
 * Lets a command go on when the reader of its output ends, such as `head`, and when its progress cannot be written: a change must
 * not stop in the middle. Any other failure of the standard output ends the command: a review comes before its change, which is
 * then not begun.
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

/** Ends the command with another status than 1: for a mistake in the command line, or as the command documents it. */
export class StatusError extends DocsError {
  constructor(
    message: string,
    readonly status: 2 | 3 = 2,
  ) {
    super(message);
  }
}

const mostPrinted = 50;

export function printNotes(notes: readonly string[]): void {
  const more = notes.length > mostPrinted ? [`and ${notes.length - mostPrinted} more notes`] : [];
  for (const note of [...notes.slice(0, mostPrinted), ...more, emptyTeams]) tell(inert(visible(note, 2000)));
}

const emptyTeams =
  "teams without members are missing: the API cannot list teams, so they are found through people; add each with --team ID";

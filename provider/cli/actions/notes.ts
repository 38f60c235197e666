import { inert, visible } from "../../text/visible";

const mostPrinted = 50;

/** Prints what could not be exported, and what readers should know. */
export function printNotes(notes: readonly string[]): void {
  const more = notes.length > mostPrinted ? [`and ${notes.length - mostPrinted} more notes`] : [];
  for (const note of [...notes.slice(0, mostPrinted), ...more, emptyTeams]) {
    process.stderr.write(`docs-org: ${inert(visible(note, 2000))}\n`);
  }
}

const emptyTeams =
  "teams without members are missing: the API cannot list teams, so they are found through people; add each with --team ID";

import { blocksOf, type PageBlock, pagesIn } from "../../scripts/pages/page";
import { trial } from "../../scripts/pages/readme";

const runnable = (page: string): PageBlock[] => blocksOf(page).filter(({ notRun }) => notRun === undefined);

/** The blocks of a page, or of some of its sections. */
function blocks(page: string, ...sections: string[]): PageBlock[] {
  const all = runnable(page);
  const missing = sections.find((section) => all.every((block) => block.section !== section));
  if (missing) throw new Error(`${page} has no section "${missing}" with something to run`);
  return sections.length === 0 ? all : all.filter(({ section }) => sections.includes(section));
}

const guide = (name: string): PageBlock[] => blocks(`docs/guides/${name}.md`);
const isCommand = ({ language }: PageBlock): boolean => language === "sh";
const commandsOf = (name: string): PageBlock[] => guide(name).filter(isCommand);

export const readme = trial();

export const gettingStarted = blocks("docs/getting-started.md");

export const takeOver = blocks("docs/guides/take-over.md", "With a program", "Single resources");

/** Pages that go on where the take-over ends. */
export const inOneFolder = [
  ...blocks("docs/guides/reviews-in-ci.md", "With a program").filter(isCommand),
  ...["joining-and-leaving", "rotation", "many-stacks"].flatMap(commandsOf),
  ...blocks("docs/concepts/sites.md", "Check a published site"),
  ...commandsOf("interrupted-runs"),
  ...blocks("docs/compatibility.md", "Upgrade"),
];

export const changeRequests = blocks("docs/change-requests.md").filter(isCommand);

/** Commands for an emulator that the reader starts. */
export const withEmulator = commandsOf("emulator");

/** A folder without a program: what exists is taken over, and its state moves to a bucket. */
export const movedState = [
  ...blocks("docs/guides/take-over.md", "With the commands"),
  ...blocks("docs/commands.md", "Where the state is kept", "Other commands"),
  ...blocks("docs/guides/reviews-in-ci.md", "In GitHub Actions"),
];

export const lostState = blocks("docs/lost-state.md", "A folder with organization.yaml");
export const lostStateOfProgram = blocks("docs/lost-state.md", "A program");

export const movedResource = blocks("docs/concepts/sites.md", "Move to another stack");

/** Pages that need other languages, which test/languages follows. */
export const languages = blocks("docs/languages.md").filter(isCommand);
export const pluginImport = blocks("docs/plugin.md", "Import one object");
export const pluginTakeOver = blocks("docs/guides/take-over.md", "With the plugin");

/** Commands of pages, except the generated ones, that no test follows: each with its page and line. */
export function findUnfollowed(): string[] {
  const followed = new Set(
    [
      ...[readme.commands, ...readme.program, ...gettingStarted, ...takeOver, ...inOneFolder, ...withEmulator],
      ...[
        ...changeRequests,
        ...movedState,
        ...lostState,
        ...lostStateOfProgram,
        ...movedResource,
        ...languages,
        ...pluginImport,
        ...pluginTakeOver,
      ],
    ].flatMap(({ content }) => commandsIn(content)),
  );
  const pages = pagesIn("README.md", "docs").filter((page) => !page.startsWith("docs/reference/"));
  return pages.flatMap((page) =>
    runnable(page)
      .filter(isCommand)
      .flatMap(({ content, line }) =>
        commandsIn(content).flatMap((command) => (followed.has(command) ? [] : [`${page}:${line}: ${command}`])),
      ),
  );
}

/** The lines without comments, and without the settings that the reader fills in. */
const commandsIn = (content: string): string[] =>
  content
    .split("\n")
    .map((line) => line.replace(/ +#.*$/, ""))
    .filter((line) => line !== "" && !/^export DOCS_.*=\.\.\./.test(line));

import { type Block, blocksOf, pagesIn } from "../../scripts/pages/page";
import { trial } from "../../scripts/pages/readme";

const runnable = (page: string): Block[] => blocksOf(page).filter(({ notRun }) => notRun === undefined);

/** The blocks of a page, or of some of its sections. */
function blocks(page: string, ...sections: string[]): Block[] {
  const all = runnable(page);
  const missing = sections.find((section) => all.every((block) => block.section !== section));
  if (missing) throw new Error(`${page} has no section "${missing}" with something to run`);
  return sections.length === 0 ? all : all.filter(({ section }) => sections.includes(section));
}

const guide = (name: string): Block[] => blocks(`docs/guides/${name}.md`);
const isCommand = ({ language }: Block): boolean => language === "sh";
const isYaml = ({ language }: Block): boolean => language === "yaml";
const commandsOf = (name: string): Block[] => guide(name).filter(isCommand);

export const readme = trial();

const start = "docs/getting-started.md";
export const gettingStarted = blocks(start);

export const takeOver = guide("take-over");

/** Guides that go on where the take-over ends. */
export const inOneFolder = [
  ...["reviews-in-ci", "audit", "token-rotation", "several-organizations", "published-sites", "upgrading"].flatMap(
    commandsOf,
  ),
  ...blocks("docs/change-requests.md").filter(isCommand),
];

/** Guides that start an emulator of their own. */
export const withEmulator = ["emulator", "large-organizations"].map(commandsOf);

/** A folder without a program: what exists is taken over, and its state moves to a bucket. */
export const movedState = blocks(
  "docs/commands.md",
  "Taking over what exists",
  "Where the state is kept",
  "Other commands",
);

/** The commands ask before they change what the file of the first page declares. */
export const answered = [
  ...blocks(start, "An organization in one file").filter(isYaml),
  ...blocks("docs/commands.md", "The commands"),
];

export const movedResource = blocks("docs/guides/renaming.md", "Move to another stack");

/** Pages that need other languages, which test/languages follows. */
export const languages = blocks("docs/languages.md").filter(isCommand);
export const pluginImport = blocks("docs/plugin.md", "Import one object");
export const pluginTakeOver = blocks("docs/plugin.md", "Take over an organization");

/** Commands of pages, except the generated ones, that no test follows. */
export function findUnfollowed(): Block[] {
  const followed = new Set(
    [
      ...[readme.commands, ...gettingStarted, ...takeOver, ...inOneFolder, ...withEmulator.flat()],
      ...[...movedState, ...answered, ...movedResource, ...languages, ...pluginImport, ...pluginTakeOver],
    ].map(placeOf),
  );
  const pages = pagesIn("README.md", "docs").filter((page) => !page.startsWith("docs/reference/"));
  return pages.flatMap((page) => runnable(page).filter(isCommand)).filter((block) => !followed.has(placeOf(block)));
}

export const placeOf = ({ page, line }: Block): string => `${page}:${line}`;

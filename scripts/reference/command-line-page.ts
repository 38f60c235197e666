import type { Command, Option } from "commander";
import { commandLine } from "../../provider/cli/program";
import { table } from "./page";

/** The page of `docs-org`: every command with its arguments and options, as `--help` has them. */
export function commandLinePage(): string {
  const commands = commandLine().commands.flatMap((command) => withSubcommands(command, "docs-org"));
  const parts = [
    "# Command line",
    "`docs-org --help` and `docs-org COMMAND --help` print the same. A mistake in the command line ends with status 2. [Commands for a folder with organization.yaml](../commands.md) explains the first ones.",
    ...commands.map(([path, command]) => partOf(path, command)),
  ];
  return `${parts.join("\n\n")}\n`;
}

/** A command that has others only groups them. */
function withSubcommands(command: Command, above: string): [path: string, command: Command][] {
  const path = `${above} ${command.name()}`;
  const below = command.commands.flatMap((one) => withSubcommands(one, path));
  return below.length > 0 ? below : [[path, command]];
}

function partOf(path: string, command: Command): string {
  const names = command.registeredArguments.map((one) => (one.required ? `<${one.name()}>` : `[${one.name()}]`));
  const args = command.registeredArguments.map((one) => [`\`${one.name()}\``, one.description]);
  const options = command.options
    .filter(({ hidden }) => !hidden)
    .map((option) => [`\`${option.flags}\``, descriptionOf(option)]);
  return [
    `## ${path}`,
    command.description(),
    `\`${[path, ...names, options.length > 0 ? "[options]" : ""].filter(Boolean).join(" ")}\``,
    args.length > 0 ? table(["argument", "what it is"], args) : "",
    options.length > 0 ? table(["option", "what it does"], options) : "",
    ...textsBelow(command),
  ]
    .filter(Boolean)
    .join("\n\n");
}

function descriptionOf({ description, argChoices, defaultValue }: Option): string {
  const marks = [
    argChoices?.map((one) => `\`${one}\``).join(", "),
    defaultValue !== undefined && !Array.isArray(defaultValue) && `default: \`${defaultValue}\``,
  ].filter(Boolean);
  return marks.length > 0 ? `${description} (${marks.join("; ")})` : description;
}

/** What `addHelpText` has added below the options: commander has no other access to it. */
function textsBelow(command: Command): string[] {
  const texts: string[] = [];
  command.configureOutput({ writeOut: (text) => texts.push(text) }).outputHelp();
  const added = texts.join("").slice(command.helpInformation().length);
  return added.split("\n").filter(Boolean);
}

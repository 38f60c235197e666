import type { Command, Option } from "commander";
import { print } from "../output";
import { bashScript } from "./completion-bash";
import { fishScript } from "./completion-fish";
import type { Completed } from "./completion-words";
import { zshScript } from "./completion-zsh";

export type Shell = keyof typeof scripts;

const scripts = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
} satisfies Record<string, (all: readonly Completed[]) => string>;

export async function completion(shell: Shell, program: Command): Promise<void> {
  await print(scripts[shell](completedIn(program)));
}

/** A command and all below it, from the definitions that commander parses with. */
function completedIn(command: Command, path: readonly string[] = []): Completed[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command).map((one) => ({ name: one.name(), description: one.description() }));
  const options = help.visibleOptions(command).map(completedOption);
  const values = command.registeredArguments[0]?.argChoices ?? [];
  const below = command.commands.flatMap((one) => completedIn(one, [...path, one.name()]));
  return [{ path, commands, options, values }, ...below];
}

const completedOption = ({ long, short, description, required, optional, argChoices = [] }: Option) => ({
  flag: long ?? short ?? "",
  description,
  takesValue: required || optional,
  values: argChoices,
});

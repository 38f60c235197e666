import type { Completed } from "./completion-words";

/** A script for fish: one line for each command, option and value. */
export const fishScript = (all: readonly Completed[]): string =>
  all
    .flatMap(linesOf)
    .map((line) => `${line}\n`)
    .join("");

function linesOf(one: Completed): string[] {
  const start = `complete -c docs-org -n ${quoted(conditionOf(one))}`;
  const commands = one.commands.map(({ name, description }) => `${start} -f -a ${name} -d ${quoted(description)}`);
  const options = one.options.map(({ flag, description, takesValue, values }) => {
    const value = values.length > 0 ? ` -x -a ${quoted(values.join(" "))}` : takesValue ? " -r" : "";
    return `${start} -l ${flag.replace(/^--/, "")}${value} -d ${quoted(description)}`;
  });
  const values = one.values.length > 0 ? [`${start} -f -a ${quoted(one.values.join(" "))}`] : [];
  return [...commands, ...options, ...values];
}

/** All words of the command were typed, and none of the commands below it. */
function conditionOf({ path, commands }: Completed): string {
  if (path.length === 0) return "__fish_use_subcommand";
  const seen = path.map((word) => `__fish_seen_subcommand_from ${word}`);
  const below =
    commands.length > 0 ? [`not __fish_seen_subcommand_from ${commands.map(({ name }) => name).join(" ")}`] : [];
  return [...seen, ...below].join("; and ");
}

const quoted = (text: string): string => `'${text.replace(/[\\']/g, "\\$&")}'`;

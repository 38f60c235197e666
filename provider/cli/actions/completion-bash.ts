import type { Completed } from "./completion-words";

/**
 * A script for bash. It finds the command in the words of the line, then offers the values of the option before the cursor, or
 * the commands and options. Without an offer, bash completes names of files.
 */
export const bashScript = (all: readonly Completed[]): string => `_docs_org() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" command="" words="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$command $word" in
${findCommands(all)}    esac
  done
  case "$command $previous" in
${all.flatMap(offerValues).join("")}    *)
      case "$command" in
${all.map(offerWords).join("")}      esac
      ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o bashdefault -o default -F _docs_org docs-org
`;

export const nameOf = ({ path }: Completed): string => path.join(" ");

/** The cases in which a word is the name of a command, for the words of a line; zsh reads them as bash does. */
export const findCommands = (all: readonly Completed[]): string =>
  all
    .filter(({ path }) => path.length > 0)
    .map(({ path }) => `      "${path.slice(0, -1).join(" ")} ${path.at(-1)}") command="${path.join(" ")}" ;;\n`)
    .join("");

const offerValues = (one: Completed): string[] =>
  one.options
    .filter(({ takesValue }) => takesValue)
    .map(({ flag, values }) => `    "${nameOf(one)} ${flag}") words="${values.join(" ")}" ;;\n`);

const offerWords = (one: Completed): string => {
  const words = [...one.commands.map(({ name }) => name), ...one.values, ...one.options.map(({ flag }) => flag)];
  return `        "${nameOf(one)}") words="${words.join(" ")}" ;;\n`;
};

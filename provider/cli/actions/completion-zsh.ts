import { findCommands, nameOf } from "./completion-bash";
import type { Completed, CompletedOption } from "./completion-words";

/**
 * A script for zsh, which cannot run that of bash: it reads `[@]:1` as a modifier (seen in zsh 5.9). It finds the command in the
 * words of the line as bash does, and shows descriptions. Without an offer, zsh completes names of files.
 */
export const zshScript = (all: readonly Completed[]): string => `#compdef docs-org
_docs_org() {
  local command="" word
  local -a names options
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$command $word" in
${findCommands(all)}    esac
  done
  case "$command $words[CURRENT-1]" in
${all.flatMap(offerValues).join("")}  esac
  case "$command" in
${all.map(offerWords).join("")}  esac
  local none=1
  _describe -t commands command names && none=0
  _describe -o -t options option options && none=0
  (( none )) || return 0
  _files
}
compdef _docs_org docs-org
`;

const offerValues = (one: Completed): string[] =>
  one.options
    .filter(({ takesValue }) => takesValue)
    .map(({ flag, values }) => {
      const offer = values.length > 0 ? `compadd -- ${values.join(" ")}` : "_files";
      return `    "${nameOf(one)} ${flag}") ${offer}; return ;;\n`;
    });

const offerWords = (one: Completed): string => {
  const commands = one.commands.map(({ name, description }) => entry(name, description));
  const options = one.options.map(({ flag, description }: CompletedOption) => entry(flag, description));
  const names = [...commands, ...one.values.map((value) => entry(value, ""))];
  return `    "${nameOf(one)}") names=(${names.join(" ")}); options=(${options.join(" ")}) ;;\n`;
};

/** A word and its description, as `_describe` takes them. */
const entry = (word: string, description: string): string =>
  `'${[word, description]
    .filter(Boolean)
    .map((part) => part.replace(/[\\:]/g, "\\$&"))
    .join(":")
    .replaceAll("'", "'\\''")}'`;

import type { Command, Option } from "commander";
import { print } from "../output";

export type Shell = keyof typeof shells;

interface Offer {
  readonly word: string;
  readonly meaning: string;
}

/** Prints the script for a shell. With words, prints what can follow them: the script calls this at each completion. */
export async function completion(shell: Shell, words: readonly string[], program: Command): Promise<void> {
  const { script, lineOf } = shells[shell];
  const lines = words.length === 0 ? [script.trim()] : offersAfter(words.slice(0, -1), program).map(lineOf);
  await print(lines.map((line) => `${line}\n`).join(""));
}

/** What can follow the typed words: the values of the option that is the last word, otherwise all that the command takes. No files. */
function offersAfter(typed: readonly string[], program: Command): Offer[] {
  let command = program;
  for (const word of typed) command = command.commands.find((below) => below.name() === word) ?? command;
  const help = command.createHelp();
  const options = help.visibleOptions(command);
  const last = options.find((option) => flagOf(option) === typed.at(-1));
  if (last && (last.required || last.optional)) return valuesIn(last.argChoices);
  return [
    ...help.visibleCommands(command).map((one) => ({ word: one.name(), meaning: one.description() })),
    ...valuesIn(command.registeredArguments[0]?.argChoices),
    ...options.map((option) => ({ word: flagOf(option), meaning: option.description })),
  ];
}

const flagOf = ({ long, short }: Option): string => long ?? short ?? "";

const valuesIn = (choices: readonly string[] = []): Offer[] => choices.map((word) => ({ word, meaning: "" }));

/** Scripts that ask `docs-org` what it offers. If it offers nothing, they complete names of files. */
const shells = {
  bash: {
    lineOf: ({ word }: Offer) => word,
    script: `
_docs_org() {
  local words=("\${COMP_WORDS[@]:1:COMP_CWORD}")
  COMPREPLY=($(compgen -W "$(docs-org completion bash -- "\${words[@]}")" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o bashdefault -o default -F _docs_org docs-org`,
  },
  zsh: {
    lineOf: ({ word, meaning }: Offer) =>
      [word, meaning]
        .filter(Boolean)
        .map((part) => part.replace(/[\\:]/g, "\\$&"))
        .join(":"),
    script: `
#compdef docs-org
_docs_org() {
  local -a offers=("\${(@f)$(docs-org completion zsh -- "\${(@)words[2,CURRENT]}")}")
  if [[ -n "$offers" ]]; then _describe docs-org offers; else _files; fi
}
compdef _docs_org docs-org`,
  },
  fish: {
    lineOf: ({ word, meaning }: Offer) => `${word}\t${meaning}`,
    script: `
function __docs_org
  set -l offers (docs-org completion fish -- (commandline -opc)[2..] (commandline -ct))
  if set -q offers[1]
    printf '%s\\n' $offers
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c docs-org -f -a '(__docs_org)'`,
  },
} as const;

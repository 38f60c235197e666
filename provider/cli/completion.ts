import { Argument, type Command } from "commander";
import type { Shell } from "./actions/completion";

/** `docs-org completion`: a script that lets a shell complete commands and options. */
export function addCompletion(program: Command): void {
  program
    .command("completion")
    .description("Print a script that lets the shell complete commands, options and their values.")
    .addArgument(new Argument("<shell>", "the shell").choices(["bash", "zsh", "fish"]))
    .addHelpText(
      "after",
      '\nbash: eval "$(docs-org completion bash)" in ~/.bashrc\n' +
        'zsh: eval "$(docs-org completion zsh)" in ~/.zshrc, after compinit\n' +
        "fish: docs-org completion fish > ~/.config/fish/completions/docs-org.fish",
    )
    .action(async (shell: Shell) => (await import("./actions/completion.js")).completion(shell, program));
}

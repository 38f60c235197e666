import { Argument, type Command, InvalidArgumentError, Option } from "commander";
import { type Readings, readingValues, versions } from "../../emulator/store/service";
import type { ReadLag } from "../../emulator/store/state";
import type { Shell } from "../actions/completion";
import { formatOption, later } from "../options";

function addDoctor(program: Command): void {
  program
    .command("doctor")
    .description(
      "Check Node.js, the engine, the plugin, the settings, the token, the clock, what ends soon, the backend and variables.",
    )
    .addOption(formatOption("text", ["text", "json"]))
    .addHelpText(
      "after",
      "\nSends one read to the service, and changes nothing.\nExit status: 0 when everything is right; 1 when something is wrong.",
    )
    .action(later(async () => (await import("../actions/doctor.js")).doctor));
}

function addInit(program: Command): void {
  program
    .command("init")
    .description("Files for the repository of this folder.")
    .command("github")
    .description(
      "Write the workflows of GitHub Actions: reviews of pull requests, the change after the merge, and a nightly check.",
    )
    .option("--force", "overwrite existing files")
    .addHelpText(
      "after",
      "\nWrites into .github of the repository, with a guide, and adds lines to .gitignore.\n" +
        "Exit status: 0 when the files are there; 1 when a file exists with another content, or cannot be written.",
    )
    .action(later(async () => (await import("../actions/init.js")).initGithub));
}

function addCompletion(program: Command): void {
  program
    .command("completion")
    .description("Print a script that lets the shell complete commands, options and their values.")
    .addArgument(new Argument("<shell>", "the shell").choices(["bash", "zsh", "fish"]))
    .argument("[words...]", "words of a command line after --: print what can stand in the place of the last one")
    .addHelpText(
      "after",
      '\nbash: eval "$(docs-org completion bash)" in ~/.bashrc\n' +
        'zsh: eval "$(docs-org completion zsh)" in ~/.zshrc, after compinit\n' +
        "fish: docs-org completion fish > ~/.config/fish/completions/docs-org.fish",
    )
    .action(async (shell: Shell, words: string[]) =>
      (await import("../actions/completion.js")).completion(shell, words, program),
    );
}

/** A parser of numbers; `use` says in a message which ones are allowed. */
const numberWhere =
  (isAllowed: (number: number) => boolean, use: string) =>
  (text: string): number => {
    if (/^\d+(\.\d+)?$/.test(text) && isAllowed(Number(text))) return Number(text);
    throw new InvalidArgumentError(`Use ${use}.`);
  };
const wholeUpTo = (most: number) =>
  numberWhere((number) => Number.isInteger(number) && number <= most, `a whole number from 0 to ${most}`);

const port = wholeUpTo(65_535);
const count = wholeUpTo(1_000_000);
const milliseconds = numberWhere(Number.isInteger, "a whole number of milliseconds");
const perSecond = numberWhere((number) => number > 0, "a number above 0");

const units: Record<string, number> = { ms: 1, s: 1000, m: 60_000 };

/** Adds the value of a repeatable `--read-lag WHAT=DURATION`; the emulator knows the names. */
export function readLag(text: string, before: ReadLag = {}): ReadLag {
  const [, name, number, unit = ""] = /^(\w+)=(\d+(?:\.\d+)?)(ms|s|m)$/.exec(text) ?? [];
  if (name !== undefined) return { ...before, [name]: Number(number) * (units[unit] as number) };
  throw new InvalidArgumentError(
    "Use lists=10s, all=10s or the name of an operation that reads; units are ms, s and m.",
  );
}

const readingNames = Object.keys(readingValues) as (keyof typeof readingValues)[];

const readingHelp = readingNames.map((name) => `${name}=${readingValues[name].join("|")}`).join(", ");

/** Adds the value of a repeatable `--reading NAME=VALUE`. */
function reading(text: string, before: Partial<Readings> = {}): Partial<Readings> {
  const [name = "", value = ""] = text.split(/=(.*)/s);
  const known = readingNames.find((one) => one === name);
  if (known === undefined) throw new InvalidArgumentError(`Use one of ${readingNames.join(", ")}, as NAME=VALUE.`);
  const allowed: readonly string[] = readingValues[known];
  if (!allowed.includes(value)) throw new InvalidArgumentError(`Use ${known}=${allowed.join(` or ${known}=`)}.`);
  return { ...before, [known]: value };
}

function addEmulate(program: Command): void {
  program
    .command("emulate")
    .description("Serve an emulator of the service on 127.0.0.1, and print its address and token as one JSON line.")
    .option("--port <number>", "port to listen on; 0 for any free port", port, 0)
    .option("--seed <file>", "YAML file with the initial content")
    .option("--latency <ms>", "milliseconds added to each answer", milliseconds)
    .option(
      "--read-lag <what=duration>",
      "age of what reads show (repeatable): lists=10s, all=10s, listMembers=500ms",
      readLag,
    )
    .option("--rate <number>", "maximum requests per second; others are answered with 429", perSecond)
    .option("--token <token>", "token to accept; default: DOCS_TOKEN, otherwise a random token")
    .option(
      "--caller <id>",
      "id of the member who owns the token, and whose role decides what it may do; default: no limits",
    )
    .option("--organization <id>", "id of the organization that is printed at the start")
    .option("--members <number>", "members to generate in addition to the seed", count)
    .option("--teams <number>", "teams to generate, of about ten members each", count)
    .option("--sites <number>", "sites to generate", count)
    .addOption(new Option("--version <version>", "version of the service").choices(versions))
    .option("--reading <name=value>", `what the API document leaves open (repeatable): ${readingHelp}`, reading)
    .action(later(async () => (await import("../actions/emulate.js")).emulate));
}

export const setupCommands = [addDoctor, addInit, addCompletion, addEmulate];

import { type Command, Option } from "commander";
import { versions } from "../../emulator/store/service";
import { count, milliseconds, perSecond, port, reading, readingHelp, readLag } from "../emulate-options";
import { formatOption, later } from "../options";

function addDoctor(program: Command): void {
  program
    .command("doctor")
    .description(
      "Check Node.js, the engine, the plugin, the settings, the token, the clock, the backend and variables.",
    )
    .addOption(formatOption("text", ["text", "json"]))
    .addHelpText(
      "after",
      "\nSends one read to the service, and changes nothing.\nExit status: 0 when everything is right; 1 when something is wrong.",
    )
    .action(later(async () => (await import("../actions/doctor.js")).doctor));
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

export const setupCommands = [addDoctor, addEmulate];

import type { Command } from "commander";
import { versions } from "../emulator/store/service";
import { count, milliseconds, perSecond, port, reading, readingHelp, readLag, serviceVersion } from "./emulate-options";
import { parseToken } from "./emulator-token";
import { later } from "./options";

/** `docs-org emulate`: prints one JSON line, then serves until a signal stops it. */
export function addEmulate(program: Command): void {
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
    .option(
      "--token <token>",
      "token to accept, or - for the first line of stdin; default: DOCS_TOKEN, otherwise a random token",
      parseToken,
    )
    .option(
      "--caller <id>",
      "id of the member who owns the token, and whose role decides what it may do; default: no limits",
    )
    .option("--organization <id>", "id of the organization that is printed at the start")
    .option("--members <number>", "members to generate in addition to the seed", count)
    .option("--teams <number>", "teams to generate, of about ten members each", count)
    .option("--sites <number>", "sites to generate", count)
    .option("--data <file>", "file that keeps state and token across restarts; if it exists, the seed is not used")
    .option("--version <version>", `version of the service: ${versions.join(" or ")}`, serviceVersion)
    .option("--reading <name=value>", `what the API document leaves open (repeatable): ${readingHelp}`, reading)
    .action(later(async () => (await import("./actions/emulate.js")).emulate));
}

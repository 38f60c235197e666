import { type Command, InvalidArgumentError } from "commander";
import { type Version, versions } from "../emulator/store/service";
import type { EmulateOptions } from "./actions/emulate";
import { parseToken } from "./emulator-token";

/** `docs-org emulate`: prints one JSON line, then serves until a signal stops it. */
export function addEmulate(program: Command): void {
  program
    .command("emulate")
    .description("Serve an emulator of the service on 127.0.0.1, and print its address and token as one JSON line.")
    .option("--port <number>", "port to listen on; 0 for any free port", port, 0)
    .option("--seed <file>", "YAML file with the initial content")
    .option("--latency <ms>", "milliseconds added to each answer", milliseconds)
    .option("--rate <number>", "maximum requests per second; others are answered with 429", perSecond)
    .option(
      "--token <token>",
      "token to accept, or - for the first line of stdin; default: DOCS_TOKEN, otherwise a random token",
      parseToken,
    )
    .option("--organization <id>", "id of the organization that is printed at the start")
    .option("--members <number>", "members to generate in addition to the seed", count)
    .option("--teams <number>", "teams to generate, of about ten members each", count)
    .option("--sites <number>", "sites to generate", count)
    .option("--data <file>", "file that keeps state and token across restarts; if it exists, the seed is not used")
    .option("--service-version <version>", `version of the service: ${versions.join(" or ")}`, serviceVersion)
    .action(async (options: EmulateOptions, command: Command) =>
      (await import("./actions/emulate.js")).emulate(options, command),
    );
}

function port(text: string): number {
  if (/^\d+$/.test(text) && Number(text) <= 65535) return Number(text);
  throw new InvalidArgumentError("Use a whole number from 0 to 65535.");
}

function count(text: string): number {
  if (/^\d+$/.test(text) && Number(text) <= 1_000_000) return Number(text);
  throw new InvalidArgumentError("Use a whole number from 0 to 1000000.");
}

function serviceVersion(text: string): Version {
  const found = versions.find((version) => version === text);
  if (found) return found;
  throw new InvalidArgumentError(`Use ${versions.join(" or ")}.`);
}

function milliseconds(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Use a whole number of milliseconds.");
}

function perSecond(text: string): number {
  if (/^\d+(\.\d+)?$/.test(text) && Number(text) > 0) return Number(text);
  throw new InvalidArgumentError("Use a number above 0.");
}

import { type Command, InvalidArgumentError } from "commander";
import { DocsError } from "../api/http/errors";
import { type Emulator, type EmulatorOptions, seedFromYaml, startEmulator, type Version, versions } from "../emulator";
import { parseToken, readToken } from "./emulator-token";
import { readText } from "./input";

interface EmulateOptions {
  readonly port: number;
  readonly seed?: string;
  readonly latency?: number;
  readonly rate?: number;
  readonly token?: string;
  readonly organization?: string;
  readonly members?: number;
  readonly teams?: number;
  readonly sites?: number;
  readonly data?: string;
  readonly serviceVersion?: Version;
}

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
    .action(emulate);
}

async function emulate(options: EmulateOptions, command: Command): Promise<void> {
  const emulator = await start(options, command);
  const { url, token, organizationId } = emulator;
  console.log(JSON.stringify({ url, token, organizationId }));
  await untilSignal();
  await emulator.close();
}

async function start(given: EmulateOptions, command: Command): Promise<Emulator> {
  const { seed, organization, members = 0, teams = 0, sites = 0, serviceVersion: version, ...options } = given;
  try {
    const token = await readToken(given.token);
    const planted = seed === undefined ? {} : { seed: await seedFromYaml(readText(seed, "seed file"), seed) };
    const named = organization === undefined ? {} : { organizationId: organization };
    const of = version === undefined ? {} : { version };
    return await listen({ ...options, ...of, ...planted, ...named, ...token, size: { members, teams, sites } });
  } catch (error) {
    // A mistake in the command line, such as a wrong seed file or organization, has status 2.
    if (error instanceof DocsError && !(error instanceof PortError)) command.error(error.message, { exitCode: 2 });
    throw error;
  }
}

class PortError extends DocsError {}

async function listen(options: EmulatorOptions): Promise<Emulator> {
  try {
    return await startEmulator(options);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    const reason = reasons[code] ?? message;
    throw new PortError(
      `could not listen on port ${options.port}: ${reason}; use another port, or 0 for any free port`,
    );
  }
}

const reasons: Record<string, string> = {
  EADDRINUSE: "another process listens on it",
  EACCES: "it needs more rights than this user has",
};

/** Resolves at the first SIGTERM or SIGINT. A second one ends the process immediately. */
function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    let signals = 0;
    const end = () => (++signals === 1 ? resolve() : process.exit(1));
    process.on("SIGTERM", end).on("SIGINT", end);
  });
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

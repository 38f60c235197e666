import { DocsError } from "../../api/http/errors";
import { type Emulator, type EmulatorOptions, type Readings, seedFromYaml, startEmulator } from "../../emulator";
import { Refusal } from "../../emulator/http/errors";
import { readText } from "../input";
import { StatusError } from "../output";

interface Options extends Omit<EmulatorOptions, "seed"> {
  /** A file. */
  readonly seed?: string;
  readonly organization?: string;
  readonly members?: number;
  readonly teams?: number;
  readonly sites?: number;
  readonly reading?: Partial<Readings>;
}

export async function emulate(options: Options): Promise<void> {
  const emulator = await start(options);
  const { url, token, organizationId } = emulator;
  console.log(JSON.stringify({ url, token, organizationId }));
  await untilSignal();
  await emulator.close();
}

async function start(given: Options): Promise<Emulator> {
  const { seed, organization, members = 0, teams = 0, sites = 0, reading = {}, ...options } = given;
  try {
    const emulator = await startEmulator({
      ...options,
      ...tokenFrom(given.token),
      ...(seed !== undefined && { seed: await seedFromYaml(readText(seed, "seed file"), seed) }),
      ...(organization !== undefined && { organizationId: organization }),
      readings: reading,
      size: { members, teams, sites },
    });
    await refuseUnknownCaller(emulator, given.caller);
    return emulator;
  } catch (error) {
    // A mistake in the command line, such as a wrong seed file or organization, has status 2.
    if (error instanceof Refusal || error instanceof DocsError) throw new StatusError(error.message);
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new DocsError(`could not serve on port ${given.port}: ${message}; use another port, or 0 for any free port`);
  }
}

/** The token from the option or the environment, which keeps it out of the list of processes. */
function tokenFrom(option: string | undefined): { readonly token?: string } {
  const token = option ?? (process.env.DOCS_TOKEN || undefined);
  if (token === undefined) return {};
  // A dash is no token: for other options, it means the standard input.
  if (token !== "-" && /^[\x21-\x7e]+$/.test(token)) return { token };
  // The message does not show the text, which may be most of a real token.
  const source = option === undefined ? "DOCS_TOKEN" : "--token";
  throw new DocsError(`${source} is not a token; use printable characters without spaces`);
}

/** Refuses a caller who is no member: such a user keeps all rights, so a typing error would go unnoticed. */
async function refuseUnknownCaller(emulator: Emulator, caller: string | undefined): Promise<void> {
  const { organizationId, state } = emulator;
  if (caller === undefined || state.organizations.get(organizationId)?.caller === caller) return;
  await emulator.close();
  throw new DocsError(
    `the organization "${organizationId}" has no member "${caller}"; use --caller with the id of a member`,
  );
}

/** Resolves at the first SIGTERM or SIGINT. A second one ends the process immediately. */
function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    let isEnding = false;
    const end = () => {
      if (isEnding) process.exit(1);
      isEnding = true;
      resolve();
    };
    process.on("SIGTERM", end).on("SIGINT", end);
  });
}

import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll } from "vitest";
import { pluginStack } from "../../../scripts/plugin-stack";
import { type CommandOutcome, root, Stack } from "../../../scripts/stack";
import { refuseLogs } from "../../support/engine-logs";
import { ownProcesses } from "../../support/engine-node";
import { runInResident } from "../../support/resident-cli";
import { program } from "../bench";

/** The lines of a file that the tests edit. */
export const organizationText = `organization: acme
guards: { minAdmins: 1 }
members:
  ada@acme.test: admin
  user_bea: admin
  cem@acme.test: create
teams:
  team_writers: { members: { cem@acme.test: owner, dana@acme.test: member, femi@acme.test: member } }
sites:
  guide: { title: Guide, protect: false }
`;

export const cli = path.join(root, "dist", "cli", "index.js");

/** Variables that a process reads when it starts: a command with one of them cannot run in the resident process. */
const settingsOfProcesses = [...Object.keys(ownProcesses), "NODE_OPTIONS"];

/** A folder for all tests of a file, and the stack whose engine and settings it has. */
export function sharedFolder(settings: () => NodeJS.ProcessEnv): { readonly folder: Folder } {
  const shared = {} as { stack: Stack; folder: Folder };
  beforeAll(async () => {
    shared.stack = await Stack.create(program(), settings());
    shared.folder = await Folder.create(shared.stack);
  });
  afterAll(async () => {
    await shared.folder.remove();
    await shared.stack.remove();
  });
  return shared;
}

/** Runs commands in an empty folder that has only `organization.yaml`, as a user without a login. */
export class Folder {
  private constructor(
    readonly path: string,
    private readonly runner: Stack,
    private readonly environment: NodeJS.ProcessEnv,
  ) {}

  static async create(runner: Stack, name = "acme"): Promise<Folder> {
    const home = await mkdtemp(path.join(tmpdir(), "docs-org-folder-"));
    const folder = path.join(home, name);
    await mkdir(folder);
    await refuseLogs(path.join(home, "home"));
    // Empty variables count as absent ones: no backend is chosen, and nobody has logged in.
    const environment = { PULUMI_HOME: path.join(home, "home"), PULUMI_BACKEND_URL: "", PULUMI_ACCESS_TOKEN: "" };
    return new Folder(folder, runner, environment);
  }

  /** Runs `docs-org` without a passphrase, unless there is one in `more`. */
  docsOrg(args: readonly string[], more: NodeJS.ProcessEnv = {}): Promise<CommandOutcome> {
    const passphrase = { PULUMI_CONFIG_PASSPHRASE: undefined };
    if (settingsOfProcesses.some((name) => name in more))
      return this.shell(":", [process.execPath, cli, ...args], { ...passphrase, ...more });
    return runInResident(args, this.path, { ...this.runner.settings(), ...this.environment, ...passphrase, ...more });
  }

  /** Runs `docs-org` on a terminal, and answers its first question. */
  onTerminal(answer: string, args: readonly string[], more: NodeJS.ProcessEnv = {}): Promise<CommandOutcome> {
    const terminal = path.join(root, "test", "support", "terminal.py");
    const command = ["python3", terminal, "[y/N] ", answer, process.execPath, cli, ...args];
    return this.shell("unset PULUMI_CONFIG_PASSPHRASE", command, more);
  }

  /** Runs `docs-org` in a process group of its own, and sends it the signal of Ctrl-C, as a terminal does, when `moment` has come. */
  async interrupted(args: readonly string[], moment: () => Promise<unknown>): Promise<CommandOutcome> {
    const script = 'set -m; "$@" & echo $! > started; wait $!';
    const command = ["bash", "-c", script, "bash", process.execPath, cli, ...args];
    const outcome = this.shell("unset PULUMI_CONFIG_PASSPHRASE", command);
    await moment();
    process.kill(-Number(await this.read("started")), "SIGINT");
    return outcome;
  }

  /** Runs `pulumi` in the project of the commands. */
  pulumi(args: readonly string[], more: NodeJS.ProcessEnv = {}): Promise<CommandOutcome> {
    return this.shell("cd .docs-org; export PULUMI_CONFIG_PASSPHRASE=", ["pulumi", "--non-interactive", ...args], more);
  }

  read = (file: string): Promise<string> => readFile(path.join(this.path, file), "utf8");
  write = (file: string, text: string): Promise<void> => writeFile(path.join(this.path, file), text);
  remove = (): Promise<void> => rm(path.dirname(this.path), { recursive: true });

  /** Runs another program in the folder, with the engine on its PATH. */
  run = (command: readonly string[], more: NodeJS.ProcessEnv = {}): Promise<CommandOutcome> =>
    this.shell("unset PULUMI_CONFIG_PASSPHRASE", command, more);

  /** `before`: what the shell runs before the command; `:` is nothing. */
  private shell(before: string, command: readonly string[], more: NodeJS.ProcessEnv = {}): Promise<CommandOutcome> {
    const script = `cd "$0" || exit 99; ${before}; exec "$@"`;
    return this.runner.execute("sh", ["-c", script, this.path, ...command], { ...this.environment, ...more });
  }
}

/** A program of the plugin that declares what the commands declare, for a project of the same name. */
export const stackOfProgram = (name: string, environment: NodeJS.ProcessEnv): Promise<Stack> =>
  pluginStack(
    {
      text: `import * as docs from "pulumi-docs-org/plugin";
new docs.Organization("${name}", { file: "organization/organization.yaml" });
`,
    },
    environment,
  );

import { readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { type ImportResource, LocalWorkspace, Stack, StackNotFoundError } from "@pulumi/pulumi/automation";
import { DocsError } from "../api/http/errors";
import type { Engine } from "../engine/find";
import { Organization } from "../organization/remote-component";
import { ownTypeOf } from "../resources/urns";
import { passphraseIn } from "./backend";
import { commandOf } from "./command";
import { failureOf, importFailureOf, isEcho } from "./failure";
import { Progress } from "./progress";
import { organizationYaml, type Project } from "./project";

/** A change of a stack, which can be previewed and made. */
export type Change = "up" | "destroy";

export interface OpenOptions {
  readonly engine: Engine;
  readonly project: Project;
  readonly stackName: string;
  /** Whether to make the stack if the backend does not have it. */
  readonly create: boolean;
}

interface Printed {
  readonly diagnostics?: readonly { readonly message: string; readonly severity: string }[];
}

/** Whether the output is a whole document with the reason of a failure. */
function saysWhy(printed: string): boolean {
  try {
    return (JSON.parse(printed) as Printed).diagnostics?.some(({ severity }) => severity === "error") === true;
  } catch {
    // The output was cut off, or the engine failed before it could print a document.
    return false;
  }
}

/** A stack whose program is the file of the organization. The engine runs in its own process, and the program in this one. */
export class Deployment {
  private readonly stopping = new AbortController();

  private constructor(
    private readonly stack: Stack,
    readonly project: Project,
    /** Whether the stack was just made. */
    readonly isNew: boolean,
  ) {}

  static async open({ engine, project, stackName, create }: OpenOptions): Promise<Deployment> {
    // The Automation API finds the CLI on the PATH of this process.
    Object.assign(process.env, engine.environment);
    const { name, root, folder } = project;
    const file = join(root, organizationYaml);
    const program = async () => void new Organization(name, { file });
    const envVars = { PULUMI_SKIP_UPDATE_CHECK: "true", ...passphraseIn(process.env) };
    try {
      const workspace = await LocalWorkspace.create({
        workDir: folder,
        program,
        envVars,
        pulumiCommand: commandOf(engine),
      });
      // The API reads the outputs of the stack after each up, with two commands. This program has none.
      workspace.stackOutputs = async () => ({});
      const { stack, isNew } = await openStack(workspace, stackName, create);
      return new Deployment(stack, project, isNew);
    } catch (error) {
      throw failureOf(error, `could not open stack ${stackName}`);
    }
  }

  /** What `pulumi preview --json` prints, also if the preview is refused. */
  async preview(change: Change): Promise<string> {
    const printed: string[] = [];
    const options = { refresh: true, onOutput: (text: string) => printed.push(text), signal: this.stopping.signal };
    // The API has no option for it; this hook adds arguments to the commands of a stack.
    this.stack.workspace.serializeArgsForOp = async () => ["--json"];
    try {
      await this.interruptible(() =>
        change === "up" ? this.stack.preview(options) : this.stack.destroy({ ...options, previewOnly: true }),
      );
    } catch (error) {
      // A refused preview says why. One that was interrupted does not, and must not pass for a whole one.
      if (!saysWhy(printed.join(""))) throw this.failure(error, "the preview failed");
    } finally {
      this.stack.workspace.serializeArgsForOp = async () => [];
    }
    return this.documentIn(printed.join(""));
  }

  /** The number of resources in the state of the stack, and of those that manage something at the service. */
  async countResources(): Promise<{ readonly all: number; readonly own: number }> {
    const { deployment } = await this.stack.exportStack();
    const { resources = [] } = (deployment ?? {}) as { readonly resources?: readonly { readonly type: string }[] };
    const own = resources.filter(({ type }) => ownTypeOf(type)?.isComponent === false);
    return { all: resources.length, own: own.length };
  }

  /** Imports resources by their ids. Those that an earlier import recorded stay as they are. */
  async import(file: string): Promise<void> {
    const { resources } = JSON.parse(readFileSync(file, "utf8")) as { resources: ImportResource[] };
    try {
      await this.interruptible(() => this.stack.import({ resources, protect: false, generateCode: false }));
    } catch (error) {
      throw new DocsError(this.withRelativePaths(importFailureOf(error).message));
    }
  }

  /** Records what the program declares and equals the live organization. The provider sends no request that changes something. */
  async record(): Promise<void> {
    const { envVars } = this.stack.workspace;
    envVars.DOCS_READ_ONLY = "true";
    try {
      await this.run("up", () => undefined);
    } finally {
      delete envVars.DOCS_READ_ONLY;
    }
  }

  /** Makes the change, and returns what was done. `plan` is the file of the reviewed plan. */
  apply(change: Change, plan: string, show: (line: string) => void): Promise<string> {
    Object.assign(this.stack.workspace.envVars, { DOCS_PLAN: plan });
    return this.run(change, show);
  }

  private async run(change: Change, show: (line: string) => void): Promise<string> {
    const progress = new Progress(show);
    const options = { refresh: true, onEvent: progress.onEvent, signal: this.stopping.signal };
    try {
      await this.interruptible(() => this.stack[change](options));
    } catch (error) {
      const { failure, summary } = progress;
      const reason = this.failure(failure === "" ? error : new DocsError(failure), `${change} failed`).message;
      throw new DocsError(`${reason}\nThe ${change} stopped (${summary}); run it again to complete it.`);
    }
    return progress.summary;
  }

  private documentIn(printed: string): string {
    const text = this.withRelativePaths(printed, (part) => JSON.stringify(part).slice(1, -1));
    const { diagnostics, ...others } = JSON.parse(text) as Printed;
    return JSON.stringify({ ...others, diagnostics: diagnostics?.filter(({ message }) => !isEcho(message)) });
  }

  /** The terminal sends Ctrl-C to the engine as well, which then completes its state: this process must wait for it. */
  private async interruptible(work: () => Promise<unknown>): Promise<void> {
    const wait = () => undefined;
    const stop = () => this.stopping.abort();
    process.on("SIGINT", wait).on("SIGTERM", stop);
    try {
      await work();
    } finally {
      process.off("SIGINT", wait).off("SIGTERM", stop);
    }
  }

  private failure(error: unknown, what: string): DocsError {
    return new DocsError(this.withRelativePaths(failureOf(error, what).message));
  }

  /** The plugin runs in the folder of the project, so it gets the whole path of the file; messages name it as the user does. */
  private withRelativePaths(text: string, encoded = (part: string) => part): string {
    return text.replaceAll(encoded(this.project.root + sep), "");
  }
}

async function openStack(workspace: LocalWorkspace, name: string, create: boolean) {
  try {
    return { stack: await Stack.select(name, workspace), isNew: false };
  } catch (error) {
    if (!(error instanceof StackNotFoundError)) throw error;
    if (!create) throw new DocsError(`there is no stack ${name} in this backend; nothing was made with it yet`);
    return { stack: await Stack.create(name, workspace), isNew: true };
  }
}

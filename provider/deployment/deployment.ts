import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, sep } from "node:path";
import { ComponentResource, CustomResource } from "@pulumi/pulumi";
import {
  type ImportResource,
  LocalWorkspace,
  PulumiCommand,
  Stack,
  StackAlreadyExistsError,
  StackNotFoundError,
  type UpOptions,
} from "@pulumi/pulumi/automation";
import { type Plan, writePlan } from "../access/plan-file";
import { keepUnfinished, keptSince, settleUnfinished } from "../access/unfinished";
import { DocsError } from "../api/http/errors";
import type { Engine } from "../engine/find";
import { sdkVersion } from "../engine/version";
import { agentAfter, type ExportedState, interruptedIn } from "../history/version";
import type { DueGrants } from "../organization/due-grants";
import { organizationYaml } from "../organization/file/loader";
import { Organization } from "../organization/remote-component";
import { notesType } from "../organization/sections";
import { knownValue } from "../program/sdk-internals";
import { readEvidence } from "../report/evidence";
import { ownTypeOf } from "../resources/urns";
import { notesName } from "../review/model/component-notes";
import { connectBySettings, explained } from "../run/context";
import { jsonIn } from "../run/files";
import { packageVersion } from "../run/package";
import type { Properties } from "../run/properties";
import { onlyVariable, previewedVariable, Settings, unfinishedVariable } from "../run/settings";
import { organizationType } from "../run/urn";
import { commandFor } from "../text/stack-commands";
import { backendOf, folderOf, stacksIn } from "./backend";
import { EndedError, failureOfCommand, importFailureOf, printedDocument, signalIn } from "./failure";
import { EngineProgress } from "./progress";
import { missingStack, type Project } from "./project";
import { type KeptVersion, keptVersions, stateInFolder } from "./versions";

export type StackChange = "up" | "destroy";

export interface OpenOptions {
  readonly engine: Engine;
  readonly project: Project;
  readonly stackName: string;
  /** Whether to make a stack that the backend does not have, before the first command of the engine. */
  readonly create: boolean;
  onMade(): void;
  /** Shows a line of the provider, such as what it waits for. */
  tell(line: string): void;
}

interface Recorded {
  readonly type: string;
  readonly urn: string;
  readonly id?: string;
  readonly inputs?: Properties;
  readonly outputs?: Properties & { readonly roles?: object; readonly userIds?: Readonly<Record<string, string>> };
}

/** The people whose previous roles are recorded: their names in the declaration, and their user ids. */
const peopleIn = (resources: readonly Recorded[]): ReadonlySet<string> =>
  new Set(
    resources.flatMap((one) =>
      ownTypeOf(one.type)?.name === "MemberRoles"
        ? [...Object.keys(one.outputs?.roles ?? {}), ...Object.values(one.outputs?.userIds ?? {})]
        : [],
    ),
  );

const isManaged = ({ type }: Recorded): boolean => ownTypeOf(type)?.isComponent === false;

interface Printed {
  readonly steps?: readonly { readonly oldState?: Recorded }[];
  readonly diagnostics?: readonly { readonly message: string; readonly severity: string }[];
}

const saysWhy = ({ diagnostics = [] }: Printed): boolean => diagnostics.some(({ severity }) => severity === "error");

/** The notes as they are, with other outputs. */
class Notes extends ComponentResource {
  constructor(parent: ComponentResource, name: string, inputs: Properties, outputs: Properties) {
    super(notesType, name, inputs, { parent });
    this.registerOutputs(outputs);
  }
}

/** A stack whose program is the file of the organization. The engine runs in its own process, and the program in this one. */
export class Deployment {
  private readonly stopping = new AbortController();
  /** Whether the user has pressed Ctrl-C during a command of the engine. */
  wasInterrupted = false;
  /** What the provider has said in earlier runs of this command. */
  private readonly shownNotices = new Set<string>();
  /** What the stack had at the last preview. */
  private recorded: readonly Recorded[] = [];
  /** URNs of resources whose change was interrupted before this command. */
  private interrupted: readonly string[] | undefined;
  private limits: Pick<UpOptions, "target" | "message" | "continueOnError"> = {};
  /** What the preview and the up hand to the provider. */
  private readonly scratch = mkdtempSync(join(tmpdir(), "docs-org-run-"));

  private constructor(
    readonly options: OpenOptions,
    private readonly workspace: LocalWorkspace,
    /** The stack, unless it is yet to be made. */
    private stack: Stack | undefined,
  ) {
    process.once("exit", () => rmSync(this.scratch, { recursive: true, force: true }));
    workspace.envVars[unfinishedVariable] = this.unfinished;
  }

  static async open(options: OpenOptions): Promise<Deployment> {
    const { engine, project, stackName, create } = options;
    try {
      const workspace = await openWorkspace(engine, project);
      // The API reads the outputs of the stack after each up, with two commands. This program has no outputs.
      workspace.stackOutputs = async () => ({});
      // The engine, started to select a stack in a folder, would only find that its file exists.
      const folder = folderOf(backendOf(project));
      if (folder !== undefined && stacksIn(folder).includes(`${project.name}/${stackName}`))
        workspace.selectStack = async () => undefined;
      const stack = await findStack(workspace, stackName);
      if (!stack && !create) throw missingStack(stackName);
      return new Deployment(options, workspace, stack);
    } catch (error) {
      throw failureOfCommand(error, `could not open stack ${stackName}`, stackName);
    }
  }

  /** The document that `pulumi preview --json` prints, also if the preview is refused. The change that follows uses the same time. */
  async preview(change: StackChange): Promise<unknown> {
    let printed = "";
    let failure: unknown;
    const { onEvent } = new EngineProgress(() => undefined, this.teller());
    const options = { ...this.limits, refresh: true, onEvent, signal: this.stopping.signal };
    const stack = await this.make();
    const previewed = {
      DOCS_NOW: new Settings().now().toISOString(),
      [previewedVariable]: join(this.scratch, "previewed"),
    };
    Object.assign(this.workspace.envVars, previewed);
    // The review of an up needs the resources that stay unchanged. In a destroy, no resource does.
    const sames = change === "up" ? ["--show-sames"] : [];
    // The Automation API has no option for these arguments; this hook adds them to the commands of a stack.
    this.workspace.serializeArgsForOp = async () => ["--json", ...sames];
    try {
      const result = await this.interruptible<{ readonly stdout: string }>(() =>
        change === "up" ? stack.preview(options) : stack.destroy({ ...options, previewOnly: true }),
      );
      printed = result.stdout;
    } catch (error) {
      if (this.wasInterrupted) throw new DocsError("the preview was interrupted", { cause: error });
      failure = error;
      printed = printedDocument((error as Error).message);
    } finally {
      this.workspace.serializeArgsForOp = async () => [];
    }
    // The engine may have failed before it printed the document, or while it did.
    const document = jsonIn(printed) as Printed | undefined;
    // A refused preview says why. One that was interrupted does not, and must not pass for a whole one.
    if (!document || (failure && !saysWhy(document)))
      throw this.failure(failure ?? new Error("the engine printed no whole document"), "the preview failed");
    const { diagnostics = [], steps = [] } = document;
    this.recorded = steps.flatMap(({ oldState }) => oldState ?? []);
    return { ...document, diagnostics: diagnostics.map((one) => ({ ...one, message: this.forUsers(one.message) })) };
  }

  /** The resources in the state of the stack, and those that manage something at the service. */
  async readResources(): Promise<{ readonly all: readonly Recorded[]; readonly managed: readonly Recorded[] }> {
    const { deployment } = (await this.exportState()) ?? {};
    const all = ((deployment ?? {}) as { readonly resources?: readonly Recorded[] | null }).resources ?? [];
    return { all, managed: all.filter(isManaged) };
  }

  /** How many resources the stack managed at the last preview. */
  get managedCount(): number {
    return new Set(this.recorded.filter(isManaged).map(({ urn }) => urn)).size;
  }

  /** What `pulumi stack export` prints; nothing if the stack was not made yet. A folder is read without the engine, unless it is damaged. */
  exportState = async (): Promise<ExportedState | undefined> => {
    const { project, stackName } = this.options;
    const state = this.stack && stateInFolder(project, stackName);
    const exported = state ?? (await this.stack?.exportStack().catch(this.failing("could not read the state")));
    this.interrupted ??= interruptedIn(exported);
    return exported;
  };

  /** The newest versions of the state that the backend keeps, the oldest of them first. */
  async listVersions(most?: number): Promise<KeptVersion[]> {
    const { project, stackName } = this.options;
    if (!this.stack) return [];
    return keptVersions(this.workspace, project, stackName, most).catch(this.failing("could not read the history"));
  }

  /** The version of the stack for evidence. Unless a file or a page will name it, it is not worth a command of the engine. */
  async newestVersion({ isForFile }: { readonly isForFile: boolean }): Promise<string | undefined> {
    const { project } = this.options;
    if (!isForFile && folderOf(backendOf(project)) === undefined) return undefined;
    const [newest] = await this.listVersions(1).catch((error: Error) => {
      this.options.tell(`names no version of the stack, because it ${error.message}`);
      return [];
    });
    return newest?.update.version;
  }

  /** Makes the stack unless it exists. The other methods call this if they need it. */
  async make(): Promise<Stack> {
    if (this.stack) return this.stack;
    const { stackName, onMade } = this.options;
    try {
      // Another run may have made the stack since `findStack`. `createOrSelect` would fail if that run makes it just now.
      const made = await Stack.create(stackName, this.workspace).catch((error: unknown) => {
        if (error instanceof StackAlreadyExistsError) return Stack.select(stackName, this.workspace);
        throw error;
      });
      this.stack = withoutHistory(made);
    } catch (error) {
      throw failureOfCommand(error, `could not make stack ${stackName}`, stackName);
    }
    onMade();
    return this.stack;
  }

  /** Imports resources of an organization by their ids, which do not say the organization. Those that are recorded stay as they are. */
  async import(resources: ImportResource[], organizationId: string): Promise<void> {
    const stack = await this.make();
    await this.rememberInterrupted();
    const { envVars } = this.workspace;
    try {
      envVars.DOCS_ORGANIZATION_ID = organizationId;
      await this.interruptible(() => stack.import({ resources, protect: false, generateCode: false }));
    } catch (error) {
      if (this.wasInterrupted) throw new DocsError("the import was interrupted", { cause: error });
      throw new DocsError(this.forUsers(importFailureOf(error, this.options.stackName).message));
    } finally {
      delete envVars.DOCS_ORGANIZATION_ID;
    }
  }

  /**
   * Records the declared resources that equal the live organization. In a stack that has some of them already, `only` names the others
   * by type and name. The provider sends no request that changes something.
   */
  async record(only?: readonly string[]): Promise<void> {
    const { envVars } = this.workspace;
    const { all } = only ? await this.readResources() : { all: [] };
    // The engine matches each pattern with each resource, which takes time, so a resource that it has is named by its URN.
    const urns = new Map(all.map(({ urn }) => [urn.split("::").slice(2).join("::"), urn]));
    const target = only?.map((one) => urns.get(one) ?? `**::${one}`);
    envVars.DOCS_READ_ONLY = "true";
    try {
      // What differs is refused, and the rest is recorded nevertheless.
      await this.run("up", () => undefined, { continueOnError: true, target });
    } finally {
      delete envVars.DOCS_READ_ONLY;
    }
  }

  /**
   * Limits what follows to the resources of these grants. The file is not read, and the provider leaves out changes of other people,
   * and changes that the plan does not have. `message` is the one of the update.
   */
  limitTo({ resources, people, notes, appliedAfter }: DueGrants, message: string): void {
    const { project } = this.options;
    this.limits = { target: [...resources.keys()].map((end) => `**$${end}`), message, continueOnError: true };
    this.workspace.envVars[onlyVariable] = people.join("\n");
    this.workspace.program = async () => {
      const parent = new ComponentResource(organizationType, project.name);
      const options = { parent, version: packageVersion };
      const made = [...resources].map(async ([end, inputs]) => {
        if (!inputs) return end;
        const [type = "", name = ""] = end.split("::");
        const { urn } = new (class extends CustomResource {})(type, name, inputs, options);
        // The engine reports what has failed.
        await knownValue(urn);
        return end;
      });
      const ends = (await Promise.allSettled(made)).flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
      new Notes(parent, notesName(project.name), notes, { applied: appliedAfter(new Set(ends)) });
    };
  }

  /** Removes the lock that a killed run has left. */
  async cancel(): Promise<void> {
    await this.stack?.cancel().catch(this.failing(`could not remove the lock of stack ${this.options.stackName}`));
  }

  /**
   * Makes the change of the last preview, and returns what was done. The provider refuses what the plan does not have.
   * `planAge` is how old the plan may be, if not as usual.
   */
  async apply(
    change: StackChange,
    plan: Plan,
    planAge: string | undefined,
    show: (line: string) => void,
  ): Promise<string> {
    const file = join(this.scratch, "plan.json");
    writeFileSync(file, writePlan(plan));
    const isOnlyOne = !existsSync(this.unfinished);
    if (change === "up") keepUnfinished(this.unfinished, plan, peopleIn(this.recorded));
    const { root } = this.options.project;
    Object.assign(this.workspace.envVars, { DOCS_PLAN: file }, planAge && { DOCS_PLAN_AGE: planAge }, newFilesIn(root));
    const summary = await this.run(change, show);
    // The stack records everybody in this plan now. Plans of earlier ups stay for `settle`.
    if (isOnlyOne) rmSync(this.unfinished, { force: true });
    return summary;
  }

  /** The file with the plans of ups that have not ended well: beside the state, since it says what the state does not. */
  private get unfinished(): string {
    const { project, stackName } = this.options;
    return join(project.folder, `unfinished-${encodeURIComponent(`${project.name}/${stackName}`)}.json`);
  }

  /**
   * Forgets ups that have not ended well; refuses if only their plans know what people had before. Called before a destroy, when an up has
   * ended well, and before a change if another machine has changed the stack since: then the plans are no longer true.
   */
  async settle({ isOvertaken = false } = {}): Promise<void> {
    if (!existsSync(this.unfinished)) return;
    const { project, stackName } = this.options;
    const recorded = peopleIn((await this.readResources()).all);
    const context = await connectBySettings(project.organizationId);
    const keptAt = isOvertaken ? undefined : new Date();
    const remaining = await explained(context, () => settleUnfinished(this.unfinished, context, recorded, keptAt));
    if (remaining.length === 0) return;
    const remedy = isOvertaken
      ? "another run has changed the stack since, so"
      : `declare them in ${organizationYaml} and run docs-org up, or`;
    throw new DocsError(
      `an up has not ended well: these people have a new role that stack ${stackName} does not record, so nothing would give them back the one before:\n${remaining.map((line) => `  ${line}`).join("\n")}\n${remedy} give them the role before in the service; if they keep the new one, remove ${relative(project.root, this.unfinished)}`,
    );
  }

  /** Settles ups that have not ended well if another run has changed the stack since. A difference between the clocks of both machines may hide a change. */
  async settleOvertaken(): Promise<void> {
    if (!existsSync(this.unfinished)) return;
    const since = keptSince(this.unfinished);
    const history = this.stack?.history(20, 1, false).catch(this.failing("could not read the history of the stack"));
    // Of the 20 newest entries, an import does not count: it changes no role, and a take-over imports before it records the roles.
    const changes = (await history)?.filter(({ kind }) => kind === "update" || kind === "destroy");
    const isOvertaken = changes?.some((one) => one.result === "succeeded" && new Date(one.startTime) > since);
    if (isOvertaken) await this.settle({ isOvertaken });
  }

  /** The engine forgets with its next change what a killed run has left, and records none of it. */
  private async rememberInterrupted(): Promise<readonly string[]> {
    if (!this.interrupted) await this.exportState();
    return this.interrupted ?? [];
  }

  private async run(
    change: StackChange,
    show: (line: string) => void,
    more?: Pick<UpOptions, "continueOnError" | "target">,
  ) {
    const progress = new EngineProgress(show, this.teller());
    const stack = await this.make();
    const parts = { ...this.limits, ...more };
    const userAgent = agentAfter(await this.rememberInterrupted(), parts.target !== undefined);
    const common = { refresh: true, userAgent, onEvent: progress.onEvent, signal: this.stopping.signal };
    const options = { ...parts, ...common };
    try {
      await this.interruptible(() => stack[change](options));
    } catch (error) {
      const isEndedBySignal = signalIn((error as Error).message) !== undefined;
      // After a signal, the reported reasons only tell which connections the signal has broken.
      const reason = isEndedBySignal ? error : (progress.failure ?? error);
      const cause = failureOfCommand(reason, `${change} failed`, this.options.stackName);
      const text = `${this.forUsers(cause.message)}\nThe ${change} stopped (${progress.summary}); run it again to complete it.`;
      throw cause instanceof EndedError ? new EndedError(text) : new DocsError(text);
    }
    return progress.summary;
  }

  /** Shows lines of the provider: once what a preview and its up both say, and each time what it waits for. */
  private teller(): (line: string) => void {
    const before = new Set(this.shownNotices);
    return (line) => {
      this.shownNotices.add(line);
      if (!before.has(line) || /\bwait(ing)?\b/.test(line)) this.options.tell(this.forUsers(line));
    };
  }

  /** The terminal sends Ctrl-C to the engine as well, which then completes its state: this process must wait for it. */
  private async interruptible<T>(work: () => Promise<T>): Promise<T> {
    const noteInterrupt = () => {
      this.wasInterrupted = true;
    };
    const stop = () => this.stopping.abort();
    process.on("SIGINT", noteInterrupt).on("SIGTERM", stop);
    try {
      return await work();
    } finally {
      process.off("SIGINT", noteInterrupt).off("SIGTERM", stop);
    }
  }

  private readonly failing = (what: string) => (error: unknown) => Promise.reject(this.failure(error, what));

  private failure(error: unknown, what: string): DocsError {
    return new DocsError(this.forUsers(failureOfCommand(error, what, this.options.stackName).message));
  }

  /**
   * Replaces `pulumi up` in a message of the provider by the command of docs-org, which always refreshes, and shortens the paths
   * of files: the plugin runs in the folder of the project, so it gets whole paths.
   */
  private forUsers(text: string): string {
    const { project, stackName } = this.options;
    const up = commandFor("up", stackName);
    return text.replaceAll(project.root + sep, "").replace(/\bpulumi up( --refresh)?\b/g, () => up);
  }
}

/** The project for the engine. `variables` are those of its commands, beside the usual ones. */
export function openWorkspace(
  engine: Engine,
  { name, root, folder }: Project,
  variables: Readonly<Record<string, string>> = {},
): Promise<LocalWorkspace> {
  // The Automation API finds the CLI on the PATH of this process. All gRPC here is on this machine, and a lower-case https_proxy
  // would redirect it.
  Object.assign(process.env, engine.environment, { no_grpc_proxy: "127.0.0.1,localhost" });
  const file = join(root, organizationYaml);
  return LocalWorkspace.create({
    workDir: folder,
    program: async () => void new Organization(name, { file }),
    envVars: {
      ...lessGarbageCollection,
      PULUMI_SKIP_UPDATE_CHECK: "true",
      // A streamed preview is not one JSON document.
      PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "false",
      ...passphraseIn(process.env),
      ...variables,
    },
    pulumiCommand: commandOf(engine),
  });
}

/**
 * The passphrase for a stack that is not kept by a service. Without one, the CLI would ask and fail. An empty one is right here,
 * because nothing in the state is secret: tokens are read from the environment and never recorded.
 */
function passphraseIn(environment: NodeJS.ProcessEnv): Record<string, string> {
  const variables = ["PULUMI_CONFIG_PASSPHRASE", "PULUMI_CONFIG_PASSPHRASE_FILE"];
  const isSet = variables.some((name) => environment[name] !== undefined);
  return isSet ? {} : { PULUMI_CONFIG_PASSPHRASE: "" };
}

/**
 * With a large stack, the engine, a program in Go, takes a quarter of its time to collect garbage, and the provider a fifth. With
 * these settings, they use more memory instead. Settings of the user come first.
 */
const lessGarbageCollection = {
  GOGC: process.env.GOGC ?? "400",
  GOMEMLIMIT: process.env.GOMEMLIMIT ?? "2GiB",
  NODE_OPTIONS: `--max-semi-space-size=32 ${process.env.NODE_OPTIONS ?? ""}`.trim(),
};

/**
 * The engine records that files were not committed, and counts each new one, such as a plan. With these variables, it does so only if
 * the evidence of reviews does: a new file may be a part of the declaration.
 */
function newFilesIn(root: string): Record<string, string> {
  if (readEvidence(new Settings(), {}, root).uncommitted) return {};
  const count = Number(process.env.GIT_CONFIG_COUNT ?? 0);
  return {
    GIT_CONFIG_COUNT: String(count + 1),
    [`GIT_CONFIG_KEY_${count}`]: "status.showUntrackedFiles",
    [`GIT_CONFIG_VALUE_${count}`]: "no",
  };
}

export async function findStack(workspace: LocalWorkspace, name: string): Promise<Stack | undefined> {
  try {
    return withoutHistory(await Stack.select(name, workspace));
  } catch (error) {
    if (error instanceof StackNotFoundError) return undefined;
    throw error;
  }
}

/** After each change, the API asks for the last entry of the stack's history. It takes up to a second, and nothing uses the answer. */
function withoutHistory(stack: Stack): Stack {
  stack.info = async () => undefined;
  return stack;
}

/**
 * The CLI on the PATH of this process, for the Automation API, which would start it once more to ask for its version. The
 * constructor is private (seen in 3.270).
 */
const commandOf = ({ version }: Engine): PulumiCommand =>
  Reflect.construct(PulumiCommand, ["pulumi", sdkVersion(version)]);

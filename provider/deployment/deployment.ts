import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, sep } from "node:path";
import type { ImportResource, LocalWorkspace, Stack, UpOptions } from "@pulumi/pulumi/automation";
import { type Plan, writePlan } from "../access/plan-file";
import { keepUnfinished, keptSince, settleUnfinished } from "../access/unfinished";
import { DocsError } from "../api/http/errors";
import type { Engine } from "../engine/find";
import { agentAfter, type ExportedState, interruptedIn } from "../history/version";
import type { DueGrants } from "../organization/due-grants";
import { organizationYaml } from "../organization/file/loader";
import { ownTypeOf } from "../resources/urns";
import { connectBySettings, explained } from "../run/context";
import { jsonIn } from "../run/files";
import type { Properties } from "../run/properties";
import { onlyVariable, previewedVariable, Settings, unfinishedVariable } from "../run/settings";
import { commandFor } from "../text/stack-commands";
import { stacksIn } from "./backend";
import { EndedError, failureOfCommand, importFailureOf, printedDocument, signalIn } from "./failure";
import { EngineProgress } from "./progress";
import { folderOfState, missingStack, type Project } from "./project";
import { type KeptVersion, keptVersions, stateInFolder } from "./versions";
import { findStack, grantsProgram, ignoringNewFiles, makeStack, openWorkspace } from "./workspace";

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
function peopleWithRecordedRole(resources: readonly Recorded[]): ReadonlySet<string> {
  const people: string[] = [];
  for (const { type, outputs } of resources) {
    if (ownTypeOf(type)?.name !== "MemberRoles") continue;
    people.push(...Object.keys(outputs?.roles ?? {}), ...Object.values(outputs?.userIds ?? {}));
  }
  return new Set(people);
}

const isManaged = ({ type }: Recorded): boolean => ownTypeOf(type)?.isComponent === false;

/** What is read of the document that `pulumi preview --json` prints. */
interface PreviewDocument {
  readonly steps?: readonly { readonly oldState?: Recorded }[];
  readonly diagnostics?: readonly { readonly message: string; readonly severity: string }[];
}

type Limits = Pick<UpOptions, "target" | "message" | "continueOnError">;

/** A stack whose program is the file of the organization. The engine runs in its own process, and the program in this one. */
export class Deployment {
  private readonly stopping = new AbortController();
  /** Whether the user has pressed Ctrl-C during a command of the engine. */
  wasInterrupted = false;
  /** What the provider has said in earlier runs of this command. */
  private readonly shownNotices = new Set<string>();
  /** The resources that the stack had at the last preview. */
  private recorded: readonly Recorded[] = [];
  /** URNs of resources whose change was interrupted before this command. */
  private interrupted: readonly string[] | undefined;
  private limits: Limits = {};
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
      const folder = folderOfState(project);
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
    const stack = await this.ensureStack();
    this.setVariables({
      DOCS_NOW: new Settings().now().toISOString(),
      [previewedVariable]: join(this.scratch, "previewed"),
    });
    const { printed, failure } = await this.runPreview(stack, change);
    // The engine may have failed before it printed the document, or while it did.
    const document = jsonIn(printed) as PreviewDocument | undefined;
    const { diagnostics = [], steps = [] } = document ?? {};
    // A refused preview says why. One that was interrupted does not, and must not pass for a whole one.
    const isWhole = failure === undefined || diagnostics.some(({ severity }) => severity === "error");
    if (!document || !isWhole)
      throw this.failure(failure ?? new Error("the engine printed no whole document"), "the preview failed");
    this.recorded = steps.flatMap(({ oldState }) => oldState ?? []);
    return { ...document, diagnostics: diagnostics.map((one) => ({ ...one, message: this.forUsers(one.message) })) };
  }

  private async runPreview(stack: Stack, change: StackChange): Promise<{ printed: string; failure?: unknown }> {
    const { onEvent } = new EngineProgress(() => undefined, this.startNotices());
    const options = { ...this.limits, refresh: true, onEvent, signal: this.stopping.signal };
    // The review of an up needs the resources that stay unchanged. In a destroy, no resource does.
    const sames = change === "up" ? ["--show-sames"] : [];
    // The Automation API has no option for these arguments; this hook adds them to the commands of a stack.
    this.workspace.serializeArgsForOp = async () => ["--json", ...sames];
    try {
      const { stdout } = await this.interruptible<{ readonly stdout: string }>(() =>
        change === "up" ? stack.preview(options) : stack.destroy({ ...options, previewOnly: true }),
      );
      return { printed: stdout };
    } catch (error) {
      if (this.wasInterrupted) throw new DocsError("the preview was interrupted", { cause: error });
      return { printed: printedDocument((error as Error).message), failure: error };
    } finally {
      this.workspace.serializeArgsForOp = async () => [];
    }
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
    const exported = state ?? (await this.stack?.exportStack().catch(this.failWith("could not read the state")));
    this.interrupted ??= interruptedIn(exported);
    return exported;
  };

  /** The newest versions of the state that the backend keeps, the oldest of them first. */
  async listVersions(most?: number): Promise<KeptVersion[]> {
    const { project, stackName } = this.options;
    if (!this.stack) return [];
    return keptVersions(this.workspace, project, stackName, most).catch(this.failWith("could not read the history"));
  }

  /** The version of the stack for evidence. Unless a file or a page will name it, it is not worth a command of the engine. */
  async newestVersion({ isForFile }: { readonly isForFile: boolean }): Promise<string | undefined> {
    const { project } = this.options;
    if (!isForFile && folderOfState(project) === undefined) return undefined;
    const [newest] = await this.listVersions(1).catch((error: Error) => {
      this.options.tell(`names no version of the stack, because it ${error.message}`);
      return [];
    });
    return newest?.update.version;
  }

  /** The stack, which is made unless it exists. */
  async ensureStack(): Promise<Stack> {
    if (this.stack) return this.stack;
    const { stackName, onMade } = this.options;
    try {
      this.stack = await makeStack(this.workspace, stackName);
    } catch (error) {
      throw failureOfCommand(error, `could not make stack ${stackName}`, stackName);
    }
    onMade();
    return this.stack;
  }

  /** Imports resources of an organization by their ids, which do not say the organization. Those that are recorded stay as they are. */
  async import(resources: ImportResource[], organizationId: string): Promise<void> {
    const stack = await this.ensureStack();
    await this.readInterrupted();
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
    // The engine matches each pattern with each resource, which takes time, so a recorded resource is named by its URN.
    const urns = new Map(all.map(({ urn }) => [urn.split("::").slice(2).join("::"), urn]));
    const target = only?.map((typeAndName) => urns.get(typeAndName) ?? `**::${typeAndName}`);
    envVars.DOCS_READ_ONLY = "true";
    try {
      // What differs is refused, and the rest is recorded nevertheless.
      await this.run("up", { continueOnError: true, target });
    } finally {
      delete envVars.DOCS_READ_ONLY;
    }
  }

  /**
   * Limits what follows to the resources of these grants. The file is not read, and the provider leaves out changes of other people,
   * and changes that the plan does not have. `message` is the one of the update.
   */
  limitTo(grants: DueGrants, message: string): void {
    const target = [...grants.resources.keys()].map((end) => `**$${end}`);
    this.limits = { target, message, continueOnError: true };
    this.setVariables({ [onlyVariable]: grants.people.join("\n") });
    this.workspace.program = () => grantsProgram(this.options.project.name, grants);
  }

  /** Removes the lock that a killed run has left. */
  async cancel(): Promise<void> {
    await this.stack?.cancel().catch(this.failWith(`could not remove the lock of stack ${this.options.stackName}`));
  }

  /**
   * Makes the change of the last preview, and returns what was done. The provider refuses what the plan does not have.
   * `planAge` is how old the plan may be, if not as usual.
   */
  async apply(
    change: StackChange,
    plan: Plan,
    { planAge, show }: { readonly planAge: string | undefined; show(line: string): void },
  ): Promise<string> {
    const file = join(this.scratch, "plan.json");
    writeFileSync(file, writePlan(plan));
    const isOnlyUnfinished = !existsSync(this.unfinished);
    if (change === "up") keepUnfinished(this.unfinished, plan, peopleWithRecordedRole(this.recorded));
    this.setVariables({
      DOCS_PLAN: file,
      ...(planAge && { DOCS_PLAN_AGE: planAge }),
      ...ignoringNewFiles(this.options.project.root),
    });
    const summary = await this.run(change, this.limits, show);
    // The stack records everybody in this plan now. Plans of earlier ups stay for `settle`.
    if (isOnlyUnfinished) rmSync(this.unfinished, { force: true });
    return summary;
  }

  private setVariables(variables: Readonly<Record<string, string>>): void {
    Object.assign(this.workspace.envVars, variables);
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
    const { all } = await this.readResources();
    const recorded = peopleWithRecordedRole(all);
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
    const newest = await this.stack
      ?.history(20, 1, false)
      .catch(this.failWith("could not read the history of the stack"));
    // An import does not count: it changes no role, and a take-over imports before it records the roles.
    const changes = newest?.filter(({ kind }) => kind === "update" || kind === "destroy");
    const isOvertaken = changes?.some((one) => one.result === "succeeded" && new Date(one.startTime) > since);
    if (isOvertaken) await this.settle({ isOvertaken });
  }

  /** The engine forgets with its next change what a killed run has left, and records none of it. */
  private async readInterrupted(): Promise<readonly string[]> {
    if (!this.interrupted) await this.exportState();
    return this.interrupted ?? [];
  }

  private async run(change: StackChange, limits: Limits, show: (line: string) => void = () => undefined) {
    const progress = new EngineProgress(show, this.startNotices());
    const stack = await this.ensureStack();
    const userAgent = agentAfter(await this.readInterrupted(), limits.target !== undefined);
    const common = { refresh: true, userAgent, onEvent: progress.onEvent, signal: this.stopping.signal };
    const options = { ...limits, ...common };
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

  /** Begins a run: shows lines of the provider once if a preview and its up both say them, but each time what it waits for. */
  private startNotices(): (line: string) => void {
    const shownBefore = new Set(this.shownNotices);
    return (line) => {
      this.shownNotices.add(line);
      const isWait = /\bwait(ing)?\b/.test(line);
      if (isWait || !shownBefore.has(line)) this.options.tell(this.forUsers(line));
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

  private readonly failWith = (what: string) => (error: unknown) => Promise.reject(this.failure(error, what));

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

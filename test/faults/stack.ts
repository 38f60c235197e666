import type { Leaf } from "../../provider/hosts/plugin/engine-component";
import type { ResourceName } from "../../provider/resources/names";
import { pick, unknownValue } from "../../provider/run/properties";
import { settled } from "../support/clock";
import type { PartialFailure, Properties } from "../support/protocol-provider";
import { type ProviderOfRun, type ProviderOptions, startRun } from "../support/provider";

/** A resource that a program declares. */
export interface DeclaredObject {
  readonly resource: ResourceName;
  readonly name: string;
  readonly inputs: Properties;
  /** The name of the Site whose id is the input `siteId`. */
  readonly site?: string | undefined;
}

export interface RecordedObject {
  readonly resource: ResourceName;
  readonly id: string;
  readonly properties: Properties;
  /** The engine updates a resource whose creation or update was completed in part only. */
  readonly partial: boolean;
}

/** A part of a site, such as its order, comes after the site, and is deleted before it. */
type Extent = "part" | "whole";

type Phase = (provider: ProviderOfRun, name: string) => Promise<unknown>;

/** A command of the engine failed; each resource that failed has an error. */
export class CommandFailed extends Error {
  constructor(private readonly failed: ReadonlyMap<string, Error>) {
    super([...failed.values()].map(({ message }) => message).join("\n"));
  }

  get errors(): readonly Error[] {
    return [...this.failed.values()];
  }

  /** Whether a call for the resource has failed. */
  isOf = (name: string): boolean => this.failed.has(name);
}

/** A stack whose engine is this test: it calls the provider as the engine does, each command in a run of its own. */
export class FaultStack {
  readonly recorded = new Map<string, RecordedObject>();
  /** What the providers of all commands have told the user. */
  printed = "";
  /** Number of resources that all commands together have changed. */
  readonly changes = { create: 0, update: 0, delete: 0 };
  /** Runs after the refresh of an up or a preview, as the program does. Without one, what was declared last counts. */
  program: (() => Promise<readonly DeclaredObject[]>) | undefined;
  /** As the option of the engine. */
  continueOnError = false;
  /** The notes of the component, as the state has them, and what they become after a run of the program. */
  notes: Leaf | undefined;
  notesAfter: ((children: { readonly isMade: boolean }) => Leaf) | undefined;

  constructor(
    private readonly options: () => ProviderOptions,
    private declared: readonly DeclaredObject[],
  ) {}

  declare(declared: readonly DeclaredObject[]): void {
    this.declared = declared;
  }

  /** For a command that does not save the state. */
  copy(): FaultStack {
    const copy = new FaultStack(this.options, this.declared);
    copy.restore(this.recorded);
    copy.notes = this.notes;
    return copy;
  }

  /** Registers the notes of the program, whose children are all made or not. */
  registerNotes(isMade: boolean): void {
    const after = this.notesAfter?.({ isMade });
    if (after) this.notes = { ...after, inputs: { ...after.inputs, ...pick(this.notes?.inputs ?? {}, after.kept) } };
  }

  /** Goes on with another state. */
  restore(recorded: ReadonlyMap<string, RecordedObject>): void {
    const all = [...recorded];
    this.recorded.clear();
    for (const [name, one] of all) this.recorded.set(name, one);
  }

  /** Records declared objects that exist, as an earlier up has left them. */
  async record(existing: readonly (DeclaredObject & { readonly id: string })[]): Promise<void> {
    await this.command(
      existing.map(({ name }) => name),
      async (provider, name) => {
        const { id, inputs, resource } = existing.find((one) => one.name === name) as (typeof existing)[number];
        this.keep(name, resource, id, await provider.read(id, inputs));
      },
    );
  }

  /** Imports the object by its id, as the first declared resource of its kind that is not recorded. */
  async importDeclared(id: string): Promise<void> {
    const kind = id.slice(0, id.indexOf("_"));
    const declared = this.declared.find(({ name, resource }) => !this.recorded.has(name) && kindOf(resource) === kind);
    if (!declared) throw new Error(`no resource that is not recorded can be ${id}`);
    const { name, resource } = declared;
    await this.command([name], async (provider) => this.keep(name, resource, id, await provider.readExisting(id)));
  }

  private keep(name: string, resource: ResourceName, id: string, read: { properties: Properties } | undefined): void {
    if (!read) throw new Error(`${resource} ${id} cannot be imported: there is no such object`);
    this.recorded.set(name, { resource, id, properties: read.properties, partial: false });
  }

  /** As if the settle time had passed: until then, a read that shows what was before a recorded write counts as older than it. */
  forgetWrites(): void {
    for (const [name, one] of this.recorded) this.recorded.set(name, { ...one, properties: settled(one.properties) });
  }

  async refresh(): Promise<void> {
    await this.command([...this.recorded.keys()], this.reading);
  }

  /** `pulumi up --refresh`. */
  async up(): Promise<void> {
    await this.command(
      this.everything,
      this.reading,
      (provider, name) => this.bringAbout(provider, name, "whole"),
      (provider, name) => this.bringAbout(provider, name, "part"),
      (provider, name) => this.deleteUndeclared(provider, name, "part"),
      (provider, name) => this.deleteUndeclared(provider, name, "whole"),
    );
  }

  /** What `pulumi preview --refresh` shows: the names of resources that would change. */
  async preview(): Promise<string[]> {
    const changing: string[] = [];
    await this.command(this.everything, this.reading, async (provider, name) => {
      if (!this.declaration(name)) {
        if (this.recorded.has(name)) changing.push(name);
        return;
      }
      const { inputs } = await this.checked(provider, name);
      const recorded = this.recorded.get(name);
      if (!recorded || recorded.partial) changing.push(name);
      else if ((await provider.diff(recorded.id, recorded.properties, inputs)).changes) changing.push(name);
    });
    return changing;
  }

  async destroy(): Promise<void> {
    await this.command(
      [...this.recorded.keys()].reverse(),
      (provider, name) => this.deleteIf(provider, name, "part"),
      (provider, name) => this.deleteIf(provider, name, "whole"),
    );
  }

  private async deleteIf(provider: ProviderOfRun, name: string, extent: Extent): Promise<void> {
    const recorded = this.recorded.get(name);
    if (recorded && extentOf(recorded) === extent) await this.delete(provider, name);
  }

  private async delete(provider: ProviderOfRun, name: string): Promise<void> {
    const { id, properties } = this.recorded.get(name) as RecordedObject;
    this.changes.delete++;
    await provider.delete(id, properties);
    this.recorded.delete(name);
  }

  private async deleteUndeclared(provider: ProviderOfRun, name: string, extent: Extent): Promise<void> {
    if (!this.declaration(name)) await this.deleteIf(provider, name, extent);
  }

  get resources(): readonly DeclaredObject[] {
    return this.declared;
  }

  private get undeclared(): string[] {
    return [...this.recorded.keys()].filter((name) => !this.declaration(name)).reverse();
  }

  private readonly everything = (): string[] => [...this.declared.map(({ name }) => name), ...this.undeclared];

  private declaration(name: string): DeclaredObject | undefined {
    return this.declared.find((one) => one.name === name);
  }

  private readonly reading: Phase = async (provider, name) => {
    const recorded = this.recorded.get(name);
    if (!recorded) return;
    const read = await provider.read(recorded.id, recorded.properties);
    if (read) this.recorded.set(name, { ...recorded, properties: read.properties });
    else this.recorded.delete(name);
  };

  private async checked(provider: ProviderOfRun, name: string): Promise<{ inputs: Properties }> {
    const declared = this.declaration(name) as DeclaredObject;
    const olds = this.recorded.get(name)?.properties;
    const { inputs, failures } = await provider.check(olds ?? {}, { ...declared.inputs, ...this.siteOf(declared) });
    if (failures.length > 0)
      throw new Error(failures.map(({ property, reason }) => `${property}: ${reason}`).join("\n"));
    return { inputs };
  }

  /** The id of a site that does not exist yet is known only during the up. */
  private siteOf({ site }: DeclaredObject): Properties {
    return site === undefined ? {} : { siteId: this.recorded.get(site)?.id ?? unknownValue };
  }

  private async bringAbout(provider: ProviderOfRun, name: string, extent: Extent): Promise<void> {
    const declaration = this.declaration(name);
    const declaredExtent = declaration?.site === undefined ? "whole" : "part";
    if (!declaration || declaredExtent !== extent) return;
    const { inputs } = await this.checked(provider, name);
    const { resource } = declaration;
    const recorded = this.recorded.get(name);
    try {
      if (!recorded) {
        this.changes.create++;
        const { id, properties } = await provider.create(inputs);
        this.recorded.set(name, { resource, id, properties, partial: false });
        return;
      }
      const { id, properties } = recorded;
      const { changes, replaces } = await provider.diff(id, properties, inputs);
      if (replaces.length > 0) throw new Error(`${name} would be replaced, because of ${replaces}`);
      if (!changes && !recorded.partial) return;
      this.changes.update++;
      const after = await provider.update(id, properties, inputs);
      this.recorded.set(name, { resource, id, properties: after, partial: false });
    } catch (error) {
      const { partial } = error as PartialFailure;
      if (partial) this.recorded.set(name, { resource, id: partial.id, properties: partial.properties, partial: true });
      throw error;
    }
  }

  /** Calls for all resources at once, as the engine does, and waits for all of them even if one fails, which ends the command. */
  private async command(named: readonly string[] | (() => string[]), ...phases: readonly Phase[]): Promise<void> {
    const resourceOf = (name: string) => this.declaration(name)?.resource ?? this.recorded.get(name)?.resource;
    const isWhole = typeof named === "function";
    // Any resource can start the run, which is for all of them.
    const provider = await startRun("Site", this.options());
    const failed = new Map<string, Error>();
    try {
      for (const phase of phases) {
        const names = (isWhole ? named() : named).filter((name) => resourceOf(name) && !failed.has(name));
        const calls = names.map((name) => phase(provider.of(resourceOf(name) as ResourceName, name), name));
        for (const [index, call] of (await Promise.allSettled(calls)).entries())
          if (call.status === "rejected") failed.set(names[index] as string, call.reason);
        if (failed.size > 0 && !this.continueOnError) break;
        if (isWhole && phase === this.reading && this.program) this.declared = await this.program();
      }
      if (failed.size > 0) throw new CommandFailed(failed);
    } finally {
      this.printed += provider.stderr;
      await provider.stop();
    }
  }
}

const extentOf = ({ resource, properties }: RecordedObject): Extent =>
  resource !== "Site" && "siteId" in properties ? "part" : "whole";

/** The prefix of ids. */
const kindOf = (resource: ResourceName): string => (resource === "SamlProvider" ? "saml" : resource.toLowerCase());

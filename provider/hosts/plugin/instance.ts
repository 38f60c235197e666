import { credentials, status } from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb.js";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb.js";
import { DocsError } from "../../api/http/errors";
import { currentOrigin, noteServices, originKey, refuseOtherServices } from "../../run/origin";
import { presentable } from "../../run/presentation";
import { containsUnknown, type Properties } from "../../run/properties";
import { type Clock, Run } from "../../run/run";
import { Settings } from "../../run/settings";
import { CallError } from "./call-error";
import type { CalledResource } from "./called-resource";
import { concealedKeys, failuresIn, organizationToRecord, recordedOrganizationKey, storeInputs } from "./configuration";
import type { ConstructionHost, ConstructOrganization } from "./engine-component";
import { Functions } from "./functions";
import { OneProvider } from "./one-provider-per-organization";
import { type PluginHost, Resources } from "./resources";
import { KnownSecrets, withoutSecrets } from "./secrets";
import { type Receive, type Received, readStruct } from "./values";

export interface Built {
  readonly version: string;
  /** The package schema as text, without a version. */
  readonly schema?: string;
  readonly constructOrganization?: ConstructOrganization;
}

interface Options extends Built {
  readonly environment: NodeJS.ProcessEnv;
  /** See `Run`. */
  readonly patience?: number;
  readonly clock?: Clock;
}

interface Parts {
  readonly resources: Resources;
  readonly functions: Functions;
  readonly constructing: ConstructionHost;
}

/** A call of the engine. Its secrets are those of the properties that were received. */
export interface EngineCall extends Pick<CalledResource, "secrets" | "hide"> {
  readonly receive: Receive;
}

/** A provider object, or the provider that the engine makes from the configuration of the stack. */
interface ProviderObject {
  readonly name: string;
  readonly urn: string;
  readonly id: string;
}

/** The engine names its own providers `default`, or `default_` with a version. */
const isDefault = (name: string): boolean => name === "" || /^default(_|$)/.test(name);
const explicitName = (name: string): string | undefined => (isDefault(name) ? undefined : name);
const labelOf = (name: string): string => (isDefault(name) ? "the default provider" : `the provider object "${name}"`);

/** `pulumi do --stateless` calls a provider that has no name, and never with a recorded state (seen in CLI 3.259). */
const withoutStack =
  "pulumi do --stateless would change the organization without a stack, so no guard, review or protection applies and no previous " +
  "role is known; declare the change in a program or in organization.yaml, and run pulumi up or docs-org up";

/** One provider object of a program in one command of the engine, which starts a process for each. It owns the run. */
export class Instance {
  readonly version: string;
  private engineAddress = "";
  private log: EngineClient | undefined;
  private parts: Parts | undefined;
  private isCancelled = false;
  private readonly secrets: KnownSecrets;
  /** Calls that are not answered yet; the engine no longer waits for a cancelled one. */
  readonly inFlight = new Set<{ readonly cancelled: boolean }>();
  /** The port at which this process answers the engine, once it listens. */
  port: number | undefined;
  /** Called before the process ends. */
  close: () => void = () => undefined;

  constructor(private readonly options: Options) {
    this.version = options.version;
    this.secrets = new KnownSecrets(options.schema);
  }

  /**
   * Reads properties of a resource, a function or a component, whose secrets no message shows from now on. Settings are read
   * without it: tokens are hidden in more forms (see `text/masking.ts`), and messages name the service and the organization.
   */
  readonly receive: Receive = (struct) => {
    const values = readStruct(struct);
    this.secrets.add(values.secretTexts);
    return values;
  };

  /**
   * Begins a call. Other calls may show a secret that is also a word of the schema, such as `admin`; the call that received the
   * secret hides it.
   */
  beginCall(): EngineCall {
    const secrets = new Set<string>();
    const texts = new Set<string>();
    const receive: Receive = (struct) => {
      const values = this.receive(struct);
      for (const name of values.secrets) secrets.add(name);
      for (const text of values.secretTexts) texts.add(text);
      return values;
    };
    return { receive, secrets, hide: (message) => withoutSecrets(this.secrets.hide(message), texts) };
  }

  /** The engine has introduced itself: its log shows messages from now on. */
  meet(engineAddress: string): void {
    if (engineAddress === "") return;
    this.engineAddress = engineAddress;
    this.log = new EngineClient(engineAddress.replace(/^tcp:\/\//, ""), credentials.createInsecure());
  }

  /** The package schema. The version is added here, so that a release leaves the committed file as it is. */
  schema(): string {
    const { schema, version } = this.options;
    if (schema === undefined) throw new CallError(status.UNIMPLEMENTED, "this build of the provider has no schema");
    return JSON.stringify({ ...JSON.parse(schema), version });
  }

  /**
   * Finds mistakes in the inputs of a provider object, and in the environment; `secrets` are stored encrypted. The engine reports
   * failures as problems of the provider, and an error as a problem of the call. A refusal of the settings names no property, because
   * the engine would show its value: an address may be a token that was set by mistake. Sends nothing.
   */
  checkConfiguration(olds: Properties, news: Properties, name: string) {
    // Only previews have unknown values, and they record nothing, so an unknown token needs no mark.
    const concealedInputs = concealedKeys.filter((key) => !containsUnknown(news[key]));
    // The default provider gets the configuration of the stack, in which `storeInputs` refuses a plain token. A token that
    // is marked here would not look plain to it.
    const secrets = new Set(isDefault(name) ? [] : concealedInputs);
    const failures = failuresIn(news);
    if (failures.length > 0 || containsUnknown(news)) return { inputs: news, secrets, failures };
    try {
      return { inputs: { ...news, ...this.toRecord(olds, news, name) }, secrets, failures };
    } catch (error) {
      if (!(error instanceof DocsError)) throw error;
      return { inputs: news, secrets, failures: [{ property: "", reason: presentable(error.message) }] };
    }
  }

  /**
   * The service and the organization of a provider object, which its inputs record: a later program cannot create the first
   * resource of another service in this stack, or change the organization.
   */
  private toRecord(olds: Properties, news: Properties, name: string): Properties {
    const settings = new Settings(this.options.environment);
    // `storeInputs` refuses a plain token. Here nothing is marked yet, so everything counts as secret.
    storeInputs(settings, { properties: news, secrets: new Set(Object.keys(news)) }, explicitName(name));
    const organizationId = organizationToRecord(settings, olds, labelOf(name));
    const organization = organizationId === undefined ? {} : { [recordedOrganizationKey]: organizationId };
    if (settings.baseUrl() === undefined) return organization;
    const run = new Run({ settings });
    const { [originKey]: recorded } = olds;
    if (typeof recorded === "string") refuseOtherServices(run, { [recorded]: `${labelOf(name)} of the stack` });
    return { ...organization, [originKey]: currentOrigin(run) };
  }

  configure(given: Received, { name, urn, id }: ProviderObject): void {
    if (this.parts) throw new CallError(status.ALREADY_EXISTS, "the provider is already configured");
    const settings = new Settings(this.options.environment);
    storeInputs(settings, given, explicitName(name));
    const { patience, clock } = this.options;
    const times = { ...(patience && { patience }), ...(clock && { clock }) };
    const run = new Run({ settings, tell: (line) => this.say(LogSeverity.INFO, line), ...times });
    const { [originKey]: recorded } = given.properties;
    if (typeof recorded === "string") noteServices(run, { services: { [recorded]: "" } });
    if (this.isCancelled) run.connections.limiter.stop();
    const host = this.pluginHost(run, name, urn);
    const resources = new Resources(run, host);
    const functions = new Functions(run, () => resources.changes);
    const { constructOrganization } = this.options;
    const provider = urn === "" ? "" : `${urn}::${id}`;
    const { receive } = this;
    this.parts = { resources, functions, constructing: { run, provider, constructOrganization, receive, ...host } };
  }

  private pluginHost(run: Run, name: string, urn: string): PluginHost {
    const defaultName = isDefault(name) ? name : undefined;
    const own = { provider: labelOf(name), urn, port: this.port, defaultName };
    const oneProvider = new OneProvider(this.engineAddress, own);
    this.close = () => oneProvider.release();
    const servedBy = (organizationId: string) => ({
      service: run.settings.baseUrl() === undefined ? "" : currentOrigin(run),
      organizationId,
    });
    // An older engine sends neither a URN nor a name, even with a stack, so only a URN without a name means that there is none.
    const isWithoutStack = urn !== "" && name === "";
    return {
      warn: (text, about) => this.say(LogSeverity.WARNING, text, about),
      claim: (organizationId, deletedUrn) => {
        if (isWithoutStack) throw new DocsError(withoutStack);
        oneProvider.claim(servedBy(organizationId), deletedUrn);
      },
      findDeleter: (organizationId) => oneProvider.findDeleter(servedBy(organizationId)),
    };
  }

  configured(): Parts {
    if (this.parts) return this.parts;
    throw new CallError(status.FAILED_PRECONDITION, "the provider is not configured yet; call Configure first");
  }

  /** The engine calls it when a user interrupts a command, and also at the end of every command. */
  cancel(): void {
    this.isCancelled = true;
    this.parts?.constructing.run.connections.limiter.stop();
  }

  /** Sends a message. It ends when the engine has it, so that those of one caller can keep their order. An engine that is gone needs none. */
  private async say(severity: LogSeverity, message: string, urn = ""): Promise<void> {
    const text = presentable(this.secrets.hide(message));
    const request = new LogRequest().setSeverity(severity).setMessage(text).setUrn(urn);
    const print = () => process.stderr.write(`${text}\n`);
    const { log } = this;
    if (!log) {
      print();
      return;
    }
    await new Promise<void>((resolve) => {
      log.log(request, (error) => {
        if (error) print();
        resolve();
      });
    });
  }
}

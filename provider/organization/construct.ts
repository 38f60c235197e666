import { DocsError } from "../api/http/errors";
import * as definitions from "../definitions";
import type { Constructed, Construction, RegisteredResource } from "../hosts/plugin/component";
import type { StackResources } from "../hosts/stack-state";
import { renamesIn } from "../lifecycle/renames";
import { explained } from "../run/context";
import { type Properties, propertiesIn, unknownValue } from "../run/properties";
import { perRun, type Run } from "../run/run";
import { typeIn } from "../run/urn";
import type { OrganizationArgs } from "./arguments";
import { type Placed, refusalWithSecond, refuseSecondComponent, rejectMistakes } from "./components";
import { type Declared, readDeclaration } from "./declaration";
import { checkOrganization } from "./file/check";
import { loadOrganization } from "./file/loader";
import { guardAndRegister } from "./guarded";
import type { ComponentHost } from "./host";
import type { OutputPath } from "./registration";
import type { Child } from "./sections/children";

/** Constructs the component in the plugin, for a program in any language. */
export async function constructOrganization(construction: Construction): Promise<Constructed> {
  const all = constructionsIn(construction.run);
  const own = guardedConstruction(construction);
  all.push(own);
  try {
    return await own;
  } catch (error) {
    // The engine ends the command at the first refusal, and would report the calls for the other components as broken off.
    await Promise.allSettled(all);
    throw refusalWithSecond(construction.run, placeOf(construction)) ?? error;
  }
}

/** The organizations of the run, which are constructed at the same time. */
const constructionsIn = perRun((): Promise<Constructed>[] => []);

async function guardedConstruction(construction: Construction): Promise<Constructed> {
  const { run } = construction;
  const own = placeOf(construction);
  const declared = rejectMistakes({ run, presentable }, own, () => {
    const first = refuseSecondComponent(run, own, readInputs(construction));
    construction.claim(first.organization.organization);
    return first;
  });
  await construction.begin();
  const children = new Children(construction);
  const outputs = await guardAndRegister(children, own, declared, outputAt);
  await children.registered();
  return waitForOutputs(outputs);
}

const placeOf = ({ name, urn }: Construction): Placed => ({ name, place: urn });

/** Errors of this process are shown as they are. */
const presentable = (error: unknown): unknown => error;

function readInputs({ inputs, secrets }: Construction): Declared {
  const [secret] = secrets;
  if (secret !== undefined) {
    throw new DocsError(
      `${secret} contains a secret, which a review cannot show; declare the organization with plain values`,
    );
  }
  const isOutput = (value: unknown) => value === unknownValue;
  return readDeclaration(inputs as unknown as OrganizationArgs, { isOutput, loadOrganization, checkOrganization });
}

/** What the component asks its host, answered by the engine. */
class Children implements ComponentHost<Promise<RegisteredResource>> {
  readonly run: Run;
  readonly isPreview: boolean;
  readonly presentable = presentable;
  readonly explained = explained;
  private readonly all: Promise<unknown>[] = [];

  constructor(private readonly construction: Construction) {
    this.run = construction.run;
    this.isPreview = construction.isPreview;
  }

  async urns(): Promise<readonly string[]> {
    return [this.construction.urn, ...this.construction.formerUrns];
  }

  recordedResources(why: string): Promise<StackResources> {
    return this.construction.recordedResources(why);
  }

  async warn(text: string): Promise<void> {
    this.construction.warn(text);
  }

  registerNotes(type: string, name: string, inputs: Properties): void {
    this.note(this.construction.registerLeaf({ type, name, inputs }));
  }

  registerChild(child: Child, site: Promise<RegisteredResource> | undefined): Promise<RegisteredResource> {
    return this.note(this.register(child, site));
  }

  /** Waits for all children, also if one cannot be registered. */
  async registered(): Promise<void> {
    await Promise.allSettled(this.all);
    await Promise.all(this.all);
  }

  private async register(
    { resource, name, inputs, protect }: Child,
    site: Promise<RegisteredResource> | undefined,
  ): Promise<RegisteredResource> {
    // The handlers of the plugin read no state. By it, they recognize a child under another key.
    const recorded = await this.recordedResources("a child may have another key now");
    renamesIn(this.run).noteState(definitions[resource], recorded);
    const registration = { type: typeIn("plugin", resource), formerType: typeIn("dynamic", resource), name, protect };
    const above = await site;
    if (!above) return this.construction.register({ ...registration, inputs });
    if (above.isMissing) return above;
    const sources = { siteId: [above.urn] };
    return this.construction.register({ ...registration, inputs: { ...inputs, siteId: above.id }, sources });
  }

  /** A child that fails is reported by `registered`, when the others have ended. */
  private note<T>(work: Promise<T>): Promise<T> {
    work.catch(() => undefined);
    this.all.push(work);
    return work;
  }
}

/** An output of a child, and the URN of the child. */
interface Sourced {
  readonly urn: string;
  readonly value: unknown;
}

/** Waits only when it is called: nobody would handle the failure of a child before. */
function outputAt(registered: Promise<RegisteredResource>, [name, ...path]: OutputPath): () => Promise<Sourced> {
  return async () => {
    const { urn, id, outputs, isMissing } = await registered;
    const first = name === "id" ? id : outputs[name];
    const at = (inner: unknown, key: string) => (inner === unknownValue ? unknownValue : propertiesIn(inner)[key]);
    return { urn, value: isMissing ? unknownValue : path.reduce(at, first) };
  };
}

/** By the name of the output and the key in the file. */
type Outputs = Readonly<Record<string, Readonly<Record<string, () => Promise<Sourced>>>>>;

async function waitForOutputs(outputs: Outputs): Promise<Constructed> {
  const made: Properties = {};
  const sources: Record<string, string[]> = {};
  for (const [name, byKey] of Object.entries(outputs)) {
    const all = await Promise.all(Object.entries(byKey).map(async ([key, one]) => [key, await one()] as const));
    made[name] = Object.fromEntries(all.map(([key, { value }]) => [key, value]));
    sources[name] = all.map(([, { urn }]) => urn).filter((urn) => urn !== "");
  }
  return { outputs: made, sources };
}

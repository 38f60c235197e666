import { DocsError } from "../api/http/errors";
import * as definitions from "../definitions";
import type { Constructed, EngineComponent, RegisteredResource } from "../hosts/plugin/engine-component";
import { renamesIn } from "../lifecycle/renames";
import { type Properties, propertiesIn, unknownValue } from "../run/properties";
import { runScoped } from "../run/run";
import type { OrganizationArgs } from "./arguments";
import type { ComponentHost } from "./component-host";
import { type DeclaredOrganization, readDeclaration } from "./declaration";
import { guardAndRegister } from "./guard-and-register";
import type { OutputPath } from "./output-paths";
import { type RunComponent, refusalWithSecond, refuseSecondComponent, rejectMistakes } from "./run-components";
import type { Child } from "./sections";

export async function constructOrganization(component: EngineComponent): Promise<Constructed> {
  const { run } = component.host;
  const constructions = constructionsIn(run);
  const construction = guardAndConstruct(component);
  constructions.push(construction);
  try {
    return await construction;
  } catch (error) {
    // Waits for all: the engine ends the command at the first refusal, and would then report the constructions that still run as broken off.
    await Promise.allSettled(constructions);
    throw refusalWithSecond(run, placeOf(component)) ?? error;
  }
}

const constructionsIn = runScoped((): Promise<Constructed>[] => []);

async function guardAndConstruct(component: EngineComponent): Promise<Constructed> {
  const { run, claim } = component.host;
  const own = placeOf(component);
  const declared = rejectMistakes({ run, presentable }, own, () => {
    const declaration = readInputs(component);
    refuseSecondComponent(run, own, declaration);
    claim(declaration.organization.organization);
    return declaration;
  });
  await component.begin();
  const registrations: Promise<unknown>[] = [];
  const outputs = await guardAndRegister(hostOf(component, registrations), own, declared, outputAt);
  // All registrations end before the first failure is thrown.
  await Promise.allSettled(registrations);
  await Promise.all(registrations);
  return waitForOutputs(outputs);
}

const placeOf = ({ name, urn }: EngineComponent): RunComponent => ({ name, place: urn });

/** Errors of this process are shown as they are. */
const presentable = (error: unknown): unknown => error;

function readInputs({ inputs, secrets }: EngineComponent): DeclaredOrganization {
  const [secret] = secrets;
  if (secret !== undefined)
    throw new DocsError(
      `${secret} contains a secret, which a review cannot show; declare the organization with plain values`,
    );
  return readDeclaration(inputs as unknown as OrganizationArgs, (value) => value === unknownValue);
}

function hostOf(
  component: EngineComponent,
  registrations: Promise<unknown>[],
): ComponentHost<Promise<RegisteredResource>> {
  const track = <T>(registration: Promise<T>): Promise<T> => {
    registration.catch(() => undefined);
    registrations.push(registration);
    return registration;
  };
  return {
    run: component.host.run,
    isPreview: component.isPreview,
    presentable,
    urns: async () => component.urns(),
    recordedResources: (why) => component.recordedResources(why),
    warn: (text) => component.host.warn(text, component.urn),
    registerNotes: (type, name, notesAfter) => {
      const registerAfter = async (children: readonly Promise<unknown>[]) => {
        const made = (await Promise.all(children)) as RegisteredResource[];
        await component.registerLeaf(type, name, notesAfter({ isMade: made.every(({ isMissing }) => !isMissing) }));
      };
      track(registerAfter([...registrations]));
    },
    registerChild: (child, site) => track(registerChild(component, child, site)),
  };
}

async function registerChild(
  component: EngineComponent,
  child: Child,
  site: Promise<RegisteredResource> | undefined,
): Promise<RegisteredResource> {
  // Handlers of the plugin cannot read the state, which they need to recognize a child that had another key before.
  const recorded = await component.recordedResources("a child may have another key now");
  renamesIn(component.host.run).noteState(definitions[child.resource], recorded);
  // A part of a site that is missing has no id to refer to. The missing site stands for it, so its outputs stay unknown.
  const registeredSite = await site;
  return registeredSite?.isMissing ? registeredSite : component.register(child, registeredSite);
}

/** An output of a child, and the URN of the child. */
interface Sourced {
  readonly urn: string;
  readonly value: unknown;
}

/** The result waits only when it is called: nobody would handle the failure of a child before. */
function outputAt(registered: Promise<RegisteredResource>, [name, ...path]: OutputPath): () => Promise<Sourced> {
  return async () => {
    const { urn, id, outputs, isMissing } = await registered;
    const output = name === "id" ? id : outputs[name];
    const at = (inner: unknown, key: string) => (inner === unknownValue ? unknownValue : propertiesIn(inner)[key]);
    return { urn, value: isMissing ? unknownValue : path.reduce(at, output) };
  };
}

/** By the name of the output and the key in the file. */
type Outputs = Readonly<Record<string, Readonly<Record<string, () => Promise<Sourced>>>>>;

async function waitForOutputs(outputs: Outputs): Promise<Constructed> {
  const values: Properties = {};
  const sources: Record<string, string[]> = {};
  for (const [name, byKey] of Object.entries(outputs)) {
    const all = await Promise.all(Object.entries(byKey).map(async ([key, one]) => [key, await one()] as const));
    // Go cannot read null as a text, such as the hostname of a site without one.
    const withoutNull = all.flatMap(([key, { value }]) => (value === null ? [] : [[key, value]]));
    values[name] = Object.fromEntries(withoutNull);
    sources[name] = all.map(([, { urn }]) => urn).filter((urn) => urn !== "");
  }
  return { outputs: values, sources };
}

import type { ComponentHost } from "../../provider/organization/component-host";
import type { Loaded } from "../../provider/organization/file/loader";
import { guardAndRegister } from "../../provider/organization/guard-and-register";
import { notesType } from "../../provider/organization/sections";
import { notesName } from "../../provider/review/model/component-notes";
import type { Properties } from "../../provider/run/properties";
import { Run } from "../../provider/run/run";
import { Settings } from "../../provider/run/settings";
import { organizationType } from "../../provider/run/urn";
import { TestClock } from "../support/clock";
import type { ProviderOptions } from "../support/provider";
import type { DeclaredObject, FaultStack } from "./stack";

export const componentName = "acme";
export const componentUrn = `urn:pulumi:test::project::${organizationType}::${componentName}`;
export const urnOfChild = (resource: string, name: string) =>
  `urn:pulumi:test::project::${organizationType}$docs:index:${resource}::${name}`;
export const notesUrn = `urn:pulumi:test::project::${organizationType}$${notesType}::${notesName(componentName)}`;
/** Resources of different kinds may have the same name. */
const keyOf = (resource: string, name: string) => `${resource} ${name}`;

/** What a preview gets from the component beside the resources, for reviews. */
export type Notes = { readonly type: string; readonly name: string; readonly inputs: Properties };

/** Runs the component of a program: the resources that it declares, or the refusal of a guard as an error. */
export async function declaredByComponent(
  loaded: Loaded,
  stack: FaultStack,
  options: ProviderOptions,
  now: Date,
  /** Runs it as a preview, which adds its notes here. */
  notes?: Notes[],
): Promise<DeclaredObject[]> {
  const { config = {}, environment = {}, patience = 0, connections } = options;
  const settings = new Settings({
    DOCS_BASE_URL: config["docs:baseUrl"],
    DOCS_TOKEN: config["docs:token"],
    DOCS_ORGANIZATION_ID: config["docs:organizationId"],
    ...environment,
  });
  const run = new Run({ settings, tell: () => undefined, patience, clock: new TestClock() }, connections);
  const declared: DeclaredObject[] = [];
  const host: ComponentHost<string> = {
    run,
    isPreview: notes !== undefined,
    urns: async () => [componentUrn],
    recordedResources: async () => ({
      ...(stack.notes && { [notesUrn]: stack.notes }),
      ...Object.fromEntries(
        [...stack.recorded].map(([key, { resource, properties }]) => [
          urnOfChild(resource, key.slice(keyOf(resource, "").length)),
          { outputs: properties },
        ]),
      ),
    }),
    presentable: (error) => error,
    warn: async () => undefined,
    registerNotes: (type, name, notesAfter) => {
      stack.notesAfter = notesAfter;
      notes?.push({ type, name, inputs: notesAfter({ isMade: true }).inputs });
    },
    registerChild: ({ resource, name, inputs }, site) => {
      const key = keyOf(resource, name);
      declared.push({ resource, name: key, inputs, site });
      return key;
    },
  };
  await guardAndRegister(host, { name: componentName, place: componentUrn }, { ...loaded, now }, () => undefined);
  return declared;
}

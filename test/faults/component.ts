import type { ComponentHost } from "../../provider/organization/component-host";
import type { Loaded } from "../../provider/organization/file/loader";
import { guardAndRegister } from "../../provider/organization/guard-and-register";
import type { Properties } from "../../provider/run/properties";
import { Run } from "../../provider/run/run";
import { Settings } from "../../provider/run/settings";
import { organizationType } from "../../provider/run/urn";
import { TestClock } from "../support/clock";
import type { ProviderOptions } from "../support/provider";
import type { Declared, Stack } from "./stack";

const component = "acme";
const urn = `urn:pulumi:test::project::${organizationType}::${component}`;
export const urnOf = (resource: string, name: string) =>
  `urn:pulumi:test::project::${organizationType}$pulumi-nodejs:dynamic/docs:${resource}::${name}`;
/** Resources of different kinds may have the same name. */
const keyOf = (resource: string, name: string) => `${resource} ${name}`;

/** What a preview gets from the component beside the resources, for reviews. */
export type Notes = { readonly type: string; readonly name: string; readonly inputs: Properties };

/** Runs the component of a program: the resources that it declares, or the refusal of a guard as an error. */
export async function declaredBy(
  loaded: Loaded,
  stack: Stack,
  options: ProviderOptions,
  now: Date,
  /** Runs it as a preview, which adds its notes here. */
  notes?: Notes[],
): Promise<Declared[]> {
  const { config = {}, environment = {}, patience = 0, connections } = options;
  const settings = new Settings({
    DOCS_BASE_URL: config["docs:baseUrl"],
    DOCS_TOKEN: config["docs:token"],
    DOCS_ORGANIZATION_ID: config["docs:organizationId"],
    ...environment,
  });
  const run = new Run({ settings, tell: () => undefined, patience, clock: new TestClock() }, connections);
  const declared: Declared[] = [];
  const host: ComponentHost<string> = {
    run,
    isPreview: notes !== undefined,
    urns: async () => [urn],
    recordedResources: async () =>
      Object.fromEntries(
        [...stack.recorded].map(([key, { resource, properties }]) => [
          urnOf(resource, key.slice(keyOf(resource, "").length)),
          { outputs: properties },
        ]),
      ),
    presentable: (error) => error,
    warn: async () => undefined,
    registerNotes: (type, name, notesAfter) => void notes?.push({ type, name, inputs: notesAfter(true).inputs }),
    registerChild: ({ resource, name, inputs }, site) => {
      const key = keyOf(resource, name);
      declared.push({ resource, name: key, inputs, site });
      return key;
    },
  };
  await guardAndRegister(host, { name: component, place: urn }, { ...loaded, now }, () => undefined);
  return declared;
}

import type { ComponentHost } from "./component-host";
import { sectionList } from "./sections";
import type { Child } from "./sections/children";

type Registered<Resource> = ReadonlyMap<string, Resource>;

const registeredKey = (resource: string, key: string): string => `${resource} ${key}`;

/** Registers the children in their order: a part of a site comes after it. */
export function registerChildren<Resource>(
  children: readonly Child[],
  host: ComponentHost<Resource>,
): Registered<Resource> {
  const registered = new Map<string, Resource>();
  for (const child of children) {
    const site = child.site === undefined ? undefined : registered.get(registeredKey("Site", child.site));
    registered.set(registeredKey(child.resource, child.key), host.registerChild(child, site));
  }
  return registered;
}

/** The path of an output in the outputs of a resource. */
export type OutputPath = readonly [string, ...string[]];

/** By the name of the output and the key in the file. */
type Outputs<Output> = Readonly<Record<string, Readonly<Record<string, Output>>>>;

/** The outputs that the sections define, by the keys in the file. */
export function outputsOf<Resource, Output>(
  children: readonly Child[],
  registered: Registered<Resource>,
  outputAt: (resource: Resource, path: OutputPath) => Output,
): Outputs<Output> {
  const outputs = sectionList.flatMap(({ name: section, outputs }) =>
    Object.entries(outputs?.values ?? {}).map(([name, path]) => {
      const own = children.filter((child) => child.section === section && child.resource === outputs?.resource);
      const values = own.map(({ resource, key }) => [
        key,
        outputAt(registered.get(registeredKey(resource, key)) as Resource, path),
      ]);
      return [name, Object.fromEntries(values)];
    }),
  );
  return Object.fromEntries(outputs);
}

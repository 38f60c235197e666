import type * as pulumi from "@pulumi/pulumi";
import * as classes from "../hosts/dynamic/classes";
import { propertiesIn } from "../run/properties";
import { sectionList } from "./sections";
import type { Child } from "./sections/children";

/** Resources by class and key in the file. */
type Registered = ReadonlyMap<string, pulumi.CustomResource>;

const registeredKey = (resource: string, key: string): string => `${resource} ${key}`;

/** Registers the children in their order: a part of a site comes after it. */
export function registerChildren(children: readonly Child[], parent: pulumi.Resource): Registered {
  const registered = new Map<string, pulumi.CustomResource>();
  for (const { resource, key, name, inputs, protect, site } of children) {
    const options = { parent, ...(protect !== undefined && { protect }) };
    const siteId = site === undefined ? {} : { siteId: registered.get(registeredKey("Site", site))?.id };
    // The compiler cannot relate the class to its inputs; the class checks them itself.
    const child = new classes[resource](name, { ...inputs, ...siteId } as never, options);
    registered.set(registeredKey(resource, key), child);
  }
  return registered;
}

/** By the name of the output and the key in the file. */
type Outputs = Readonly<Record<string, Readonly<Record<string, pulumi.Output<unknown>>>>>;

/** The outputs that the sections define, by the keys in the file. */
export function outputsOf(children: readonly Child[], registered: Registered): Outputs {
  const outputs = sectionList.flatMap(({ name: section, outputs }) =>
    Object.entries(outputs?.values ?? {}).map(([name, path]) => {
      const own = children.filter((child) => child.section === section && child.resource === outputs?.resource);
      const values = own.map(({ resource, key }) => [
        key,
        outputAt(registered.get(registeredKey(resource, key)), path),
      ]);
      return [name, Object.fromEntries(values)];
    }),
  );
  return Object.fromEntries(outputs);
}

/** An output of a resource, or what is at a path in it. */
function outputAt(resource: unknown, [name, ...path]: readonly [string, ...string[]]): pulumi.Output<unknown> {
  const output = (resource as Readonly<Record<string, pulumi.Output<unknown>>>)[name] as pulumi.Output<unknown>;
  if (path.length === 0) return output;
  return output.apply((value): unknown => path.reduce((inner, key) => propertiesIn(inner)[key], value));
}

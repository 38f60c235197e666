import { metaOf } from "../../provider/lifecycle/definition";
import type { Resource } from "./resources";

/** What the inputs are that are no properties of the service, for reviews, which do not load the SDK as the definitions do. */
export function meaningsFile(resources: readonly Resource[]): string {
  const meanings = resources.map(({ name, definition }) => {
    const all = Object.keys(definition.inputs.shape).map((input) => [input, metaOf(definition, input)] as const);
    const own = all.flatMap(([input, meta]) =>
      meta?.option ? [[input, "option"]] : meta?.selection ? [[input, "selection"]] : [],
    );
    return [name, Object.fromEntries(own)] as const;
  });
  const names = resources.map(({ name }) => JSON.stringify(name));
  return `// Made by \`npm run reference\` from the schemas of the resources.

/** The name of a resource, which is that of its class. */
export type ResourceName = ${names.join(" | ")};

/** Inputs that are no properties of the service. Every other input that leaves the program is no longer managed. */
export const meanings: Readonly<Record<string, Readonly<Record<string, "option" | "selection">>>> = ${JSON.stringify(Object.fromEntries(meanings))};
`;
}

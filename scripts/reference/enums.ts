import type { EnumSpec, PackageSpec } from "../package-schema/spec";

/** Source of the enums, such as `docs.SiteVisibility.Unlisted`, that the engine uses in the code which it writes at an import. */
export function enumsFile({ resources, types }: PackageSpec): string {
  const custom = Object.values(resources).filter(({ isComponent }) => !isComponent);
  const reached = new Set<string>();
  const reach = (value: unknown): void => {
    const tokens = JSON.stringify(value).matchAll(/"#\/types\/([^"]+)"/g);
    for (const [, token = ""] of tokens) {
      if (reached.has(token)) continue;
      reached.add(token);
      reach(types[token]);
    }
  };
  reach(custom.map(({ inputProperties }) => inputProperties));
  const enums = [...reached].sort().flatMap((token) => {
    const type = types[token];
    return type && "enum" in type ? [enumText(token.split(":").at(-1) ?? "", type)] : [];
  });
  return ["// Made by `npm run reference` from the package schema.\n", ...enums].join("\n");
}

function enumText(name: string, { enum: values }: EnumSpec): string {
  const members = values.map(({ name: member, value }) => `  ${member}: ${JSON.stringify(value)},\n`);
  return [
    `export const ${name} = {\n${members.join("")}} as const;\n`,
    `export type ${name} = (typeof ${name})[keyof typeof ${name}];\n`,
  ].join("");
}

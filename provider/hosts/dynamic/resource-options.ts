import type * as pulumi from "@pulumi/pulumi";

type Options = pulumi.CustomResourceOptions;

/** The package that the engine runs dynamic resources with. */
const own = "pulumi-nodejs";

/** Options without which nothing could be declared as it is meant, each with what to do. */
export function impossibleOptions({ import: imported, id }: Options): string[] {
  const given = { import: imported, id };
  return Object.entries(given).flatMap(([option, value]) =>
    value === undefined
      ? []
      : [
          `option ${option}: the engine cannot ${option === "import" ? "import" : "read"} a dynamic resource by its id; use ` +
            "pulumi import --file (see Taking over what exists in the README)",
        ],
  );
}

/** The others: the engine, which would otherwise ask the provider for what it cannot answer, is not told of the impossible ones. */
export function possibleOptions(options: Options | undefined): Options | undefined {
  if (!options) return options;
  const { import: _, id: _id, ...possible } = options;
  return possible;
}

/** Options that do nothing for a dynamic resource, although the program may count on them. */
export function uselessOptions({ replaceOnChanges = [], provider }: Options): string[] {
  const replacing =
    "option replaceOnChanges does nothing, since the engine does not apply it to dynamic resources; the reference says which " +
    "changes replace the resource";
  const providing =
    "option provider does nothing, since dynamic resources have no provider object; the settings name the service and the " +
    "token, and organizationId and DOCS_TOKEN_<ORGANIZATION_ID> those of another organization";
  return [
    ...(replaceOnChanges.length > 0 ? [replacing] : []),
    ...(provider !== undefined && packageOf(provider) !== own ? [providing] : []),
  ];
}

/** Not among the SDK's public types (seen in 3.270). */
const packageOf = (provider: object): string => (provider as { getPackage(): string }).getPackage();

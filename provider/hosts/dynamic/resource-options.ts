import type * as pulumi from "@pulumi/pulumi";

type Options = pulumi.CustomResourceOptions;

/** The package of the engine's provider for dynamic resources. */
const own = "pulumi-nodejs";

/** Refuses options that dynamic resources cannot support, each with what to do instead. */
export function impossibleOptions({ import: imported, id }: Options): string[] {
  const given = { import: imported, id };
  return Object.entries(given).flatMap(([option, value]) =>
    value === undefined
      ? []
      : [
          `option ${option}: the engine cannot ${option === "import" ? "import" : "read"} a dynamic resource by its id; use ` +
            "pulumi import --file (see docs/guides/take-over.md)",
        ],
  );
}

/** Removes unsupported options, because the engine would otherwise make calls that the provider cannot answer. */
export function possibleOptions(options: Options | undefined): Options | undefined {
  if (!options) return options;
  const { import: _, id: _id, ...possible } = options;
  return possible;
}

/** Warns of options that have no effect on a dynamic resource, although the program may rely on them. */
export function uselessOptions({ replaceOnChanges = [], provider }: Options): string[] {
  const replacing =
    "option replaceOnChanges has no effect, because the engine does not apply it to dynamic resources; the reference says which " +
    "changes replace the resource";
  const providing =
    "option provider has no effect, because dynamic resources have no provider object; the settings name the service and the " +
    "token; for another organization, use organizationId and DOCS_TOKEN_<ORGANIZATION_ID>";
  return [
    ...(replaceOnChanges.length > 0 ? [replacing] : []),
    ...(provider !== undefined && packageOf(provider) !== own ? [providing] : []),
  ];
}

/** The package of a provider object. This is not in the SDK's public types (seen in 3.270). */
export const packageOf = (provider: object): string => (provider as { getPackage(): string }).getPackage();

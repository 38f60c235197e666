import type * as pulumi from "@pulumi/pulumi";
import { runError } from "../../program/run-error";
import { packageOf } from "../../program/sdk-internals";

type Options = pulumi.CustomResourceOptions;

/** The package of the engine's provider for dynamic resources. */
const own = "pulumi-nodejs";

/** Refuses options that dynamic resources cannot support: the engine would make calls that the provider cannot answer. */
export function refuseImpossibleOptions(label: string, { import: imported, id }: Options): void {
  const option = (imported !== undefined && "import") || (id !== undefined && "id");
  if (!option) return;
  throw runError(
    `${label}: option ${option}: the engine cannot ${option === "id" ? "read" : "import"} a dynamic resource by its id; use ` +
      "pulumi import --file (see docs/guides/take-over.md)",
  );
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

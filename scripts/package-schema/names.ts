/**
 * The name of the SDK that the engine writes for each language. That of TypeScript must be installable, so it cannot be
 * "pulumi-docs-org/plugin", the module with the classes of the npm package; both can be in one project.
 */
export const packageNames = {
  typescript: "@pulumi-docs-org/docs",
  python: "pulumi_docs_org",
  go: "pulumi-docs-org/sdk/go/docs",
} as const;

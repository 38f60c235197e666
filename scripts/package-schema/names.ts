/** The name of the package in each language. TypeScript has classes of its own, which the engine's generated code imports as well. */
export const names = {
  typescript: "pulumi-docs-org/plugin",
  python: "pulumi_docs_org",
  go: "pulumi-docs-org/sdk/go/docs",
} as const;

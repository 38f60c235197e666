/** The name of the package in each language. TypeScript has classes of its own; `nodejs` is what would be generated for it. */
export const names = {
  typescript: "pulumi-docs-org/plugin",
  nodejs: "pulumi-docs-org-sdk",
  python: "pulumi_docs_org",
  go: "pulumi-docs-org/sdk/go/docs",
} as const;

import { table } from "./page";
import { networkVariables, variables } from "./variables";

export function variablesPage(): string {
  const rows = Object.entries(variables).map(([name, what]) => [
    `\`${name.endsWith("_") ? `${name}<ORGANIZATION_ID>` : name}\``,
    what,
  ]);
  const parts = [
    "# Environment variables",
    "An empty variable counts as unset, except `DOCS_PLAN`, which is refused. The environment wins over the configuration of the stack ([configuration](../configuration.md)).",
    table(["variable", "what it sets"], rows),
    "## Network",
    "Client certificates are not supported.",
    table(
      ["variable", "what it sets"],
      Object.entries(networkVariables).map((row) => [...row]),
    ),
    "## Pulumi",
    "Variables of Pulumi, such as `PULUMI_BACKEND_URL` and `PULUMI_CONFIG_PASSPHRASE`, are described by Pulumi; [Commands](../commands.md) says what the commands do without them.",
  ];
  return `${parts.join("\n\n")}\n`;
}

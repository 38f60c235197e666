import { type Command, InvalidArgumentError } from "commander";
import { later } from "../options";

function addEvidence(program: Command): void {
  const evidence = program.command("evidence").description("Folders for auditors, whose files must not change.");
  evidence
    .command("seal")
    .description("Write the checksums of all files in a folder into its file SHA256SUMS, and print the checksum of it.")
    .argument("<folder>", "folder with lists, histories, sheets and plans")
    .addHelpText("after", "\nExit status: 0 when the list was written; 1 for failures.")
    .action(later(async () => (await import("../actions/evidence.js")).seal));
  evidence
    .command("verify")
    .description("Compare all files in a folder with SHA256SUMS, and name each that was changed, added or removed.")
    .argument("<folder>", "folder that docs-org evidence seal has sealed")
    .option("--checksum <sha256>", "checksum that seal has printed; without it, a new seal is not found", parseChecksum)
    .addHelpText(
      "after",
      "\nExit status: 0 when nothing differs; 2 when something does; 1 when the folder cannot be read.",
    )
    .action(later(async () => (await import("../actions/evidence.js")).verify));
}

function parseChecksum(text: string): string {
  if (/^[0-9a-f]{64}$/i.test(text)) return text;
  throw new InvalidArgumentError("Use the 64 hexadecimal digits that docs-org evidence seal has printed.");
}

export const evidenceCommands = [addEvidence];

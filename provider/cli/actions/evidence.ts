import type { Command } from "commander";
import { sealFolder, verifyFolder } from "../../evidence/folder";
import { counted } from "../../text/safe-text";
import { inert, visible } from "../../text/visible";
import { print } from "../output";

export async function seal(folder: string): Promise<void> {
  const { count, checksum } = await sealFolder(folder);
  await print(
    `Sealed ${counted(count, "file")} with checksum ${checksum}\n` +
      "Keep this checksum elsewhere, such as in the ticket of the audit: docs-org evidence verify takes it with --checksum.\n",
  );
}

export async function verify(
  folder: string,
  { checksum }: { readonly checksum?: string },
  command: Command,
): Promise<void> {
  const { count, differences, ...actual } = await verifyFolder(folder, checksum);
  if (differences.length === 0) {
    const rest = checksum === undefined ? `; compare the checksum of the list with the one that seal printed` : "";
    return print(`${counted(count, "file")} unchanged since the seal with checksum ${actual.checksum}${rest}\n`);
  }
  for (const { file, what } of differences) await print(`${inert(`${visible(file)} ${what}`)}\n`);
  command.error(`${visible(folder)} is not as it was sealed: ${counted(differences.length, "difference")}`, {
    exitCode: 2,
  });
}

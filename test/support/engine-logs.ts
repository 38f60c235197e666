import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";

/**
 * Lets the engine go on without the log that it keeps of all messages of each command (seen in CLI 3.259), which costs the more the
 * more resources there are: with a file of this name, it cannot make the folder.
 */
export async function refuseLogs(pulumiHome: string): Promise<void> {
  await mkdir(pulumiHome, { recursive: true });
  await writeFile(path.join(pulumiHome, "logs"), "");
}

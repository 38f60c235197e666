import { type Engine, type Missing, searchEngine } from "../../engine/find";
import { installMissing } from "../../engine/install";
import { missingEngine } from "../../engine/missing";
import { ENGINE_VERSION } from "../../engine/version";
import { confirm, isInteractive } from "./ask";

/** The engine on PATH or in the cache. If there is none, it is installed into the cache after a yes. */
export async function engineOrInstall(yes: boolean): Promise<Engine> {
  const found = await searchEngine(process.env);
  if ("folder" in found) return found;
  if (!yes && !(await isAgreed(found))) throw missingEngine(found);
  const { automationApi } = await import("../../engine/automation.js");
  const log = (line: string) => process.stderr.write(`docs-org: ${line}\n`);
  return installMissing(found, { ways: [automationApi], environment: process.env, log });
}

async function isAgreed({ refusal, cache }: Missing): Promise<boolean> {
  if (!isInteractive()) return false;
  process.stderr.write(`docs-org: there is no Pulumi engine on the PATH (${refusal})\n`);
  return confirm(`Download the Pulumi CLI ${ENGINE_VERSION} from get.pulumi.com into ${cache}?`);
}

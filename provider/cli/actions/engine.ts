import { type Engine, type Missing, missingEngine, searchEngine } from "../../engine/find";
import { ENGINE_VERSION } from "../../engine/version";
import { tell } from "../output";
import { confirm, isInteractive } from "./ask";

/** The engine on PATH or in the cache. If there is none, it is installed into the cache after a yes. */
export async function engineOrInstall(yes: boolean): Promise<Engine> {
  const found = await searchEngine(process.env);
  if ("folder" in found) return found;
  if (!yes && !(await isAgreed(found))) throw missingEngine(found);
  tell(`downloading Pulumi ${ENGINE_VERSION} from get.pulumi.com into ${found.cache} (once)`);
  const { downloadEngine } = await import("../../engine/install.js");
  return downloadEngine(found, process.env);
}

async function isAgreed({ refusal, cache }: Missing): Promise<boolean> {
  if (!isInteractive()) return false;
  tell(`there is no Pulumi engine on the PATH (${refusal})`);
  return confirm(`Download the Pulumi CLI ${ENGINE_VERSION} from get.pulumi.com into ${cache}?`);
}

import { readFileSync } from "node:fs";
import { cpus, release, totalmem, type } from "node:os";
import { ensureEngine } from "../scripts/engine";

/** Properties of the machine that affect the measurements; its name is not among them. */
export async function machine(): Promise<Readonly<Record<string, string>>> {
  const { version } = await ensureEngine();
  return {
    Cores: `${cpus().length} (${cpus()[0]?.model.trim() ?? "unknown"})`,
    Memory: `${Math.round(totalmem() / 1024 ** 3)} GiB`,
    "Operating system": `${distribution()}, ${type()} ${release().split(".", 2).join(".")}`,
    "Node.js": process.version,
    "Pulumi CLI": version,
    "@pulumi/pulumi": require("@pulumi/pulumi/package.json").version,
  };
}

function distribution(): string {
  const text = readFileSync("/etc/os-release", "utf8");
  return /^PRETTY_NAME="?(.*?)"?$/m.exec(text)?.[1] ?? "unknown";
}

import { readdir, rename } from "node:fs/promises";
import path from "node:path";
import { PulumiCommand } from "@pulumi/pulumi/automation";
import type { Way } from "./install";
import { sdkVersion } from "./sdk-version";
import { ENGINE_VERSION } from "./version";

/**
 * Downloads the official CLI with the Automation API, which runs the installation script of get.pulumi.com. The API offers no
 * checksum; it relies on HTTPS, and the version is checked afterwards.
 */
export const automationApi: Way = {
  step: `downloading pulumi ${ENGINE_VERSION} from get.pulumi.com (once)`,
  remedy: "let this machine reach https://get.pulumi.com",
  install: async ({ folder, scratch }) => {
    await PulumiCommand.install({ root: scratch, version: sdkVersion(ENGINE_VERSION) });
    const programs = path.join(scratch, "bin");
    for (const name of await readdir(programs)) await rename(path.join(programs, name), path.join(folder, name));
  },
};

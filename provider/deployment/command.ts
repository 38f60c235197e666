import { PulumiCommand } from "@pulumi/pulumi/automation";
import type { Engine } from "../engine/find";
import { sdkVersion } from "../engine/sdk-version";

/**
 * The CLI on the PATH of this process, for the Automation API, which would start it once more to ask for its version. The
 * constructor is private (seen in 3.270).
 */
export const commandOf = ({ version }: Engine): PulumiCommand =>
  Reflect.construct(PulumiCommand, ["pulumi", sdkVersion(version)]);

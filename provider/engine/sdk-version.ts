import { createRequire } from "node:module";
import type { PulumiCommand } from "@pulumi/pulumi/automation";

type Version = NonNullable<Parameters<typeof PulumiCommand.install>[0]>["version"];

// The Automation API expects the SemVer class of the SDK's own copy of semver, which is not a dependency of this project.
const sdkRequire = createRequire(createRequire(__filename).resolve("@pulumi/pulumi/package.json"));

/** A version of the CLI, as the Automation API takes it. */
export function sdkVersion(text: string): Version {
  const { SemVer } = sdkRequire("semver") as { SemVer: new (text: string) => Version };
  return new SemVer(text);
}

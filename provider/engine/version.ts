import { createRequire } from "node:module";
import type { PulumiCommand } from "@pulumi/pulumi/automation";

/** The oldest engine that the project is tested with. */
export const MINIMUM_VERSION = "3.259";

/** The version that is installed if no engine is found: the newest on the Go module proxy, so that every way installs the same one. */
export const ENGINE_VERSION = "3.259.0";

/** Whether `version` ("3.259.0", "go1.26.8", "3.260.0-alpha.1") is `minimum` or newer. */
export const isAtLeast = (version: string, minimum: string): boolean =>
  version.replace(/^\D*/, "").localeCompare(minimum, "en", { numeric: true }) >= 0;

type Version = NonNullable<Parameters<typeof PulumiCommand.install>[0]>["version"];

/** A version of the CLI as the `SemVer` of the SDK's own copy of semver, which the Automation API requires. */
export function sdkVersion(text: string): Version {
  const sdkRequire = createRequire(createRequire(__filename).resolve("@pulumi/pulumi/package.json"));
  const { SemVer } = sdkRequire("semver") as { SemVer: new (text: string) => Version };
  return new SemVer(text);
}

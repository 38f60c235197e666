// Started by automation.ts: node automation-child.ts ROOT VERSION. A failure is one line on stderr.
import { createRequire } from "node:module";
import { PulumiCommand } from "@pulumi/pulumi/automation";

type Version = NonNullable<Parameters<typeof PulumiCommand.install>[0]>["version"];

const [root = "", version = ""] = process.argv.slice(2);

// The SDK's own semver, whose class the API expects: no dependency of this project.
const sdkRequire = createRequire(createRequire(__filename).resolve("@pulumi/pulumi/package.json"));
const { SemVer } = sdkRequire("semver") as { SemVer: new (text: string) => Version };

// The script that the API runs may unpack where it is started.
process.chdir(root);

PulumiCommand.install({ root, version: new SemVer(version) }).catch((error: Error) => {
  console.error(error.message.replace(/\s+/g, " "));
  process.exitCode = 1;
});

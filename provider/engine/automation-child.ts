// Started by automation.ts: node automation-child.js ROOT VERSION. A failure is one line on stderr.
import { createRequire } from "node:module";
import { PulumiCommand } from "@pulumi/pulumi/automation";

type Version = NonNullable<Parameters<typeof PulumiCommand.install>[0]>["version"];

const [root = "", version = ""] = process.argv.slice(2);

// The API expects the SemVer class of the SDK's own copy of semver, which is not a dependency of this project.
const sdkRequire = createRequire(createRequire(__filename).resolve("@pulumi/pulumi/package.json"));
const { SemVer } = sdkRequire("semver") as { SemVer: new (text: string) => Version };

// The script that the API runs may unpack files into the current folder.
process.chdir(root);

PulumiCommand.install({ root, version: new SemVer(version) }).catch((error: Error) => {
  process.stderr.write(`${error.message.replace(/\s+/g, " ")}\n`);
  process.exitCode = 1;
});

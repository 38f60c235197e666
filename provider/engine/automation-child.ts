// Started by automation.ts: node automation-child.js ROOT VERSION. A failure is one line on stderr.
import { PulumiCommand } from "@pulumi/pulumi/automation";
import { sdkVersion } from "./sdk-version";

const [root = "", version = ""] = process.argv.slice(2);

// The script that the API runs may unpack files into the current folder.
process.chdir(root);

PulumiCommand.install({ root, version: sdkVersion(version) }).catch((error: Error) => {
  process.stderr.write(`${error.message.replace(/\s+/g, " ")}\n`);
  process.exitCode = 1;
});

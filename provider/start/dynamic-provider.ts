// Started by dynamic-host/pulumi-resource-pulumi-nodejs. The SDK's own script starts Node.js twice, and loads everything.
import { createRequire } from "node:module";
import { join } from "node:path";
import { loadLate } from "./late-modules";

loadLate();
// Like the SDK's script, this loads the SDK of the program, whose folder is the current one.
const programRequire = createRequire(join(process.cwd(), "program.js"));
const host = programRequire.resolve("@pulumi/pulumi/cmd/dynamic-provider");
process.argv[1] = host;
programRequire(host);

// Runs a program with the options of `runtime` in its Pulumi.yaml. The language host that scripts/language-host builds looks for
// them in its arguments, where only older engines pass them; newer engines pass them with the call, so this host ignores them.
const { readFileSync } = require("node:fs");
const { createRequire } = require("node:module");
const path = require("node:path");

const project = createRequire(path.join(process.cwd(), "Pulumi.yaml"));
const settings = readFileSync("Pulumi.yaml", "utf8");
if (/^ +typescript: false$/m.test(settings)) process.env.PULUMI_NODEJS_TYPESCRIPT = "";
const [, required] = /^ +nodeargs: --require=(\S+)$/m.exec(settings) ?? [];
if (required) project(required);
project("@pulumi/pulumi/cmd/run");

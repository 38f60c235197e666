// pulumi-docs-org/start: the project's `nodeargs` let Node.js load this module before a program (see docs/concepts/start-up.md).
import { compileTypeScript } from "./compile";
import { loadLate } from "./late-modules";

loadLate();
// Without `typescript: false` in the project, the SDK lets ts-node compile the program.
if (process.env.PULUMI_NODEJS_TYPESCRIPT !== "true") compileTypeScript();

// Imported first by what programs import, since an older language host ignores the `nodeargs` that load pulumi-docs-org/start.
import { loadLate } from "./late-modules";

const stopDeferring = loadLate();
require("@pulumi/pulumi");
require("zod");
stopDeferring();

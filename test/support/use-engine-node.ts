import { inject } from "vitest";

/** Commands that this worker starts find the `node` of engine-node/ on their PATH. */
const environments = inject("commandEnvironments");
const worker = Number(process.env.VITEST_POOL_ID) - 1;
Object.assign(process.env, environments[worker % environments.length]);

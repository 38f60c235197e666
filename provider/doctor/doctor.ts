import { findOrganization } from "../deployment/project";
import { Run } from "../run/run";
import { checkBackend } from "./backend";
import type { Finding } from "./check";
import { checkEngine, checkNode, checkPlugin } from "./machine";
import { checkService } from "./service";
import { checkVariables } from "./variables";

/** Checks everything that the commands need, in a folder. Changes nothing. */
export async function examine(root: string, environment: NodeJS.ProcessEnv): Promise<readonly Finding[]> {
  const { engine, findings } = await checkEngine(environment);
  return [
    checkNode(),
    ...findings,
    checkPlugin(environment),
    ...(await checkService(new Run(), findOrganization(root))),
    await checkBackend(root, environment, engine),
    ...checkVariables(environment),
  ];
}

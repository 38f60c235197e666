import { isDeepStrictEqual } from "node:util";
import { type LocalWorkspace, Stack, type Deployment as State } from "@pulumi/pulumi/automation";
import { DocsError } from "../api/http/errors";
import type { Engine } from "../engine/find";
import { propertiesIn } from "../run/properties";
import { withoutPassword } from "../text/masking";
import { counted } from "../text/safe-text";
import { failureOfCommand } from "./failure";
import type { Project } from "./project";
import { findStack, openWorkspace } from "./workspace";

/**
 * Copies the stacks of the project to another backend, and returns their names. A stack that is there already must be equal, so a
 * killed copy can be repeated. The old backend stays as it is. The variables are values of PULUMI_BACKEND_URL; an empty one
 * stands for the backend of the project.
 */
export async function copyStacks(
  engine: Engine,
  project: Project,
  { oldVariable, newVariable }: { readonly oldVariable: string; readonly newVariable: string },
): Promise<readonly string[]> {
  try {
    const from = await openWorkspace(engine, project, { PULUMI_BACKEND_URL: oldVariable });
    const to = await openWorkspace(engine, project, { PULUMI_BACKEND_URL: newVariable });
    const stacks = await from.listStacks();
    // The engine, started to select a stack, would only find what it has listed.
    from.selectStack = async () => undefined;
    const names = stacks.map(({ name }) => name.split("/").at(-1) as string);
    for (const name of names) await copyStack(name, from, to);
    return names;
  } catch (error) {
    throw failureOfCommand(error, `could not move the state to ${withoutPassword(newVariable)}`, "main");
  }
}

async function copyStack(name: string, from: LocalWorkspace, to: LocalWorkspace): Promise<void> {
  const source = await Stack.select(name, from);
  const state = await source.exportStack();
  const existing = await findStack(to, name);
  const target = existing ?? (await Stack.create(name, to));
  const stateBefore = await existing?.exportStack();
  if (stateBefore === undefined || !isEqual(stateBefore, state)) {
    const count = stateBefore === undefined ? 0 : resourcesIn(stateBefore).length;
    if (count > 0)
      throw new DocsError(
        `could not move stack ${name}: the new place has a stack of this name with ${counted(count, "resource")}, which are not those of the old place; remove the one that is not needed`,
      );
    await target.importStack(state);
  }
  // The old one is read again: another run may have changed it meanwhile.
  if (isEqual(await target.exportStack(), await source.exportStack())) return;
  throw new DocsError(
    `the copy of stack ${name} is not equal to the old one, which another run may have changed; nothing was marked as moved; remove the new stack, and run this again`,
  );
}

const resourcesIn = ({ deployment }: State): readonly unknown[] => {
  const { resources } = propertiesIn(deployment);
  return Array.isArray(resources) ? resources : [];
};

/** Compares all but what each place has of its own: time and version of the export, secrets providers and metadata. */
function isEqual(one: State, other: State): boolean {
  const contents = ({ deployment }: State) => {
    const { manifest: _, secrets_providers: _secrets, metadata: _metadata, ...content } = propertiesIn(deployment);
    return content;
  };
  return isDeepStrictEqual(contents(one), contents(other));
}

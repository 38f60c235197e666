import { DocsError } from "../api/http/errors";
import { presented } from "../run/presentation";
import type { Properties } from "../run/properties";

/** Brings the outputs of a resource to the next version; one that does not concern the resource returns them as they are. */
export type Step = (resource: string, outputs: Properties) => Properties;

/**
 * The first step leads from version 1 to version 2. A released step is never changed or removed, for the states that need it
 * are out there; a new one is added at the end whenever what is stored changes its shape.
 */
const steps: readonly Step[] = [];

/** The property of the outputs that tells which version wrote them. */
export const versionKey = "__version";
const versionAfter = (known: readonly Step[]): number => known.length + 1;
export const stateVersion = versionAfter(steps);

/** Outputs as this version writes them, from those of any version before; without a version, they are of the first one. */
export function upgrade(resource: string, outputs: Properties, known: readonly Step[] = steps): Properties {
  const { [versionKey]: found = 1 } = outputs;
  const current = versionAfter(known);
  if (!isVersion(found) || found > current) throw unknownVersion(resource, found, current);
  const upgraded = known.slice(found - 1).reduce((before, step) => step(resource, before), outputs);
  return { ...upgraded, [versionKey]: current };
}

function isVersion(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 1;
}

function unknownVersion(resource: string, found: unknown, current: number): DocsError {
  return new DocsError(
    `${resource}: its state has version ${JSON.stringify(found)}, and this pulumi-docs-org knows the versions up to ` +
      `${current}, so a newer one wrote it; install the one that the stack was last changed with, or a newer one: ` +
      "npm install pulumi-docs-org@latest",
  );
}

interface Handlers {
  diff(id: string, olds: Properties, news: Properties): Promise<unknown>;
  read(id: string, props: Properties): Promise<unknown>;
  update(id: string, olds: Properties, news: Properties): Promise<unknown>;
  delete(id: string, props: Properties): Promise<unknown>;
}

/** Handlers that take the state of any version, from ones that know the shape of this one only. */
export function upgrading<H extends Handlers>(resource: string, handlers: H, known?: readonly Step[]): H {
  const current = (outputs: Properties) => upgrade(resource, outputs, known);
  return {
    ...handlers,
    diff: (id, olds, news) => presented(async () => handlers.diff(id, current(olds), news)),
    read: (id, props) => presented(async () => handlers.read(id, current(props))),
    update: (id, olds, news) => presented(async () => handlers.update(id, current(olds), news)),
    delete: (id, props) => presented(async () => handlers.delete(id, current(props))),
  };
}

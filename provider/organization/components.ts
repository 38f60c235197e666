import { DocsError } from "../api/http/errors";
import { perRun, type Run } from "../run/run";
import type { Declared } from "./declaration";
import type { ComponentHost } from "./host";

/** A component of the run. */
export interface Placed {
  /** Not unique: a component below another parent may have the same name. */
  readonly name: string;
  readonly place: string;
}

interface Guarded extends Placed {
  readonly guard: Promise<unknown>;
}

/** The guards of a run's organizations. */
const guardsIn = perRun((): Guarded[] => []);

function noteGuard(run: Run, own: Guarded): readonly Guarded[] {
  const all = guardsIn(run);
  all.push(own);
  return all;
}

type Refusing = Pick<ComponentHost<unknown>, "run" | "presentable">;

/** Refuses every organization of the run if one is refused: they are reviewed and applied together. */
export async function requireAllGuards<T>(
  { run, presentable }: Refusing,
  { name, place }: Placed,
  own: Promise<T>,
): Promise<T> {
  const all = noteGuard(run, { name, place, guard: own });
  const outcome = await own;
  for (const { name: other, guard } of all.filter((one) => one.place !== place)) {
    await guard.catch(() => {
      throw presentable(
        new DocsError(`Organization "${name}": nothing is changed, because Organization "${other}" is refused`),
      );
    });
  }
  return outcome;
}

/** Waits for the guards of every organization that the program has declared so far. */
export async function waitForGuards(run: Run): Promise<void> {
  await Promise.allSettled(guardsIn(run).map(({ guard }) => guard));
}

/** The component of the run that declares an organization, by the id of the organization. */
const componentsIn = perRun(() => new Map<string, Placed>());

/** Two components of one organization would escape the guards: each guard sees only half of the change. */
export function refuseSecondComponent(run: Run, own: Placed, declared: Declared): Declared {
  const components = componentsIn(run);
  const { organization: id } = declared.organization;
  const first = components.get(id) ?? own;
  components.set(id, first);
  if (first.place === own.place) return declared;
  throw new DocsError(
    `Organization "${own.name}": Organization "${first.name}" of this program already declares organization "${id}", and guards do not see the changes of the other component; ` +
      "declare the organization in one component, whose file may !include other files",
  );
}

/** Shows a mistake in the declaration without a stack trace, and refuses the other organizations of the run. */
export function rejectMistakes<T>({ run, presentable }: Refusing, own: Placed, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const refused = Promise.reject(error);
    // Other organizations read this rejection. If there are none, it must not end the process as unhandled.
    refused.catch(() => undefined);
    noteGuard(run, { ...own, guard: refused });
    throw presentable(error);
  }
}

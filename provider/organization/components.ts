import { DocsError } from "../api/http/errors";
import { perRun, type Run } from "../run/run";
import type { Declared } from "./declaration";
import type { ComponentHost } from "./host";

export interface Placed {
  /** Not unique: a component below another parent may have the same name. */
  readonly name: string;
  readonly place: string;
}

interface Guarded extends Placed {
  readonly guard: Promise<void>;
}

const guardsIn = perRun((): Guarded[] => []);

/** Keeps whether the guards refuse, and not what they have read: that of a large organization takes 100 MiB. */
function noteGuard(run: Run, { name, place }: Placed, guarding: Promise<unknown>): readonly Guarded[] {
  const all = guardsIn(run);
  const guard = guarding.then(() => undefined);
  // Other organizations read a rejection. If there are none, it must not end the process as unhandled.
  guard.catch(() => undefined);
  all.push({ name, place, guard });
  return all;
}

type Refusing = Pick<ComponentHost<unknown>, "run" | "presentable">;

/** Refuses every organization of the run if one is refused: they are reviewed and applied together. */
export async function requireAllGuards<T>(
  { run, presentable }: Refusing,
  { name, place }: Placed,
  own: Promise<T>,
): Promise<T> {
  const all = noteGuard(run, { name, place }, own);
  const outcome = await own;
  for (const { name: other, guard } of all.filter((one) => one.place !== place)) {
    await guard.catch(() => {
      throw presentable(refusedWith(name, other));
    });
  }
  return outcome;
}

const refusedWith = (name: string, other: string): DocsError =>
  new DocsError(`Organization "${name}": nothing is changed, because Organization "${other}" is refused`);

/** The component of the run that declares an organization, by the id of the organization. */
const componentsIn = perRun(() => new Map<string, Placed>());

/** By the place of such a component, the name of a second one that is refused. */
const secondsIn = perRun(() => new Map<string, string>());

/**
 * The refusal of a component whose organization a second one declares as well. The engine constructs components in any order,
 * so the guards of the first one may take it for the renamed second one.
 */
export function refusalWithSecond(run: Run, { name, place }: Placed): DocsError | undefined {
  const second = secondsIn(run).get(place);
  return second === undefined ? undefined : refusedWith(name, second);
}

/** Two components of one organization would escape the guards: each guard sees only half of the change. */
export function refuseSecondComponent(run: Run, own: Placed, declared: Declared): Declared {
  const components = componentsIn(run);
  const { organization: id } = declared.organization;
  const first = components.get(id) ?? own;
  components.set(id, first);
  if (first.place === own.place) return declared;
  secondsIn(run).set(first.place, own.name);
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
    noteGuard(run, own, Promise.reject(error));
    throw presentable(error);
  }
}

import { DocsError } from "../api/http/errors";
import { type Run, runScoped } from "../run/run";
import type { ComponentHost } from "./component-host";
import type { DeclaredOrganization } from "./declaration";

export interface RunComponent {
  /** Not unique: a component below another parent may have the same name. */
  readonly name: string;
  readonly place: string;
}

interface Guarded extends RunComponent {
  readonly guard: Promise<void>;
}

const guardsIn = runScoped((): Guarded[] => []);

/** Records whether the guards of a component refuse. Does not keep what they have read: for a large organization, that takes 100 MiB. */
function noteGuard(run: Run, { name, place }: RunComponent, guarding: Promise<unknown>): readonly Guarded[] {
  const all = guardsIn(run);
  const guard = guarding.then(() => undefined);
  // Other organizations read a rejection. Without others, the rejection must not end the process as unhandled.
  guard.catch(() => undefined);
  all.push({ name, place, guard });
  return all;
}

type Refusing = Pick<ComponentHost<unknown>, "run" | "presentable">;

/** Refuses every organization of the run if one is refused: they are reviewed and applied together. */
export async function requireAllGuards<T>(
  { run, presentable }: Refusing,
  { name, place }: RunComponent,
  own: Promise<T>,
): Promise<T> {
  const guards = noteGuard(run, { name, place }, own);
  const outcome = await own;
  for (const { name: other, guard } of guards.filter((one) => one.place !== place))
    await guard.catch(() => {
      throw presentable(refusedWith(name, other));
    });
  return outcome;
}

const refusedWith = (name: string, other: string): DocsError =>
  new DocsError(`Organization "${name}": nothing is changed, because Organization "${other}" is refused`);

/** The component of the run that declares an organization, by the id of the organization. */
const componentsIn = runScoped(() => new Map<string, RunComponent>());

/** The names of refused second components, by the place of the first component of the same organization. */
const secondsIn = runScoped(() => new Map<string, string>());

/**
 * The refusal of a component whose organization a second component declares as well. The engine constructs components in any
 * order, so the guards of the first component may judge it as a renamed second one.
 */
export function refusalWithSecond(run: Run, { name, place }: RunComponent): DocsError | undefined {
  const second = secondsIn(run).get(place);
  return second === undefined ? undefined : refusedWith(name, second);
}

/** Two components of one organization would escape the guards: each guard sees only half of the change. */
export function refuseSecondComponent(run: Run, own: RunComponent, declared: DeclaredOrganization): void {
  const components = componentsIn(run);
  const { organization: id } = declared.organization;
  const first = components.get(id);
  if (first === undefined) components.set(id, own);
  if (first === undefined || first.place === own.place) return;
  secondsIn(run).set(first.place, own.name);
  throw new DocsError(
    `Organization "${own.name}": Organization "${first.name}" of this program already declares organization "${id}", and guards do not see the changes of the other component; declare the organization in one component, whose file may !include other files`,
  );
}

/** Shows a mistake in the declaration without a stack trace, and refuses the other organizations of the run. */
export function rejectMistakes<T>({ run, presentable }: Refusing, own: RunComponent, work: () => T): T {
  try {
    return work();
  } catch (error) {
    noteGuard(run, own, Promise.reject(error));
    throw presentable(error);
  }
}

import type { z } from "zod";
import { stringsIn } from "../access/assignments";
import { listNames } from "../access/carry-out";
import { reviewedPlan } from "../access/reviewed";
import { DocsError } from "../api/http/errors";
import { tolerant } from "../api/schema/tolerant";
import { isEmail, userKey } from "../people/user";
import type { Context } from "../run/context";
import { currentOrigin, isOfFormerOrigin, originKey } from "../run/origin";
import { containsUnknown, defined, type Properties, pick, pickAll, propertiesIn, sameValue } from "../run/properties";
import type { Run } from "../run/run";
import type { Settings } from "../run/settings";
import { SettingsError } from "../run/settings-error";
import { writesOf, writtenKey } from "../run/writes";
import { quoted } from "../text/mistakes";
import type { AnyDefinition } from "./definition";
import { type StateStep, upgrade, versionKey, versionMark } from "./state-versions";

/** The property, in inputs and outputs, with the text of the dynamic host (see stub.ts). */
export const providerKey = "__provider";

/** The output that records whether the program declares the organization, or the settings name it. */
const declaredOrganizationKey = "__organizationDeclared";

/** The output that records that a change failed before its last step. The next change may change each output. */
export const incompleteKey = "__incomplete";

/** The declared properties in a state or in inputs. The organization is one of them only if the program declares it. */
export function declaredIn({ inputs }: AnyDefinition, properties: Properties): Properties {
  const declared = pick(properties, Object.keys(inputs.shape));
  if (isState(properties) && !properties[declaredOrganizationKey]) delete declared.organizationId;
  return declared;
}

/** Whether these are the outputs of a resource, and not its inputs. Some states have only one of the two marks. */
export const isState = (properties: Properties): boolean => originKey in properties || versionKey in properties;

export function recordedValues(definition: AnyDefinition, state: Properties): Properties {
  return { ...declaredIn(definition, state), ...pick(state, Object.keys(definition.outputs.shape)) };
}

/** The state to store: declared properties with their live values, and the outputs. */
export function stateOf(definition: AnyDefinition, context: Context, live: unknown, declared: Properties): Properties {
  const values: Properties = definition.lifecycle.values(live, declared);
  const readable = Object.keys(declared).filter((name) => name in values);
  // A value that is equal but written differently stays as declared, so that the engine shows no difference.
  const changed = readable.filter((name) => !sameValue(definition.equal, name, values[name], declared[name]));
  const state = { ...declared, ...pickAll(values, changed), ...definition.lifecycle.outputs(live) };
  const written = writesOf(context).recordOf(state, context.recorded ?? {});
  return defined({ ...state, ...marks(context, declared), ...written });
}

/**
 * The state after an `up --only grants`. Of people whose grants are not due, it stays as recorded, so that the next preview still shows
 * their drift. In the preview before that up, which has no plan yet, the whole state is new.
 */
export function keepPeopleNotDue(run: Run, recorded: Properties | undefined, state: Properties): Properties {
  const due = run.settings.dueGrants();
  const hasPeople = typeof (state.roles ?? state.members) === "object";
  if (!due || !recorded || !hasPeople || !reviewedPlan(run)) return state;
  const users = due.filter(({ team }) => team === state.teamId).map(({ user }) => user);
  const links = [recorded, state].flatMap(({ userIds }) => Object.entries(propertiesIn(userIds)));
  const maps = mapsIn(state);
  const otherProperties = Object.entries(state).filter(([name]) => !(name in maps));
  const people = withPeople(mapsIn(recorded), maps, allNames(users, links)) as Properties;
  return { ...Object.fromEntries(otherProperties), ...people };
}

/** The ids and e-mails of users: a refresh may name a person by e-mail, although the line of the grant has the user id. */
function allNames(users: readonly string[], links: readonly [email: string, id: unknown][]): Set<string> {
  const names = new Set<unknown>([...users, ...users.map(userKey)]);
  for (const [email, id] of links) if (names.has(email)) names.add(id);
  for (const [email, id] of links) if (names.has(id)) names.add(email);
  return new Set(stringsIn([...names]));
}

/** The maps and lists in a state, all of which are of people in a resource that has many. */
function mapsIn(state: Properties): Properties {
  const isMap = ([name, value]: [string, unknown]) => !name.startsWith("__") && typeof value === "object";
  return Object.fromEntries(Object.entries(state).filter(isMap));
}

/** The recorded value, with what another one says about these people: their keys in maps, and their names in lists. */
export function withPeople(recorded: unknown, other: unknown, people: ReadonlySet<string>): unknown {
  const isAbsent = recorded === undefined || other === undefined;
  if (Array.isArray(recorded ?? other)) {
    const [before, after] = [recorded ?? [], other ?? []] as [string[], string[]];
    const kept = before.filter((one) => !people.has(one) || after.includes(one));
    const list = [...kept, ...after.filter((one) => people.has(one) && !before.includes(one))];
    return isAbsent && list.length === 0 ? undefined : list;
  }
  // The previous role of a guest is null.
  if (typeof (recorded ?? other) !== "object" || (recorded ?? other) === null) return recorded;
  const [before, after] = [propertiesIn(recorded), propertiesIn(other)];
  const entries = Object.keys({ ...before, ...after }).map((key) => {
    return [key, people.has(key) ? after[key] : withPeople(before[key], after[key], people)];
  });
  const map = defined(Object.fromEntries(entries));
  return isAbsent && Object.keys(map).length === 0 ? undefined : map;
}

function marks({ run, organizationId }: Pick<Context, "run" | "organizationId">, declared: Properties): Properties {
  const byDeclaration = declared.organizationId !== undefined && { [declaredOrganizationKey]: true };
  return { organizationId, ...versionMark, [originKey]: currentOrigin(run), ...byDeclaration };
}

/** The state after a change that sends nothing: properties were removed from the program, or an option changed. */
export function stateWithoutRequest(
  { run }: Context,
  definition: AnyDefinition,
  olds: Properties,
  declared: Properties,
): Properties {
  const outputs = pick(olds, [...Object.keys(definition.outputs.shape), writtenKey]);
  return { ...declared, ...outputs, ...marks({ run, organizationId: String(olds.organizationId) }, declared) };
}

/** The organization of a resource. Settings that name another one than the state are a mistake: a stack does not move. */
export function organizationOf(settings: Settings, declared: Properties, recorded?: Properties): string {
  if (typeof declared.organizationId === "string") return declared.organizationId;
  const managed = recorded?.organizationId;
  if (typeof managed !== "string") return settings.requiredOrganizationId();
  const organizationId = settings.organizationId();
  if (organizationId === undefined || organizationId === managed) return managed;
  const problem = `this stack manages organization ${managed}, but the settings name ${quoted(organizationId)}`;
  throw new SettingsError(
    `${problem}; correct DOCS_ORGANIZATION_ID or docs:organizationId, or use a separate stack for the other organization`,
    problem,
  );
}

/** The state in the shape of this version, with which every call of the engine begins. */
export const admitState = (run: Run, definition: AnyDefinition, state: Properties, steps?: readonly StateStep[]) =>
  refuseDamaged(run, definition, upgrade(definition.name, state, steps));

/**
 * Refuses a state whose properties do not have the types that every release has written: somebody has edited it, or it is
 * damaged. Its other properties may be wrong as well, so nothing is sent. Values are not checked, because a service may have new ones.
 */
function refuseDamaged(run: Run, { name, inputs, outputs }: AnyDefinition, state: Properties): Properties {
  const shape = { ...outputs.shape, ...inputs.shape };
  const recorded = Object.keys(shape).filter((key) => key in state);
  // States of older versions, and of creations that failed, lack outputs. A state with nothing but an organization records no inputs.
  const needed = recorded.some((key) => key !== "organizationId") ? Object.keys(inputs.shape) : [];
  const wrong = [...new Set([...recorded, ...needed])].filter((key) => !fits(shape[key] as z.ZodType, state[key]));
  // `refuseOtherService` decides about the state of another address, and gives the better reason.
  if (isOfFormerOrigin(run, state)) return state;
  refuseTwoIds(state);
  if (wrong.length === 0) return state;
  const are = wrong.length === 1 ? "is missing or has a wrong type" : "are missing or have a wrong type";
  throw new DocsError(
    `${name}: ${listNames(wrong)} in the state ${are}, so the state was edited by hand or is damaged, and nothing is changed; ` +
      "restore an earlier state with pulumi stack import, or remove the resource from the state with pulumi state delete and import it again",
  );
}

function refuseTwoIds({ user, userId }: Properties): void {
  const isNamedById = typeof user === "string" && !isEmail(user) && !containsUnknown(user);
  if (!isNamedById || typeof userId !== "string" || userId === user) return;
  throw new DocsError(
    `the state names ${user} and has the user id ${userId}: these are two people, so nothing is changed for either. ` +
      "The state was edited; correct it (pulumi stack export, pulumi stack import)",
  );
}

function fits(schema: z.ZodType, value: unknown): boolean {
  if (containsUnknown(value)) return true;
  // A service may send null for "absent".
  if (value === null && schema.safeParse(undefined).success) return true;
  return tolerant(schema).safeParse(value).success;
}

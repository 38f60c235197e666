import { isDeepStrictEqual } from "node:util";
import type { Context } from "../run/context";
import { currentOrigin, originKey } from "../run/origin";
import { defined, type Properties, pick, pickAll } from "../run/properties";
import { type Settings, SettingsError } from "../run/settings";
import type { AnyDefinition } from "./definition";
import { stateVersion, versionKey } from "./state-versions";

/** The property that holds the text of the dynamic host (see stub.ts), in the inputs and in the outputs. */
export const providerKey = "__provider";

/** Beside the version and the origin, the only property in the state that is neither declared nor of the service. */
const declaredOrganizationKey = "__organizationDeclared";

/**
 * Declared properties in a state or in inputs; the organization is one only where the declaration names it.
 * @internal
 */
export function declaredIn({ inputs }: AnyDefinition, properties: Properties): Properties {
  const declared = pick(properties, Object.keys(inputs.shape));
  if (versionKey in properties && !properties[declaredOrganizationKey]) delete declared.organizationId;
  return declared;
}

/**
 * Declared properties and outputs in a state.
 * @internal
 */
export function recordedIn(definition: AnyDefinition, state: Properties): Properties {
  return { ...declaredIn(definition, state), ...pick(state, Object.keys(definition.outputs.shape)) };
}

/**
 * What is stored: declared properties with their live values, everything else under names of its own.
 * @internal
 */
export function stateOf(definition: AnyDefinition, context: Context, live: unknown, declared: Properties): Properties {
  const values: Properties = definition.lifecycle.values(live, declared);
  const readable = Object.keys(declared).filter((name) => name in values);
  // What only looks different stays as declared, so that the engine has nothing to show.
  const changed = readable.filter((name) => !equalIn(definition, name, values[name], declared[name]));
  return defined({
    ...declared,
    ...pickAll(values, changed),
    ...definition.lifecycle.outputs(live),
    ...marks(context, declared),
  });
}

function equalIn({ equal }: AnyDefinition, name: string, a: unknown, b: unknown): boolean {
  return a !== undefined && (equal?.[name] ?? isDeepStrictEqual)(a, b);
}

function marks({ run, organizationId }: Pick<Context, "run" | "organizationId">, declared: Properties): Properties {
  const byDeclaration = declared.organizationId !== undefined && { [declaredOrganizationKey]: true };
  return { organizationId, [versionKey]: stateVersion, [originKey]: currentOrigin(run), ...byDeclaration };
}

/**
 * The state after properties left the program, or an option changed: nothing of it is news to the service.
 * @internal
 */
export function redeclared(
  { run }: Context,
  definition: AnyDefinition,
  olds: Properties,
  declared: Properties,
): Properties {
  const outputs = pick(olds, Object.keys(definition.outputs.shape));
  return { ...declared, ...outputs, ...marks({ run, organizationId: String(olds.organizationId) }, declared) };
}

/** A stack belongs to its organization: settings that name another one are a mistake, not a move. */
export function organizationOf(settings: Settings, declared: Properties, recorded?: Properties): string {
  if (typeof declared.organizationId === "string") return declared.organizationId;
  const managed = recorded?.organizationId;
  if (typeof managed !== "string") return settings.requiredOrganizationId();
  const organizationId = settings.organizationId();
  if (organizationId === undefined || organizationId === managed) return managed;
  const problem = `this stack manages organization ${managed}, the settings say ${organizationId}`;
  throw new SettingsError(
    `${problem}; correct DOCS_ORGANIZATION_ID or docs:organizationId, or use a stack of its own for the other organization`,
    problem,
  );
}

import { roleIn, textIn } from "../../access/assignments";
import { nothing, unknown } from "../../access-plan/place";
import type { ReviewPart } from "../../lifecycle/review";
import { isUnseen, type Properties } from "../../run/properties";
import type { Cause } from "./access";
import { definitionOf } from "./definitions";
import type { Preview, Resource } from "./preview";
import { changeOf, type ResourceChange } from "./properties";

/** The default role and team of a SAML provider, which people get at their first sign-in. */
export interface SignIn {
  readonly urn: string;
  readonly id?: string;
  readonly name: string;
  readonly label: string;
  /** `none` if the provider does not exist; `unknown` if a new provider does not declare it: then the service chooses. */
  readonly role: { readonly before: string; readonly after: string; readonly recorded?: string };
  readonly team: { readonly before: string; readonly after: string; readonly recorded?: string };
  /** A secret, or known only during the up. */
  readonly unseen?: true;
  readonly removed: boolean;
  readonly created: boolean;
  readonly cause: Cause;
}

/** The SAML providers that are created or removed, or whose default role or team changes. */
export const signInsOf = (preview: Preview): SignIn[] =>
  preview.resources.flatMap((resource) => {
    const defaults = definitionOf(resource)?.review?.signIn;
    const change = defaults && changeOf(resource, preview);
    if (!change) return [];
    const signIn = signInOf(resource, change, defaults);
    const { role, team, removed, created } = signIn;
    return removed || created || role.before !== role.after || team.before !== team.after ? [signIn] : [];
  });

function signInOf(resource: Resource, change: ResourceChange, defaults: SignInInputs): SignIn {
  const { urn, id, name, operation, live, declared } = resource;
  const before = operation === "create" ? undefined : live?.inputs;
  // An update leaves undeclared properties as they are.
  const after = operation === "delete" ? undefined : { ...(operation === "update" && live?.inputs), ...declared };
  const sideOf = (input: string, levelIn: (value: unknown) => string): SignIn["role"] => {
    const level = (properties: Properties | undefined) => levelOf(properties, input, levelIn);
    const isDrifted = change.properties.some((one) => one.name === input && "recorded" in one);
    return {
      before: level(before),
      after: level(after),
      ...(isDrifted && { recorded: level(resource.recorded?.inputs) }),
    };
  };
  const [role, team] = [sideOf(defaults.role, roleIn), sideOf(defaults.team, textIn)];
  const drifted = [role, team].filter(({ recorded }) => recorded !== undefined);
  return {
    urn,
    ...(id !== undefined && { id }),
    name,
    label: textIn((after ?? before)?.label ?? name),
    role,
    team,
    ...(Object.values(defaults).some((input) => isUnseen(after?.[input])) && { unseen: true as const }),
    removed: operation === "delete",
    created: operation === "create",
    cause: causeOf(drifted),
  };
}

function causeOf(drifted: readonly SignIn["role"][]): Cause {
  if (drifted.length === 0) return "declared";
  return drifted.every(({ after, recorded }) => after === recorded) ? "drift" : "both";
}

type SignInInputs = NonNullable<ReviewPart["signIn"]>;

function levelOf(properties: Properties | undefined, name: string, levelIn: (value: unknown) => string): string {
  if (!properties) return nothing;
  return properties[name] === undefined ? unknown : levelIn(properties[name]);
}

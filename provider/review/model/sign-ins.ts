import { roleIn, textIn } from "../../access/assignments";
import { nothing, unknown } from "../../access-plan/place";
import type { AnyDefinition } from "../../lifecycle/definition";
import type { ReviewPart } from "../../lifecycle/review";
import { isUnseen, type Properties, pick } from "../../run/properties";
import type { Cause } from "./access";
import { definitionOf } from "./definitions";
import type { Preview, Resource } from "./preview";
import { same } from "./properties";

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
export function signInsOf({ resources, refreshed }: Preview): SignIn[] {
  return resources
    .flatMap((resource) => {
      const { review: { signIn } = {} } = definitionOf(resource) ?? {};
      return signIn && resource.operation !== "same" ? [signInOf(resource, signIn, refreshed)] : [];
    })
    .filter(({ role, team, removed, created }) => {
      return removed || created || role.before !== role.after || team.before !== team.after;
    });
}

function signInOf(resource: Resource, defaults: SignInInputs, refreshed: boolean): SignIn {
  const { urn, id, name, operation, recorded, live, declared } = resource;
  const inputs = Object.values(defaults);
  const before = operation === "create" ? undefined : live?.inputs;
  // An update leaves undeclared properties as they are.
  const kept = operation === "update" ? pick(live?.inputs ?? {}, inputs) : {};
  const after = operation === "delete" ? undefined : { ...kept, ...declared };
  const sides = { before, after, recorded: refreshed ? recorded?.inputs : undefined };
  const definition = definitionOf(resource);
  const role = sidesOf(defaults.role, roleIn, sides, definition);
  const team = sidesOf(defaults.team, textIn, sides, definition);
  const drifted = "recorded" in role || "recorded" in team;
  return {
    urn,
    ...(id !== undefined && { id }),
    name,
    label: textIn((after ?? before ?? sides.recorded)?.label ?? name),
    role,
    team,
    ...(inputs.some((name) => isUnseen(after?.[name])) && { unseen: true as const }),
    removed: operation === "delete",
    created: operation === "create",
    cause: !drifted ? "declared" : [role, team].every(setBack) ? "drift" : "both",
  };
}

const setBack = ({ after, recorded }: SignIn["role"]) => recorded === undefined || after === recorded;

type SignInInputs = NonNullable<ReviewPart["signIn"]>;

interface Sides {
  readonly before: Properties | undefined;
  readonly after: Properties | undefined;
  readonly recorded: Properties | undefined;
}

function sidesOf(
  name: string,
  levelIn: (value: unknown) => string,
  { before, after, recorded }: Sides,
  definition: AnyDefinition | undefined,
): SignIn["role"] {
  const level = (properties: Properties | undefined) => {
    if (!properties) return nothing;
    return properties[name] === undefined ? unknown : levelIn(properties[name]);
  };
  const drifted = recorded !== undefined && !same(definition, name, recorded[name], before?.[name]);
  return { before: level(before), after: level(after), ...(drifted && { recorded: level(recorded) }) };
}

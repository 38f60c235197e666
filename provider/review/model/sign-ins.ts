import { type Properties, pick } from "../../run/properties";
import type { Cause } from "./access";
import { nothing, roleIn, textIn, unknown } from "./holdings";
import { isUnseen } from "./masks";
import type { Preview, Resource } from "./preview";
import { same } from "./properties";

/** What everybody gets who signs in with a SAML provider for the first time. */
export interface SignIn {
  readonly urn: string;
  readonly id?: string;
  readonly name: string;
  readonly label: string;
  /** `none` where there is no such provider; `unknown` of a new one that does not declare it: the service has a default of its own. */
  readonly role: { readonly before: string; readonly after: string; readonly recorded?: string };
  readonly team: { readonly before: string; readonly after: string; readonly recorded?: string };
  /** A secret, or known only during the up. */
  readonly unseen?: true;
  readonly removed: boolean;
  readonly created: boolean;
  readonly cause: Cause;
}

export const signInDefaults: readonly string[] = ["defaultRole", "defaultTeam"];

/** The SAML providers in the preview whose default role or team changes, and those that come or go. */
export function signInsOf({ resources, refreshed }: Preview): SignIn[] {
  return resources
    .filter(({ ours, type, operation }) => ours && type === "SamlProvider" && operation !== "same")
    .map((resource) => signInOf(resource, refreshed))
    .filter(({ role, team, removed, created }) => {
      return removed || created || role.before !== role.after || team.before !== team.after;
    });
}

function signInOf(resource: Resource, refreshed: boolean): SignIn {
  const { urn, id, name, operation, recorded, live, declared } = resource;
  const before = operation === "create" ? undefined : live?.inputs;
  // What an update does not declare is not managed, and stays as it is.
  const kept = operation === "update" ? pick(live?.inputs ?? {}, signInDefaults) : {};
  const after = operation === "delete" ? undefined : { ...kept, ...declared };
  const state = refreshed ? recorded?.inputs : undefined;
  const role = sidesOf("defaultRole", before, after, state);
  const team = sidesOf("defaultTeam", before, after, state);
  const drifted = "recorded" in role || "recorded" in team;
  return {
    urn,
    ...(id !== undefined && { id }),
    name,
    label: textIn((after ?? before ?? state)?.label ?? name),
    role,
    team,
    ...(signInDefaults.some((name) => isUnseen(after?.[name])) && { unseen: true as const }),
    removed: operation === "delete",
    created: operation === "create",
    cause: !drifted ? "declared" : [role, team].every(setBack) ? "drift" : "both",
  };
}

const setBack = ({ after, recorded }: SignIn["role"]) => recorded === undefined || after === recorded;

function sidesOf(
  name: "defaultRole" | "defaultTeam",
  before: Properties | undefined,
  after: Properties | undefined,
  state: Properties | undefined,
): SignIn["role"] {
  const level = (properties: Properties | undefined) => {
    if (!properties) return nothing;
    if (properties[name] === undefined) return unknown;
    return name === "defaultRole" ? roleIn(properties[name]) : textIn(properties[name]);
  };
  const drifted = state !== undefined && !same(name, state[name], before?.[name]);
  return { before: level(before), after: level(after), ...(drifted && { recorded: level(state) }) };
}

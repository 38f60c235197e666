import { nothing, secret, unknown } from "../../access-plan/place";
import { type SafeText, safeText } from "../../text/safe-text";
import { type Risk, risk } from "../model/risk";
import type { SignIn } from "../model/sign-ins";

export function signInRisks(signIn: SignIn): Risk[] {
  const { urn, name, label, removed } = signIn;
  const who = safeText`everyone who signs in with ${label} for the first time`;
  if (removed) {
    return [
      risk(
        "sign-in-removed",
        "high",
        name,
        safeText`nobody can sign in with ${label} after the change: the provider is removed`,
        urn,
      ),
    ];
  }
  return [...defaultRoleRisks(signIn, who), ...defaultTeamRisks(signIn, who)];
}

function defaultRoleRisks({ urn, name, role, created }: SignIn, who: SafeText): Risk[] {
  if (role.before === role.after) return [];
  if (role.after === "admin") {
    return [risk("sign-in-default", "high", name, safeText`${who} becomes an administrator`, urn)];
  }
  const hidden = [unknown, secret].includes(role.after);
  if (created && !hidden) return [];
  const text = hidden
    ? safeText`the role of ${who} is not visible in the preview`
    : safeText`${who} gets the role ${role.after} (${role.before} until now)`;
  return [risk("sign-in-default", hidden ? "high" : "medium", name, text, urn)];
}

/** The API document does not mention a team by default, so an undeclared team is no risk. */
function defaultTeamRisks({ urn, name, team, created }: SignIn, who: SafeText): Risk[] {
  if (team.before === team.after || created || [unknown, nothing].includes(team.after)) return [];
  const hidden = team.after === secret;
  const text = hidden
    ? safeText`the team of ${who} is not visible in the preview`
    : safeText`${who} gets into team ${team.after}`;
  return [risk("sign-in-default", hidden ? "high" : "medium", name, text, urn)];
}

import type { AccessPlan } from "../../access-plan/access-plan";
import type { AccessChange } from "../../access-plan/change";
import type { AccessFinding } from "../../access-plan/findings";
import { keyOfPlace, type Place, unknown } from "../../access-plan/place";
import type { RiskKind } from "../../lifecycle/risk-kinds";
import { nameIn } from "../../run/urn";
import { joined, listFirst, safeText, trusted } from "../../text/safe-text";
import { undeclaredAdministrators } from "../../text/shared-sentences";
import { organizationsOf, takesTeam } from "../model/access-input";
import { notesIn, notesName } from "../model/component-notes";
import { showsTeam } from "../model/declarations";
import type { GrantEnd } from "../model/grant-ends";
import type { PassedOn } from "../model/people";
import type { Preview } from "../model/preview";
import type { Review } from "../model/review";
import { type Risk, risk } from "../model/risk";
import { placeWords, teamWords } from "../model/sentences";

export interface Sources {
  readonly preview: Preview;
  readonly plan: AccessPlan;
  readonly findings: readonly AccessFinding[];
}

type ReviewedFacts = Pick<Review, "people" | "passedOn" | "grantEnds" | "teams" | "organizations">;

/** Risks of facts that no single change shows. */
export function findingRisks(review: ReviewedFacts, { preview, plan, findings }: Sources): Risk[] {
  const names = new Map(review.people.map(({ id, name }) => [id, name]));
  const nameOf = ({ person }: AccessChange) => names.get(person.id) ?? person.id;
  const ofFindings = findings.flatMap((finding): Risk[] => {
    if (finding.kind === "two managers") return [secondManager(finding.change, nameOf(finding.change), review)];
    if (finding.kind !== "no owner") return [];
    const owners = listFirst(finding.losing.map(nameOf));
    const what = finding.isDissolved
      ? "is dissolved: nobody stays in it"
      : "is left without an owner that this stack knows of";
    const text = safeText`${placeWords(finding.place, review)} ${trusted(what)} (until now: ${owners})`;
    return [risk("team-without-owner", "high", finding.place.team ?? "", text)];
  });
  return [
    ...ofFindings,
    ...ownerlessTeams(plan).map((place) => {
      const text = safeText`${placeWords(place, review)} has no owner in this declaration`;
      return risk("team-without-owner", "high", place.team ?? "", text);
    }),
    ...review.passedOn.map((one) => passedOnRisk(one, plan)),
    ...review.grantEnds.filter(({ longer }) => longer).map((one) => longerGrant(one, review)),
    ...review.grantEnds.filter(({ beginsLater }) => beginsLater).flatMap((one) => laterGrant(one, review)),
    ...unseenPeople(preview, plan, review),
    ...undeclaredAdmins(preview),
  ];
}

/**
 * Only the component of an organization knows these administrators. It warns of them instead of noting them: notes are inputs, which
 * must be the same if the declaration is. The notes here only name the organization.
 */
function undeclaredAdmins({ diagnostics, resources }: Preview): Risk[] {
  // A refused preview lists the warning itself.
  if (diagnostics.some(({ severity }) => severity === "error")) return [];
  return diagnostics.flatMap(({ severity, text, urn = "" }) => {
    if (severity !== "warning" || !text.startsWith(undeclaredAdministrators)) return [];
    const notes = notesIn(
      resources.find(({ component, name }) => component && name === notesName(nameIn(urn)))?.declared,
    );
    const names = text.slice(`${undeclaredAdministrators}: `.length);
    const sentence = safeText`${trusted(undeclaredAdministrators)}: ${names}; add a line with the role that each must have`;
    return [risk("undeclared-administrator", "high", notes?.organization ?? nameIn(urn), sentence)];
  });
}

/** Two resources for one person in one place undo each other. Each host refuses only its own second declaration. */
function secondManager({ declaredBy, place, person }: AccessChange, name: string, review: ReviewedFacts): Risk {
  const declarations = declaredBy.map(({ name: resource, declared }) => {
    const isOfPerson = (one: { place: Place; user: string }) =>
      one.user === person.id && keyOfPlace(one.place) === keyOfPlace(place);
    return safeText`${resource} (${declared?.assignments.find(isOfPerson)?.level ?? unknown})`;
  });
  const text = safeText`${name} is declared twice, ${placeWords(place, review)}: by ${joined(declarations, " and ")}; the up decides which one wins, so remove one`;
  return risk("declared-twice", "high", person.id, text);
}

/** Whole teams that nobody managed before, and that have no owner. A team that loses its owners has a finding. */
function ownerlessTeams(plan: AccessPlan): Place[] {
  const { managers } = plan.input;
  const managedBefore = new Set(managers.flatMap(({ area, recorded }) => (area && recorded ? keyOfPlace(area) : [])));
  return managers.flatMap(({ area, declared }) => {
    if (area?.kind !== "team" || !declared?.assignments.length || managedBefore.has(keyOfPlace(area))) return [];
    const owners = [...plan.holders("owner", area, "before"), ...plan.holders("owner", area, "after")];
    return owners.length === 0 ? [area] : [];
  });
}

/** Declared access goes to another person. */
function passedOnRisk({ email, before, now, kept }: PassedOn, { input }: AccessPlan): Risk {
  const isDeclared = input.managers.some(({ declared }) =>
    declared?.assignments.some(({ user }) => user === now || user === before),
  );
  const gets = isDeclared ? ", who gets the access that is declared for it" : "";
  const stays = kept ? ", who keeps what the state still has" : "";
  const text = safeText`${email} now belongs to ${now}${trusted(gets)} (when the stack last ran, it belonged to ${before}${trusted(stays)})`;
  return risk("email-passed-on", "high", now, text);
}

/** A grant that lasts longer, or gives more afterwards. A change of access does not show it. */
function longerGrant({ id, name, place, before, after, level }: GrantEnd, review: ReviewedFacts): Risk {
  const severity = level === "admin" || after.then === "admin" ? "high" : "medium";
  const instead = before.then === undefined ? safeText`` : safeText`, not ${before.then}`;
  const isSameDay = before.expires === undefined || after.expires === before.expires;
  const later = isSameDay
    ? safeText`becomes ${after.then ?? ""} after ${after.expires ?? ""}${instead}`
    : safeText`ends on ${after.expires ?? ""} instead of ${before.expires ?? ""}`;
  const what = after.expires === undefined ? safeText`no longer has an end (${before.expires ?? ""} until now)` : later;
  return risk("grant-extended", severity, id, safeText`the grant of ${name} (${placeWords(place, review)}) ${what}`);
}

/** A grant that makes somebody an administrator or the owner of a team later. */
function laterGrant({ id, name, place, after, level }: GrantEnd, review: ReviewedFacts): Risk[] {
  const kinds: Readonly<Record<string, RiskKind>> = { admin: "new-administrator", owner: "new-team-owner" };
  const { from = "", expires = "", then = "" } = after;
  const highest = level !== "admin" && then in kinds ? then : level;
  const kind = kinds[highest];
  if (kind === undefined) return [];
  const when = highest === level ? safeText`from ${from}` : safeText`after ${expires}`;
  const text = safeText`${name} (${placeWords(place, review)}) becomes ${highest} ${when}`;
  return [risk(kind, highest === "admin" ? "high" : "medium", id, text)];
}

/** Members who are removed from a team that becomes managed, and who are not in the preview. */
function unseenPeople(preview: Preview, plan: AccessPlan, { teams }: ReviewedFacts): Risk[] {
  const organizationOf = organizationsOf(preview);
  return preview.resources.flatMap((resource) => {
    const { declared = {} } = resource;
    if (declared.exclusive !== true || !takesTeam(resource)) return [];
    if (showsTeam(plan, declared, organizationOf(resource))) return [];
    const team = String(declared.teamId);
    const text = safeText`everybody in team ${teamWords(team, teams)} who is not declared is removed, and this preview does not name them (exclusive)`;
    return [risk("team-unseen-people", "high", team, text)];
  });
}

import { stringsIn } from "../../access/assignments";
import { newIdMark, type Plan, type PlannedAccess, type PlannedResource, usersOf } from "../../access/plan-file";
import { nothing, secret, unknown } from "../../access-plan/place";
import { plannedText } from "../../lifecycle/planned";
import type { PropertyChange } from "../../lifecycle/review";
import { compareKeys, idAmong, userKey } from "../../people/user";
import { resourceAt } from "../../resources/urns";
import { isUnseen, unknownValue } from "../../run/properties";
import { Settings } from "../../run/settings";
import { organizationType, typesIn } from "../../run/urn";
import { type Access, groupOf, type PersonReview } from "../model/access";
import { type DeclaredChange, ofSettings, organizationKey } from "../model/declarations";
import { definitionAt } from "../model/definitions";
import { endText, type GrantEnd } from "../model/grant-ends";
import type { ResourceChange } from "../model/properties";
import type { Review } from "../model/review";

export function planOf(review: Review, made = new Settings().now()): Plan {
  const { project, stack, organizations, origin, refreshed, partial, refusals } = review;
  // A state may have such an e-mail for somebody who has left.
  const unjoined = new Set(review.people.flatMap(({ id, userId }) => (userId === undefined ? id : [])));
  return {
    format: "docs-org plan",
    version: 2,
    made: made.toISOString(),
    project,
    stack,
    organizations: [...organizations],
    origin,
    refused: refusals.length > 0,
    refreshed,
    partial,
    users: usersOf([
      ...review.people.map(({ keys }) => keys.filter((key) => !unjoined.has(key))),
      ...review.passedOn.filter(({ kept }) => kept).map(({ email, before }) => [userKey(email), before]),
    ]),
    ...(review.approvals.length > 0 && {
      approvals: review.approvals.map(({ what, approvers, becomes }) => ({
        what,
        approvers: [...approvers],
        ...(becomes && { becomes: [...becomes] }),
      })),
    }),
    access: sorted([
      ...review.people.flatMap((person) => person.access.flatMap((one) => plannedAccess(one, person))),
      ...review.grantEnds.map(plannedEnd),
      ...review.changes.flatMap((change) => restOfTeam(change, review)),
    ]),
    resources: sorted(review.changes.map(plannedResource)),
  };
}

const sorted = <One extends object>(all: readonly One[]): One[] =>
  [...all].sort((a, b) => compareKeys(JSON.stringify(a), JSON.stringify(b)));

/** The change of access as the plan has it, and that of the options of its release. */
function plannedAccess(access: Access, { keys, userId, hidden }: PersonReview): PlannedAccess[] {
  const { place, before, after, grant, isOther, releaseOptions: options } = access;
  const isHidden = hidden || [after, place.team].some((level) => level === secret || level === unknown);
  const user = { userId, keys: [...keys] };
  const one = { place, user, before, after, ...(isHidden && { hidden: true as const }), ...(isOther && { isOther }) };
  const change = changeIn(access);
  // The end of a grant no longer matters to a person who loses the access.
  const end = change !== "loses" && grant?.expires !== undefined ? { end: endText(grant) } : {};
  const isListed = options && (access.effect !== "none" || change === "accepted" || options.before !== options.after);
  return [
    ...(change === undefined ? [] : [{ ...one, change, ...end }]),
    ...(isListed ? [{ ...one, change: "options" as const, options: options.after }] : []),
  ];
}

function changeIn(access: Access): PlannedAccess["change"] | undefined {
  if (access.effect !== "none") return access.effect;
  const group = groupOf(access);
  if (group === "released") return "left";
  return group === "accepted" ? group : undefined;
}

function plannedEnd({ keys, place, after, level, beginsLater }: GrantEnd): PlannedAccess {
  const user = { userId: idAmong(keys), keys: [...keys] };
  const end = beginsLater ? `${level} ${endText(after)}` : endText(after);
  return { place, user, before: level, after: level, change: "end", end };
}

/** A new whole team with `exclusive` removes everybody else. If no component shows these people, `declared` has the `members`. */
function restOfTeam({ urn, declared }: DeclaredChange, { organizations, people }: Review): PlannedAccess[] {
  const { members, teamId, organizationId } = declared;
  if (resourceAt(urn) === undefined || !Array.isArray(members)) return [];
  const organization = isUnseen(organizationId) ? (organizations[0] ?? "") : String(organizationId);
  const place = { kind: "team", team: String(teamId), organization } as const;
  const named = members.map(String);
  // A declared person stays, also if the e-mail has changed since.
  const ids = people.flatMap(({ keys, userId }) => (userId && keys.some((key) => named.includes(key)) ? [userId] : []));
  const user = { keys: [], except: [...new Set([...named, ...ids, ...stringsIn(declared.ignore)])].sort(compareKeys) };
  return [{ place, user, before: unknown, after: nothing, change: "loses" }];
}

function plannedResource(change: DeclaredChange): PlannedResource {
  const { urn, type, name, id, operation, retained, properties, declared, namesOrganization, unseen } = change;
  const newSites = new Map(properties.map((one) => [one.name, newSiteOf(one, change)]));
  const isHidden = (property: string) => newSites.get(property) === undefined && isUnseen(declared[property]);
  const text = (property: string) => {
    const site = newSites.get(property);
    if (site !== undefined) return newIdMark + site;
    const isOfSettings = property === organizationKey && !namesOrganization;
    const later = isOfSettings ? ofSettings : "known during the up";
    return plannedText(definitionAt(urn), property, declared[property]).replaceAll(unknownValue, later);
  };
  const names = Object.keys(declared).sort(compareKeys);
  return {
    urn,
    type,
    name,
    id: operation === "create" ? undefined : id,
    operation,
    retained,
    properties: Object.fromEntries(names.map((one) => [one, text(one)])),
    changed: properties.map((one) => one.name),
    hidden: names.filter(isHidden),
    ...(unseen && { unseen }),
  };
}

/**
 * The URN of the new site whose id the property gets, if one component declares both. Only the component is trusted to pass the id
 * as it is: in another program, an unknown value may be computed from any output of the site.
 */
function newSiteOf({ name, after, sources = [] }: PropertyChange, { urn }: ResourceChange): string | undefined {
  const [site, ...others] = sources;
  if (name !== "siteId" || after !== unknownValue || site === undefined || others.length > 0) return undefined;
  const isSite = isOfComponent(site) && resourceAt(site) === "Site";
  return isSite && isOfComponent(urn) ? site : undefined;
}

/** A resource of an organization's component at the top of a stack. */
const isOfComponent = (urn: string): boolean =>
  typesIn(urn).length === 2 && typesIn(urn)[0] === organizationType && resourceAt(urn) !== undefined;

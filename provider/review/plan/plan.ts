import { canonical, compared, type Entry, type Plan, usersOf } from "../../access/plan-file";
import { nothing, secret, unknown } from "../../access-plan/place";
import type { PropertyChange } from "../../lifecycle/review";
import { userKey } from "../../people/user";
import { isUnseen, type Properties, unknownValue } from "../../run/properties";
import { plain } from "../../text/words";
import { type Access, isAccepted, isLeft } from "../model/access";
import { endText, type GrantEnd } from "../model/grant-ends";
import type { ResourceChange } from "../model/properties";
import type { Review } from "../model/review";
import { levelWords, missingWords, placeWords } from "../model/sentences";
import { listed, unseen } from "./declared-text";
import { isHidden, isListed, isListedUnseen, isOfNewSite } from "./listed";

export function planOf(review: Review): Plan {
  const { project, stack, organizations, refreshed, partial, refusals } = review;
  const entries = [
    ...accessEntries(review),
    ...review.grantEnds.map((one) => endEntry(one, review)),
    ...signInEntries(review),
    ...riskEntries(review),
    ...[...review.sites, ...review.translations, ...review.others].flatMap(resourceEntries),
    ...accessResourceEntries(review),
  ];
  const releases = releaseEntries(review);
  const position = ({ kind, subject, what, urn }: Entry) => JSON.stringify([kind, subject, what, urn]);
  return {
    format: "docs-org plan",
    version: 1,
    project,
    stack,
    organizations: [...organizations],
    refused: refusals.length > 0,
    refreshed,
    partial,
    users: usersOf([
      ...review.people.map(({ keys }) => keys),
      ...review.passedOn.filter(({ kept }) => kept).map(({ email, before }) => [userKey(email), before]),
    ]),
    declared: declaredIn(review, entries),
    entries: entries.sort((a, b) => compared(position(a), position(b))),
    releases: releases.sort((a, b) => compared(position(a), position(b))),
  };
}

function declaredIn(review: Review, entries: readonly Entry[]): Record<string, Record<string, string>> {
  const isTold = isListedUnseen(review, entries);
  const text = (urn: string, name: string, value: unknown) =>
    !isUnseen(value) ? canonical(value) : isTold(urn, name) ? listed : unseen;
  const texts = (urn: string, declared: Properties) =>
    Object.fromEntries(Object.entries(declared).map(([name, value]) => [name, text(urn, name, value)]));
  const sorted = Object.entries(review.declarations).sort(([a], [b]) => compared(a, b));
  return Object.fromEntries(sorted.map(([urn, declared]) => [urn, texts(urn, declared)]));
}

/** The release options of each person whose access or options change. */
function releaseEntries(review: Review): Entry[] {
  return review.people.flatMap(({ id: subject, keys, access }) =>
    access.flatMap((one): Entry[] => {
      const { place, effect, releaseOptions: options } = one;
      if (!options || (effect === "none" && !isAccepted(one) && options.before === options.after)) return [];
      const where = plain(placeWords(place, { organizations: review.organizations, teams: {} }));
      const text = options.after.replaceAll(unknownValue, "known during the up");
      const what = text === "{}" ? "declared without release options" : `declared with ${text}`;
      return [{ kind: "change", what: `${where}: ${what}`, subject, keys: [...keys] }];
    }),
  );
}

function accessEntries(review: Review): Entry[] {
  return review.people.flatMap(({ id: subject, keys, access, hidden }) => {
    return access.filter(isListed).map((one): Entry => {
      const outcome = whatOf(one, review);
      return {
        kind: kinds[one.effect],
        what: outcome + restOf(one),
        subject,
        keys: [...keys],
        outcome,
        ...(isAccepted(one) && { done: true as const }),
        ...(isHidden(one, hidden) && { hidden: true as const }),
      };
    });
  });
}

/** The end of the grant, which matters only for access that the person keeps or gains. */
function restOf(access: Access): string {
  const { effect, grant } = access;
  if (isLeft(access)) return ", no longer managed";
  if (isAccepted(access)) return ", as it was changed by hand";
  return effect === "loses" || grant?.expires === undefined ? "" : ` ${endText(grant)}`;
}

function endEntry({ id: subject, keys, place, after }: GrantEnd, { organizations }: Review): Entry {
  const where = plain(placeWords(place, { organizations, teams: {} }));
  return { kind: "change", what: `${where}: granted ${endText(after)}`, subject, keys: [...keys] };
}

const kinds = { gains: "grant", loses: "removal", changes: "change", none: "change" } as const;

/** Only the level after the change: the kind of the entry says the direction. */
function whatOf({ place, after }: Access, { organizations }: Review): string {
  return plain([...placeWords(place, { organizations, teams: {} }), " ", ...levelWords(after, place.kind)]);
}

function signInEntries({ signIns }: Review): Entry[] {
  return signIns.map((one) => {
    const { role, team, removed, created, unseen } = one;
    const what = removed
      ? "removed"
      : `first sign-in: role ${levelOf(role.after, "its own choice")}, team ${levelOf(team.after, "its own choice")}`;
    return {
      kind: removed ? "removal" : "grant",
      what,
      subject: one.name,
      ...identityOf({ ...one, operation: created ? "create" : "update" }),
      ...(unseen && { hidden: true as const }),
    };
  });
}

const levelOf = (level: string, own: string) =>
  ({ [unknown]: own, [nothing]: "none", [secret]: "secret" })[level] ?? level;

/** A risk of a person has all names of the person: a later preview may know other ones. */
function riskEntries({ risks, people }: Review): Entry[] {
  const keys = new Map(people.map((person) => [person.id, [...person.keys]]));
  return risks.map(({ kind, subject, text }) => {
    const names = keys.get(subject);
    // No other entry shows the guards, so the text, which says which guard protects less, must be compared.
    const what = kind === "guards-weaker" ? text : kind;
    return { kind: "risk", what, subject, ...(names && { keys: names }) };
  });
}

/** Access resources whose options change, too, have their entries among the other resources. */
function accessResourceEntries({ accessResources, others }: Review): Entry[] {
  const listed = new Set(others.filter(({ retained }) => !retained).map(({ urn }) => urn));
  return accessResources
    .filter(({ urn }) => !listed.has(urn))
    .map((one) => ({ kind: "resource", what: one.operation, ...resourceOf(one) }));
}

/** One entry for each property: if a part of the change was already made outside Pulumi, the rest still counts as reviewed. */
function resourceEntries(change: ResourceChange): Entry[] {
  const resource = resourceOf(change);
  const { properties, unseen } = change;
  return [
    { kind: "resource", what: operationOf(change), ...resource, ...(unseen && { hidden: true as const }) },
    ...properties.map((one): Entry => {
      const hidden = isUnseen(one.after) && !isOfNewSite(one, change);
      const what = `${one.name}: ${valueText(one, change)}`;
      return { kind: "resource", what, ...resource, ...(hidden && { hidden: true as const }) };
    }),
  ];
}

const operationOf = ({ operation, retained }: ResourceChange): string =>
  retained ? `${operation}, and the old one stays (${retained})` : operation;

function valueText(property: PropertyChange, change: ResourceChange): string {
  if (!("after" in property)) return missingWords(property);
  if (isOfNewSite(property, change)) return `the id of ${property.sources?.join()}`;
  return canonical(property.after).replaceAll(unknownValue, "known during the up");
}

type Named = Pick<ResourceChange, "urn" | "type" | "name" | "id" | "operation">;

const resourceOf = (one: Named): Pick<Entry, "subject" | "urn" | "id"> => ({
  subject: `${one.type} ${one.name}`,
  ...identityOf(one),
});

/** A resource that is created has no id yet, and one that is created again gets another id. */
const identityOf = ({ urn, id, operation }: Omit<Named, "type" | "name">): Pick<Entry, "urn" | "id"> => ({
  urn,
  ...(id !== undefined && operation !== "create" && { id }),
});

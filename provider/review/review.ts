import { isDeepStrictEqual } from "node:util";
import { listNames } from "../access/carry-out";
import type { AccessPlan } from "../access-plan/access-plan";
import { findingsOf } from "../access-plan/findings";
import { occasionsOf } from "../access-plan/release";
import { usableAddress } from "../api/http/base-url";
import { optionsIn } from "../lifecycle/manager";
import type { PropertyChange, ReviewPart } from "../lifecycle/review";
import type { Message } from "../report/report";
import { withMark } from "../text/foreign";
import { plain, type SafeText, safeText } from "../text/safe-text";
import {
  certificateChange,
  explainedElsewhere,
  leftOrganization,
  lossesOfNewPeople,
  undeclaredAdministrators,
} from "../text/shared-sentences";
import { planPeople } from "./model/access";
import { organizationsOf, readAccess } from "./model/access-input";
import { approvalsOf } from "./model/approvals";
import { notesOf } from "./model/component-notes";
import { declaredChangesOf } from "./model/declarations";
import { definitionAt } from "./model/definitions";
import { type End, isGivenIn, listEnds, providersIn, type Within } from "./model/ends";
import { grantEndsOf, laterGrantsOf } from "./model/grant-ends";
import { movedIn } from "./model/moved-resources";
import { type Preview, resourceIn } from "./model/preview";
import { changeOf, type ResourceChange, titleOf } from "./model/properties";
import type { Content, Review, Verdict } from "./model/review";
import { placeWords } from "./model/sentences";
import { risksOf } from "./risks/risks";
import { verdictOf } from "./verdict";

export interface ReviewOptions {
  /** The preview ran with `--target` or `--exclude`. Only a refreshed preview shows that itself. */
  readonly partial?: boolean;
  /** The organization of the environment, which wins over the configuration. */
  readonly organizationId?: string | undefined;
  /** The address of the service in the environment, which wins as well. */
  readonly baseUrl?: string | undefined;
  /** The user of the token, if the environment names it: the service does not. */
  readonly tokenUser?: string | undefined;
  /** Lists what begins or ends within an age. */
  readonly within?: (Within & { readonly token?: string | undefined }) | undefined;
  /** Limits that the preview does not show itself, such as those of a variable. The first line of the review begins with them. */
  readonly limits?: readonly string[];
}

export function reviewOf(given: Preview, options: ReviewOptions = {}): Review {
  const { organizationId } = options;
  const fromEnvironment = organizationId ? { "docs:organizationId": organizationId } : {};
  const preview: Preview = { ...given, config: { ...given.config, ...fromEnvironment } };
  const access = readAccess(preview);
  const { plan, people } = planPeople(access);
  const changes = preview.resources
    .filter(({ component }) => !component)
    .flatMap((resource) => changeOf(resource, preview) ?? [])
    .map(withTitleOfSite(preview));
  const changesOf = (section: ReviewPart["section"]) => changes.filter((one) => partOf(one).section === section);
  const grantEnds = [...grantEndsOf(people), ...laterGrantsOf(plan, access.people)];
  const content = {
    people,
    passedOn: access.people.passedOn,
    grantEnds,
    approvals: approvalsOf(preview, { people, grantEnds }),
    moved: movedIn(people),
    teams: titlesIn(preview),
    saml: changesOf("saml"),
    sites: changesOf("sites"),
    translations: changesOf("translations"),
    others: changesOf(undefined).flatMap(otherOf),
    refreshed: preview.refreshed,
    partial: preview.partial || options.partial === true,
    unguarded: unguardedIn(preview),
    ends: endsIn(preview, plan, options),
    changes: declaredChangesOf(preview, plan),
    ...messagesOf(preview),
  };
  const { project, stack } = preview;
  const organizations = organizationsIn(preview);
  const warnings = [...content.warnings, ...absentIn(plan, { ...content, organizations })];
  const sources = { plan, findings: findingsOf(plan), preview };
  const risks = risksOf({ ...content, organizations }, sources, options.tokenUser);
  return {
    version: 1,
    project,
    stack,
    organizations,
    ...originOf(options.baseUrl ?? preview.config["docs:baseUrl"]),
    verdict: withLimits(verdictOf({ ...content, risks }), options.limits),
    ...content,
    warnings,
    risks,
  };
}

function organizationsIn(preview: Preview): string[] {
  const organizationOf = organizationsOf(preview);
  const all = preview.resources.filter(({ isOwn }) => isOwn);
  // A component has no organization itself, only its resources. Without any, the settings say the organization of the component.
  const resources = all.filter(({ component }) => !component);
  const ids = (resources.length > 0 ? resources : all).map((resource) => organizationOf(resource));
  return [...new Set(ids)].filter(Boolean).sort();
}

function withLimits(verdict: Verdict, limits: readonly string[] = []): Verdict {
  const words = [...limits.flatMap((limit): SafeText => safeText`${limit}: `), ...verdict.words];
  return { ...verdict, words, text: plain(words) };
}

function originOf(baseUrl: unknown): Pick<Review, "origin"> {
  const origin = typeof baseUrl === "string" ? usableAddress(baseUrl) : undefined;
  return origin === undefined ? {} : { origin };
}

/** The parts of a site have its id as their title, unless the preview has the site. */
function withTitleOfSite({ resources }: Preview): (change: ResourceChange) => ResourceChange {
  const sites = resources.filter(({ isOwn, type }) => isOwn && type === "Site");
  const titles = new Map(sites.map((site) => [site.id, titleOf(site)]));
  return (change) => {
    const title = change.title === undefined ? undefined : titles.get(change.title);
    return title === undefined ? change : { ...change, title };
  };
}

const partOf = ({ urn }: ResourceChange): ReviewPart => definitionAt(urn)?.review ?? {};

/** The changes of an access resource are listed with the people. Only its options are left. */
function otherOf(change: ResourceChange): ResourceChange[] {
  if (!partOf(change).access) return [change];
  const isNew = change.operation === "create";
  const properties = change.properties.filter((one) => {
    const isListedWithPeople = (isNew && optionsOfPeople.includes(one.name)) || onlyNamesPeople(one);
    return one.selection || (one.option && !isListedWithPeople);
  });
  return properties.length > 0 && change.operation !== "delete" ? [{ ...change, properties }] : [];
}

/** Options that need no line for a new resource: the people that it removes are listed, and it releases nobody yet. */
const optionsOfPeople = ["exclusive", "onRelease", "allowRaise", "allowRaiseOf"];

/** Whether only `people` of `onRelease` differs: the people whose grants have ended. The end of each grant is listed as a change of access. */
function onlyNamesPeople({ name, before, after }: PropertyChange): boolean {
  const withoutPeople = (onRelease: unknown) => ({ ...occasionsOf(optionsIn({ onRelease })), people: undefined });
  return name === "onRelease" && isDeepStrictEqual(withoutPeople(before), withoutPeople(after));
}

/** The titles of teams by id, as declared, or as the state has them. */
function titlesIn(preview: Preview): Record<string, string> {
  const notes = [...notesOf(preview, "recorded"), ...notesOf(preview, "declared")];
  return Object.fromEntries(notes.flatMap(({ teams = [] }) => teams.map(({ id, title }) => [id, title])));
}

function endsIn(preview: Preview, plan: AccessPlan, { within }: ReviewOptions): End[] {
  if (!within) return [];
  const grants = notesOf(preview, "declared").flatMap((notes) => notes.grants ?? []);
  const providers = providersIn(preview.resources);
  return listEnds({ grants, isGiven: isGivenIn(plan), providers, token: within.token }, within);
}

/** The organizations whose declarations limit neither the number of administrators nor that of removals. */
const unguardedIn = (preview: Preview): string[] =>
  notesOf(preview, "declared").flatMap(({ organization, guards: { minAdmins, maxRemovals } = {} }) =>
    minAdmins === undefined && maxRemovals === undefined ? [organization] : [],
  );

function messagesOf({ diagnostics, resources }: Preview): Pick<Content, "refusals" | "warnings"> {
  const names = new Map(resources.map(({ urn, type, name }) => [urn, `${type} ${name}`]));
  const messagesWith = (wanted: "error" | "warning"): Message[] =>
    diagnostics
      .filter(({ severity }) => severity === wanted)
      .map(({ text, urn }) => {
        const resource = urn === undefined ? undefined : (names.get(urn) ?? resourceIn(urn));
        return { text, ...(resource !== undefined && { resource }) };
      });
  const refusals = withoutRepetitions(messagesWith("error"));
  // A complete review lists all of this itself, among the changes or the risks.
  const shown = [lossesOfNewPeople, undeclaredAdministrators, certificateChange];
  const isShown = ({ text }: Message) => refusals.length === 0 && shown.some((words) => text.startsWith(words));
  return { refusals, warnings: messagesWith("warning").filter((one) => !isShown(one)) };
}

/** Declared people who have left, unless the component of an organization names them. */
function absentIn(
  { subjects }: AccessPlan,
  { people, warnings, ...known }: Pick<Review, "people" | "warnings" | "teams" | "organizations">,
): Message[] {
  const lines = subjects.filter(
    ({ state, declaredBy, place }) => state === "absent" && declaredBy.length > 0 && place.kind !== "sso",
  );
  // Whole words, because a name may be a part of a longer one.
  const said = warnings.flatMap(({ text }) => (text.includes("left the organization") ? text.split(/[\s,;:()]+/) : []));
  const isSaid = (keys: readonly string[]) => keys.some((key) => said.includes(key));
  const names = people.flatMap(({ id, name, keys }) => {
    const places = lines.flatMap(({ person, place }) => (person.id === id ? [plain(placeWords(place, known))] : []));
    return places.length === 0 || isSaid(keys) ? [] : [`${withMark(name)} (${places.join(", ")})`];
  });
  return names.length === 0 ? [] : [{ text: `${listNames(names)} ${leftOrganization(lines.length)}` }];
}

/** A service that does not answer, or a missing setting, fails every resource: one message explains it, and one names the others. */
function withoutRepetitions(errors: readonly Message[]): Message[] {
  const explanations = errors.filter(({ text }) => !text.includes(explainedElsewhere));
  const others = errors.filter((one) => !explanations.includes(one));
  if (explanations.length === 0 || others.length < 2) return [...errors];
  const names = others.flatMap(({ resource }) => resource ?? []);
  return [...explanations, { text: `${others.length} other resources fail for the same reason: ${listNames(names)}` }];
}

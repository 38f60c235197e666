import { isSameRole } from "../../access/roles";
import type { AdaptiveJsonSchema } from "../../api/groups/sites";
import { type Claims, pathsIn, schemaOf } from "../../resources/site-adaptive-schema/breaking";
import type { Properties } from "../../run/properties";
import { counted, joined, some, type Words, words } from "../../text/words";
import type { Preview, Resource } from "../model/preview";
import { betweenCertificates, type PropertyChange, type ResourceChange } from "../model/properties";
import type { Content } from "../model/review";
import { type Risk, risk } from "../model/risk";
import { titleOf, valueWords } from "../model/sentences";

/** What is risky in sites, translations, SAML providers and options. */
export function resourceRisks({ sites, translations, others }: Content, { resources }: Preview): Risk[] {
  const changes = [...sites, ...translations, ...others];
  return [
    ...sites.flatMap(siteRisks),
    ...translations.flatMap(translationRisks),
    ...others.flatMap(signInRisks),
    ...resources.flatMap(removalRisks),
    ...resources.flatMap(forgettingRisks),
    ...resources.flatMap(acceptedRisks),
    ...changes.flatMap(driftRisks),
    ...resources.flatMap(publishingRisks),
    ...resources.flatMap(protectionRisks),
    ...resources.flatMap(schemaRisks),
  ];
}

/** How many people a visibility lets in; the more, the higher. */
const openness = ["visitor-auth", "share-link", "unlisted", "public"];

function siteRisks(change: ResourceChange, _: number, all: readonly ResourceChange[]): Risk[] {
  if (change.type !== "Site") return [];
  const { name, operation } = change;
  const title = titleOf(change);
  const isSuccessor = (one: ResourceChange) =>
    one.type === "Site" && one.operation === "create" && one.title === change.title;
  const again = change.title === undefined ? undefined : all.find(isSuccessor);
  const successor = again ? words`; ${again.name} is made in its place: a new name is a new site` : words``;
  if (operation === "delete") {
    if (change.retained) return [];
    const text = words`the site ${title} is deleted, with everything that was set up in it${successor}`;
    return [risk("site-deleted", "high", name, text)];
  }
  const lost = change.retained
    ? words`the site ${title} is replaced by a new one, and stays without being managed (retainOnDelete)`
    : words`the site ${title} is replaced by a new one: its sections, links and customization are lost`;
  const replaced = operation === "replace" ? [risk("site-replaced", "high", name, lost)] : [];
  return [...replaced, ...opening(change)];
}

function opening(change: ResourceChange): Risk[] {
  const { name, properties, operation } = change;
  const visibility = properties.find((one) => one.name === "visibility");
  if (visibility?.after === undefined) return [];
  const [before, after] = [String(visibility.before ?? ""), String(visibility.after)];
  const title = titleOf(change);
  const was = operation === "create" || before === "" ? words`` : words` (${before} until now)`;
  if (!openness.includes(after)) {
    return [
      risk("hidden-access", "high", name, words`who can open the site ${title} is not to be seen in the preview`),
    ];
  }
  if (after === "public") {
    return [
      risk(
        "site-public",
        "high",
        name,
        words`the site ${title} becomes public${was}: everybody can open and find it while it is published`,
      ),
    ];
  }
  if (operation === "create" || openness.indexOf(after) <= openness.indexOf(before)) return [];
  return [
    risk("site-opened", "medium", name, words`more people can open the site ${title}: it becomes ${after}${was}`),
  ];
}

/** A site that opens, or closes for its readers. */
function publishingRisks({ ours, type, name, operation, live, declared }: Resource): Risk[] {
  if (!ours || type !== "Site" || !declared) return [];
  if (operation === "create" || operation === "replace") return chosenRisks(name, declared);
  if (operation !== "update" || !live) return [];
  const [before, after] = [live.inputs.published ?? live.outputs.published, declared.published];
  const title = words`${String(declared.title ?? name)}`;
  if (before !== false && after === false) {
    return [
      risk("site-unpublished", "medium", name, words`nobody can open the site ${title} any more: it is unpublished`),
    ];
  }
  if (before === true || after !== true) return [];
  const visibility = String(declared.visibility ?? "not declared");
  const severity = visibility === "public" ? "high" : "medium";
  const text = words`the site ${title} is published from now on (visibility ${visibility})`;
  return [risk("site-published", severity, name, text)];
}

/** The API document does not say what a new site is that does not say it itself; it may be public. */
function chosenRisks(name: string, { title = name, visibility, published }: Properties): Risk[] {
  if (published !== true || visibility !== undefined) return [];
  const text = words`the new site ${String(title)} is published without a visibility: the service chooses who can open it, maybe everybody`;
  return [risk("hidden-access", "high", name, text)];
}

/** The next change of the program may delete it without another word. */
function protectionRisks({ ours, type, name, unprotected, unretained }: Resource): Risk[] {
  if (!ours) return [];
  const deletion = words`${[type]} ${name} is not protected against deletion any more`;
  const release = words`${[type]} ${name} no longer has retainOnDelete: its deletion changes the service`;
  return [
    ...(unprotected ? [risk("protection-removed", "medium", name, deletion)] : []),
    ...(unretained ? [risk("retention-removed", "medium", name, release)] : []),
  ];
}

function translationRisks(change: ResourceChange): Risk[] {
  if ((change.operation !== "delete" && change.operation !== "replace") || change.retained) return [];
  const what = change.operation === "delete" ? "deleted" : "replaced by a new one";
  return [risk("translation-deleted", "medium", change.name, words`the translation ${titleOf(change)} is ${[what]}`)];
}

/** Whoever holds the certificate, or answers at the address, decides who signs in as whom. */
function signInRisks(change: ResourceChange): Risk[] {
  if (change.type !== "SamlProvider" || change.operation === "delete") return [];
  const trust = change.properties.filter(({ name }) => ["certificate", "entityID", "ssoURL"].includes(name));
  if (trust.length === 0) return [];
  if (change.operation === "create") {
    const text = words`people can sign in with ${titleOf(change)} from now on: whoever holds its certificate says who they are`;
    return [risk("sign-in-added", "high", change.name, text)];
  }
  const names = joined(trust.map((one) => words`${one.name}${[trustedSigners(one)]}`));
  const text = words`who may vouch for people who sign in with ${titleOf(change)} changes: ${names}`;
  return [risk("sign-in-changed", "high", change.name, text)];
}

/** Which certificates come and go; the values of other properties stand in the table. */
function trustedSigners({ name, before, after }: PropertyChange): string {
  if (name !== "certificate" || typeof before !== "string" || typeof after !== "string") return "";
  const [ones, others] = [before, after].map((value) => value.split(betweenCertificates)) as [string[], string[]];
  const added = others.filter((one) => !ones.includes(one)).map((one) => `adds ${one}`);
  const removed = ones.filter((one) => !others.includes(one)).map((one) => `removes ${one}`);
  return ` (${[...added, ...removed].join("; ")})`;
}

/** From the next change on, a line that is taken out removes somebody from the organization. */
function removalRisks({ ours, type, name, live, declared }: Resource): Risk[] {
  if (!ours || (type !== "MemberRole" && type !== "MemberRoles")) return [];
  const removing = (["onRemoval", "onDestroy"] as const).filter(
    (option) => declared?.[option] === "remove" && live?.inputs[option] !== "remove",
  );
  return removing.slice(0, 1).map((option) => {
    const text = words`people who leave ${[type]} ${name} from now on are removed from the organization (${[option]}: remove)`;
    return risk("removal-on-destroy", "medium", name, text);
  });
}

/** A replacement takes everybody anew, with the role of that moment as the one that was found. */
function forgettingRisks({ ours, type, name, operation, live }: Resource): Risk[] {
  if (!ours || operation !== "replace" || (type !== "MemberRole" && type !== "MemberRoles")) return [];
  const { previousRole, role, previousRoles = {} } = live?.outputs ?? {};
  const found =
    type === "MemberRole" ? (isSameRole(previousRole, role) ? 0 : 1) : Object.keys(previousRoles as object).length;
  if (found === 0) return [];
  const text = words`${[type]} ${name} is replaced, which forgets the roles that were found at first (of ${counted(found, "person", "people")}): nobody gets them back`;
  return [risk("previous-roles-forgotten", "medium", name, text)];
}

/** What somebody has done by hand, and the program declares from now on. */
function acceptedRisks({ ours, type, name, recorded, live, declared, shared }: Resource): Risk[] {
  if (!ours || type !== "Site" || !recorded || !live || !declared) return [];
  const isPublic = ({ visibility, published }: Properties) => visibility === "public" && published !== false;
  const [before, now] = [recorded, live].map(({ inputs, outputs }) => ({ ...outputs, ...inputs }) as Properties);
  if (!before || !now || isPublic(before) || !isPublic(now) || !isPublic({ ...now, ...declared })) return [];
  const title = titleOf({ name, title: typeof now.title === "string" ? now.title : name, ...(shared && { shared }) });
  const text = words`the site ${title} became public behind Pulumi's back, and stays so: the program declares it`;
  return [risk("site-public", "high", name, text)];
}

function driftRisks(change: ResourceChange): Risk[] {
  const { type, name, operation, cause, properties } = change;
  const what = words`${[labels[type] ?? type]} ${titleOf(change)}`;
  if (operation === "create" && cause === "drift") {
    return [risk("drift", "medium", name, words`${what} was deleted behind Pulumi's back; this up creates it again`)];
  }
  // What is no longer managed stays as somebody has made it.
  const drifted = properties.filter((one) => "recorded" in one && "after" in one);
  if (drifted.length === 0) return [];
  const changes = joined(drifted.map(overwritten), "; ");
  return [
    risk(
      "drift",
      "medium",
      name,
      words`${what} was changed behind Pulumi's back, and this up overwrites it: ${changes}`,
    ),
  ];
}

const labels: Readonly<Record<string, string>> = {
  Site: "the site",
  Translation: "the translation",
  SamlProvider: "the SAML provider",
  SiteAdaptiveSchema: "the adaptive schema of",
  SiteStructureOrder: "the order of",
};

function overwritten({ name, before = null, recorded }: PropertyChange): Words {
  return words`${name} was ${valueWords(recorded)}, became ${valueWords(before)}`;
}

/** Claims that go, or that are something else from now on: content that depends on them changes for visitors. */
function schemaRisks({ ours, type, name, operation, live, declared }: Resource): Risk[] {
  if (!ours || type !== "SiteAdaptiveSchema" || operation === "same" || operation === "create" || !live) return [];
  if (operation === "delete" && live.outputs.onDestroy === "leave") return [];
  const before = claimsOf(live.inputs);
  const after = operation === "delete" ? new Map<string, string>() : claimsOf(declared ?? {}, live.inputs);
  const broken = [...before].filter(([path, kind]) => after.get(path) !== kind).map(([path]) => path);
  if (broken.length === 0) return [];
  const site = String(live.inputs.siteId ?? name);
  const text = words`visitors of site ${site} lose claims, and content that depends on them changes: ${some(broken)}`;
  return [risk("schema-breaking", "medium", name, text)];
}

/** What is not declared stays as it is. */
function claimsOf(properties: Properties, live: Properties = {}): Map<string, string> {
  const { jsonSchema } = properties;
  const part = (of: Properties, name: string) => (isObject(of[name]) ? (of[name] as Claims) : undefined);
  const schema = isObject(jsonSchema)
    ? (jsonSchema as AdaptiveJsonSchema)
    : schemaOf(
        part(properties, "claims") ?? part(live, "claims") ?? {},
        part(properties, "unsignedClaims") ?? part(live, "unsignedClaims"),
      );
  return isObject(schema.properties) ? pathsIn(schema) : new Map();
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

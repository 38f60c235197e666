import { type ReviewedChange, titleWords } from "../../lifecycle/review";
import { riskKinds } from "../../lifecycle/risk-kinds";
import { joined, safeText, trusted } from "../../text/safe-text";
import { definitionOf } from "../model/definitions";
import type { Preview, Resource } from "../model/preview";
import { type ResourceChange, titleOf } from "../model/properties";
import type { Content } from "../model/review";
import { type Risk, risk } from "../model/risk";
import { propertyWords } from "../model/sentences";
import { accessRisks } from "./access";
import { findingRisks, type Sources } from "./findings";
import { guardRisks } from "./guards";

/** All risks, the most dangerous first. */
export function risksOf(
  content: Content & { readonly organizations: readonly string[] },
  sources: Sources,
  tokenUser?: string,
): Risk[] {
  const all = [
    ...accessRisks(content, tokenUser),
    ...findingRisks(content, sources),
    ...resourceRisks(content, sources.preview),
  ];
  const weight = ({ kind, severity }: Risk) => (severity === "high" ? 0 : 1000) + kinds.indexOf(kind);
  return all.sort((a, b) => weight(a) - weight(b) || compare(a.text, b.text));
}

const { compare } = new Intl.Collator("en");

/** The most dangerous first. */
const kinds = Object.keys(riskKinds);

/** Risks of single resources: those of their definitions, manual changes, lost protection, and weaker guards. */
function resourceRisks({ saml, sites, translations, others }: Content, { resources }: Preview): Risk[] {
  const changes = [...saml, ...sites, ...translations, ...others];
  const own = ownRisks(resources, changes);
  const newlyPublic = new Set(own.filter(({ kind }) => kind === "site-public").map(({ subject }) => subject));
  const ofResources = resources.flatMap((one) => [...protectionRisks(one), ...guardRisks(one, newlyPublic)]);
  return [...own, ...changes.flatMap(driftRisks), ...ofResources];
}

/** The risks that the definition of each resource finds. */
function ownRisks(resources: readonly Resource[], changes: readonly ResourceChange[]): Risk[] {
  const changesByUrn = new Map(changes.map((change) => [change.urn, change]));
  const successors = new Map<string, string>();
  // Of several new resources with the same title, the first counts.
  for (const { type, title, name, operation } of [...changes].reverse())
    if (operation === "create" && title !== undefined) successors.set(JSON.stringify([type, title]), name);
  return resources.flatMap((resource) => {
    const find = definitionOf(resource)?.review?.risks;
    if (!find) return [];
    const { type, name, shared } = resource;
    const title = changesByUrn.get(resource.urn)?.title ?? titleOf(resource);
    const successor = title === undefined ? undefined : successors.get(JSON.stringify([type, title]));
    const change: ReviewedChange = {
      ...resource,
      ...(title !== undefined && { title }),
      ...(shared && { shared }),
      ...(successor !== undefined && { successor }),
      properties: changesByUrn.get(resource.urn)?.properties ?? [],
    };
    return find(change).map(({ kind, severity, text }) => risk(kind, severity, name, text));
  });
}

/** Lost protection: a later change of the program may delete the resource without a warning. */
function protectionRisks({ isOwn, type, name, lostProtection }: Resource): Risk[] {
  return (isOwn ? lostProtection : []).map((one) => {
    const { kind, text } = lossOf[one];
    return risk(kind, "medium", name, safeText`${trusted(type)} ${name} ${trusted(text)}`);
  });
}

const lossOf = {
  protect: { kind: "protection-removed", text: "is no longer protected against deletion" },
  retainOnDelete: {
    kind: "retention-removed",
    text: "no longer has retainOnDelete: its deletion changes the service",
  },
} as const;

/** A resource that was deleted or changed outside Pulumi, if the up sets it back. */
function driftRisks(change: ResourceChange): Risk[] {
  const { urn, type, name, operation, cause, properties } = change;
  const isDeleted = operation === "create" && cause === "drift";
  // A property that is no longer managed keeps its live value.
  const setsPropertyBack = properties.some((one) => "recorded" in one && "after" in one);
  if (!isDeleted && !setsPropertyBack) return [];
  const deleted = trusted(isDeleted ? " was deleted outside Pulumi" : "");
  const text = safeText`${trusted(type)} ${titleWords(change)}${deleted}: ${joined(properties.map(propertyWords))}`;
  return [risk("drift", "medium", name, text, urn)];
}

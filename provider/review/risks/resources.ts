import { type Change, type PropertyChange, titleWords } from "../../lifecycle/review";
import { joined, type SafeText, safeText, trusted } from "../../text/safe-text";
import { definitionOf } from "../model/definitions";
import type { Preview, Resource } from "../model/preview";
import { type ResourceChange, titleOf } from "../model/properties";
import type { Content } from "../model/review";
import { type Risk, risk } from "../model/risk";
import { valueWords } from "../model/sentences";

/** Risks of single resources: those of their definitions, manual changes, and lost protection. */
export function resourceRisks({ sites, translations, others }: Content, { resources }: Preview): Risk[] {
  const changes = [...sites, ...translations, ...others];
  const byUrn = new Map(resources.map((resource) => [resource.urn, resource]));
  return [
    ...ownRisks(resources, changes),
    ...changes.flatMap((change) => driftRisks(change, byUrn.get(change.urn))),
    ...resources.flatMap(protectionRisks),
  ];
}

/** The risks that the definition of each resource finds. */
function ownRisks(resources: readonly Resource[], changes: readonly ResourceChange[]): Risk[] {
  const listed = new Map(changes.map((change) => [change.urn, change]));
  const successors = new Map<string, string>();
  for (const { type, title, name, operation } of [...changes].reverse()) {
    if (operation === "create" && title !== undefined) successors.set(JSON.stringify([type, title]), name);
  }
  return resources.flatMap((resource) => {
    const find = definitionOf(resource)?.review?.risks;
    if (!find) return [];
    const { type, name, shared } = resource;
    const title = titleOf(resource);
    const successor = title === undefined ? undefined : successors.get(JSON.stringify([type, title]));
    const change: Change = {
      ...resource,
      ...(title !== undefined && { title }),
      ...(shared && { shared }),
      ...(successor !== undefined && { successor }),
      properties: listed.get(resource.urn)?.properties ?? [],
    };
    return find(change).map(({ kind, severity, text }) => risk(kind, severity, name, text));
  });
}

/** Lost protection: a later change of the program may delete the resource without a warning. */
function protectionRisks({ ours, type, name, lostProtection }: Resource): Risk[] {
  return (ours ? lostProtection : []).map((one) => {
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
};

function driftRisks(change: ResourceChange, resource: Resource | undefined): Risk[] {
  const { urn, type, name, operation, cause, properties } = change;
  const { noun } = (resource && definitionOf(resource)?.review) ?? {};
  const what = safeText`${trusted(noun === undefined ? type : `the ${noun}`)} ${titleWords(change)}`;
  if (operation === "create" && cause === "drift") {
    return [risk("drift", "medium", name, safeText`${what} was deleted outside Pulumi; this up creates it again`, urn)];
  }
  // A property that is no longer managed keeps its live value.
  const drifted = properties.filter((one) => "recorded" in one && "after" in one);
  if (drifted.length === 0) return [];
  const changes = joined(drifted.map(overwritten), "; ");
  return [
    risk(
      "drift",
      "medium",
      name,
      safeText`${what} was changed outside Pulumi, and this up overwrites it: ${changes}`,
      urn,
    ),
  ];
}

function overwritten({ name, before = null, recorded }: PropertyChange): SafeText {
  return safeText`${name} was ${valueWords(recorded)}, became ${valueWords(before)}`;
}

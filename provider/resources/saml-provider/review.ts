import {
  type Change,
  type Finding,
  type PropertyChange,
  type ResourceSnapshot,
  type ReviewPart,
  titleWords,
} from "../../lifecycle/review";
import { propertiesIn } from "../../run/properties";
import { joined, safeText, trusted } from "../../text/safe-text";
import { certificateName, changesBetween, namesIn } from "./certificate";

/** Separates certificates if several are one value. */
const between = " and ";

export const review: ReviewPart = {
  noun: "SAML provider",
  signIn: { role: "defaultRole", team: "defaultTeam" },
  shown: { certificate: (text) => namesIn(text).join(between) || "(not a certificate)" },
  risks: trustRisks,
};

/** The owner of the certificate's key, or of the address, decides which account a person signs in with. */
function trustRisks(change: Change): Finding[] {
  const { operation, properties } = change;
  const trust = properties.filter(({ name }) => ["certificate", "entityID", "ssoURL"].includes(name));
  if (operation === "delete" || trust.length === 0) return [];
  if (operation === "create") {
    const text = safeText`people can sign in with ${titleWords(change)} from now on: the owner of its certificate decides who they are`;
    return [{ kind: "sign-in-added", severity: "high", text }];
  }
  const names = joined(trust.map((one) => safeText`${one.name}${trusted(trustedSigners(one, change.live))}`));
  const text = safeText`who may vouch for people who sign in with ${titleWords(change)} changes: ${names}`;
  return [{ kind: "sign-in-changed", severity: "high", text }];
}

/** Lists the added and removed certificates. The table of the review has the values of other properties. */
function trustedSigners(change: PropertyChange, live: ResourceSnapshot | undefined): string {
  const { name, before = liveIn(live), after } = change;
  if (name !== "certificate" || typeof before !== "string" || typeof after !== "string") return "";
  const namesOf = (text: string) => text.split(between).filter(Boolean);
  return ` (${changesBetween(namesOf(before), namesOf(after)).join("; ")})`;
}

/** The live certificates, if the program has not declared any until now. */
function liveIn(live: ResourceSnapshot | undefined): string {
  const certificates = live?.outputs.certificates;
  const names = (Array.isArray(certificates) ? certificates : [])
    .map(propertiesIn)
    .map(({ fingerprint, expiresAt }) => {
      return certificateName(String(fingerprint), String(expiresAt));
    });
  return names.sort().join(between);
}

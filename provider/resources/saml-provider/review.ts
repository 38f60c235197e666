import { type Change, type Finding, type PropertyChange, type ReviewPart, titleWords } from "../../lifecycle/review";
import { joined, words } from "../../text/words";
import { namesIn } from "./certificate";

/** Stands between certificates where all of them are one value. */
const between = " and ";

/** How a review tells of a SAML provider. */
export const review: ReviewPart = {
  noun: "SAML provider",
  signIn: { role: "defaultRole", team: "defaultTeam" },
  shown: { certificate: (text) => namesIn(text).join(between) || "(not a certificate)" },
  risks: trustRisks,
};

/** Whoever holds the certificate, or answers at the address, decides who signs in as whom. */
function trustRisks(change: Change): Finding[] {
  const { operation, properties } = change;
  const trust = properties.filter(({ name }) => ["certificate", "entityID", "ssoURL"].includes(name));
  if (operation === "delete" || trust.length === 0) return [];
  if (operation === "create") {
    const text = words`people can sign in with ${titleWords(change)} from now on: whoever holds its certificate says who they are`;
    return [{ kind: "sign-in-added", severity: "high", text }];
  }
  const names = joined(trust.map((one) => words`${one.name}${[trustedSigners(one)]}`));
  const text = words`who may vouch for people who sign in with ${titleWords(change)} changes: ${names}`;
  return [{ kind: "sign-in-changed", severity: "high", text }];
}

/** Which certificates come and go; the values of other properties stand in the table. */
function trustedSigners({ name, before, after }: PropertyChange): string {
  if (name !== "certificate" || typeof before !== "string" || typeof after !== "string") return "";
  const [ones, others] = [before.split(between), after.split(between)];
  const added = others.filter((one) => !ones.includes(one)).map((one) => `adds ${one}`);
  const removed = ones.filter((one) => !others.includes(one)).map((one) => `removes ${one}`);
  return ` (${[...added, ...removed].join("; ")})`;
}

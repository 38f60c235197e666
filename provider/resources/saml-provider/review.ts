import { roleText, visibleText } from "../../access/assignments";
import { isKnownLevel, secret, unknown } from "../../access-plan/place";
import {
  type Finding,
  type Operation,
  type PropertyChange,
  type ReviewedChange,
  type ReviewPart,
  titleWords,
} from "../../lifecycle/review";
import { propertiesIn } from "../../run/properties";
import { joined, type SafeText, safeText, trusted } from "../../text/safe-text";
import { certificateName, certificateNames, changesBetween } from "./certificate";

/** Separates the names of several certificates in one text. */
const between = " and ";

export const samlProviderReview: ReviewPart = {
  noun: "SAML provider",
  section: "saml",
  shown: { certificate: (text) => certificateNames(text).join(between) || "(not a certificate)" },
  risks: (change) =>
    change.operation === "delete" ? removalRisks(change) : [...trustRisks(change), ...defaultRisks(change)],
};

function removalRisks(change: ReviewedChange): Finding[] {
  if (change.retained) return [];
  const text = safeText`nobody can sign in with ${titleWords(change)} after the change: the provider is removed`;
  return [{ kind: "sign-in-removed", severity: "high", text }];
}

/** The owner of the certificate's key, or of the address, decides which account a person signs in with. */
function trustRisks(change: ReviewedChange): Finding[] {
  const { operation, properties } = change;
  const trust = properties.filter(({ name }) => ["certificate", "entityID", "ssoURL"].includes(name));
  if (trust.length === 0) return [];
  if (operation === "create") {
    const title = titleWords(change);
    const means = trust.some(({ name }) => name === "certificate") ? "certificate" : "address";
    const owner = safeText`the owner of its ${trusted(means)} decides who they are`;
    const text = change.recorded
      ? safeText`${title} was deleted outside Pulumi and is made again: people can sign in with it when the identity provider knows the new one, and ${owner}`
      : safeText`people can sign in with ${title} from now on: ${owner}`;
    return [{ kind: "sign-in-added", severity: "high", text }];
  }
  const names = joined(trust.map((one) => safeText`${one.name}${trusted(certificateNote(one, change))}`));
  const text = safeText`who may vouch for people who sign in with ${titleWords(change)} changes: ${names}`;
  return [{ kind: "sign-in-changed", severity: "high", text }];
}

/** What people get at their first sign-in. */
function defaultRisks(change: ReviewedChange): Finding[] {
  const { operation, live, declared } = change;
  if (operation === "same") return [];
  const levelsOf = (name: string, levelText: (value: unknown) => string): Levels => {
    const before = live?.inputs[name];
    const value = declared?.[name];
    // An update leaves what is not declared as it is; `null` declares that there is none.
    const after = value === undefined && operation === "update" ? before : value;
    const textOf = (level: unknown) => (level === undefined ? unknown : levelText(level));
    return { before: textOf(before), after: textOf(after) };
  };
  const who = safeText`everyone who signs in with ${titleWords(change)} for the first time`;
  const risks = [
    roleRisk(who, operation, levelsOf("defaultRole", roleText)),
    teamRisk(who, operation, levelsOf("defaultTeam", visibleText)),
  ];
  return risks.filter((one) => one !== undefined).map((one) => ({ kind: "sign-in-default", ...one }));
}

type Levels = Readonly<Record<"before" | "after", string>>;
type Risk = Pick<Finding, "severity" | "text">;

function roleRisk(who: SafeText, operation: Operation, { before, after }: Levels): Risk | undefined {
  const isNew = operation === "create";
  if (!isNew && before === after) return undefined;
  if (after === "admin") return { severity: "high", text: safeText`${who} becomes an administrator` };
  if (!isKnownLevel(after))
    return { severity: "high", text: safeText`the role of ${who} is not visible in the preview` };
  if (isNew) return undefined;
  return { severity: "medium", text: safeText`${who} gets the role ${after} (${before} until now)` };
}

/** The API document does not mention a team by default, so an undeclared team is no risk. */
function teamRisk(who: SafeText, operation: Operation, { before, after }: Levels): Risk | undefined {
  if (operation === "create" || after === unknown || before === after) return undefined;
  return after === secret
    ? { severity: "high", text: safeText`the team of ${who} is not visible in the preview` }
    : { severity: "medium", text: safeText`${who} gets into team ${after}` };
}

/** The added and removed certificates, in parentheses. The table of the review has the values of other properties. */
function certificateNote(property: PropertyChange, change: ReviewedChange): string {
  const { name, before = liveCertificates(change), after } = property;
  if (name !== "certificate" || typeof before !== "string" || typeof after !== "string") return "";
  const namesOf = (text: string) => text.split(between).filter(Boolean);
  return ` (${changesBetween(namesOf(before), namesOf(after)).join("; ")})`;
}

/** The live certificates, if the program has not declared any until now. */
function liveCertificates({ live }: ReviewedChange): string {
  const certificates = live?.outputs.certificates;
  const entries = (Array.isArray(certificates) ? certificates : []).map(propertiesIn);
  const names = entries.map(({ fingerprint, expiresAt }) =>
    certificateName({ fingerprint: String(fingerprint), expiresAt: String(expiresAt) }),
  );
  return names.sort().join(between);
}

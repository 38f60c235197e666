import type { Content } from "../model/review";
import type { Risk } from "../model/risk";
import { accessRisks } from "./access";
import { findingRisks, type Sources } from "./findings";
import { guardRisks } from "./guards";
import { resourceRisks } from "./resources";
import { signInRisks } from "./sign-ins";

/** All risks, the most dangerous first. */
export function risksOf(
  content: Content & { readonly organizations: readonly string[] },
  sources: Sources,
  tokenUser?: string,
): Risk[] {
  const all = [
    ...accessRisks(content, tokenUser),
    ...findingRisks(content, sources),
    ...content.signIns.flatMap(signInRisks),
    ...guardRisks(sources.preview),
    ...resourceRisks(content, sources.preview),
  ];
  const weight = ({ kind, severity }: Risk) => (severity === "high" ? 0 : 1000) + placeOf(kind);
  return all.sort((a, b) => weight(a) - weight(b) || compare(a.text, b.text));
}

const { compare } = new Intl.Collator("en");

/** Kinds that only a definition knows come after those of the list. */
const placeOf = (kind: string): number => (order.includes(kind) ? order.indexOf(kind) : order.length);

/** The kinds, the most dangerous first. `scripts/reference/risks-page.ts` explains each. */
export const order = [
  "guards-weaker",
  "new-administrator",
  "administrator-by-hand",
  "token-user",
  "hidden-person",
  "hidden-access",
  "email-passed-on",
  "declared-twice",
  "person-removed",
  "sign-in-default",
  "sign-in-removed",
  "sign-in-changed",
  "sign-in-added",
  "site-public",
  "site-deleted",
  "site-replaced",
  "team-without-owner",
  "new-team-owner",
  "new-creator",
  "disabled-person",
  "team-unseen-people",
  "not-a-member",
  "administrator-lost",
  "administrator-unmanaged",
  "previous-roles-forgotten",
  "raise-on-release",
  "grant-extended",
  "site-published",
  "protection-removed",
  "retention-removed",
  "site-opened",
  "site-unpublished",
  "schema-breaking",
  "translation-deleted",
  "team-people-removed",
  "removal-on-release",
  "drift",
];

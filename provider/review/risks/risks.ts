import { type RiskKind, riskKinds } from "../../lifecycle/risk-kinds";
import type { Content } from "../model/review";
import type { Risk } from "../model/risk";
import { accessRisks } from "./access";
import { findingRisks, type Sources } from "./findings";
import { resourceRisks } from "./resources";

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
  const weight = ({ kind, severity }: Risk) => (severity === "high" ? 0 : 1000) + placeOf(kind);
  return all.sort((a, b) => weight(a) - weight(b) || compare(a.text, b.text));
}

const { compare } = new Intl.Collator("en");

const placeOf = (kind: RiskKind): number => order.indexOf(kind);

const order = Object.keys(riskKinds);

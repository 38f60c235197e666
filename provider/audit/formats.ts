import { formatsOf } from "../report/formats";
import { type Report, type Section, sectionOf } from "../report/report";
import { safeText, some, trusted } from "../text/safe-text";
import { kindNames, kinds, percentText } from "./coverage";
import { notesOf } from "./limits";
import type { Audit } from "./report";
import { sectionsOf } from "./sections";

export const formats = formatsOf(reportOf);

function reportOf(audit: Audit): Report {
  const { verdict, organization, stacks } = audit;
  return {
    marker: ["audit", organization],
    title: `Audit of organization ${organization}`,
    kind: verdict.kind === "complete" ? "none" : "risky",
    verdict: [verdict.text],
    about: safeText`Organization ${organization}, compared with the state of ${some(stacks)}.`,
    notes: notesOf(audit),
    sections: [coverageSection(audit), ...sectionsOf(audit)],
  };
}

function coverageSection({ coverage }: Audit): Section {
  const all = [
    ...kindNames.map((kind) => [kinds[kind][1], coverage[kind]] as const),
    ["in total", coverage.total],
  ] as const;
  const entries = all
    .filter(([, { there }]) => there > 0)
    .map(([name, one]) => {
      const numbers = [one.declared, one.there].map((count) => count.toLocaleString("en-US")).join(" of ");
      return { text: trusted(`${name}: ${numbers} declared, ${percentText(one)}`) };
    });
  return sectionOf("coverage", "▦", "Coverage", ["kind", "kinds"], entries);
}

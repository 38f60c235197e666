import { htmlOf } from "../report/html/html";
import { markdownOf } from "../report/markdown";
import type { Report, Section } from "../report/report";
import { textOf } from "../report/text";
import { jsonOf } from "../text/json";
import { safeText, some, trusted } from "../text/safe-text";
import { kindNames, kinds, percentText } from "./coverage";
import { notesOf } from "./limits";
import type { Audit } from "./report";
import { sectionsOf } from "./sections";

export const formats = {
  text: (audit: Audit) => textOf(reportOf(audit)),
  markdown: (audit: Audit) => markdownOf(reportOf(audit)),
  html: (audit: Audit) => htmlOf(reportOf(audit)),
  json: jsonOf,
} as const;

function reportOf(audit: Audit): Report {
  const { verdict, organization, stacks } = audit;
  return {
    marker: ["audit", organization],
    title: `Audit of organization ${organization}`,
    kind: verdict.kind === "complete" ? "none" : "risky",
    verdict: [verdict.text],
    about: safeText`Organization ${organization}, compared with the state of ${some(stacks)}.`,
    notes: notesOf(audit),
    sections: [coverageSection(audit), ...sectionsOf(audit)].filter(({ entries }) => entries.length > 0),
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
  return { id: "coverage", symbol: "▦", title: "Coverage", one: "kind", many: "kinds", entries };
}

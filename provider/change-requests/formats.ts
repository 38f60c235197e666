import { formatsOf } from "../report/formats";
import type { Report } from "../report/report";
import { counted, joined, type SafeText, safeText, trusted } from "../text/safe-text";
import { brokenCount, type OpenChangeRequests } from "./report";
import { sectionsOf } from "./sections";

/** Each format escapes what the service answered: subjects, names, titles and addresses are texts of other people. */
export const formats = formatsOf(reportOf);

function reportOf(source: OpenChangeRequests): Report {
  const { organization, space, links } = source;
  return {
    marker: ["change-requests", organization],
    title: `Open change requests of ${space ?? organization}`,
    ...verdictOf(source),
    about: safeText`Organization ${organization}${space === undefined ? [] : safeText`, space ${space}`}.`,
    notes:
      links === "unavailable"
        ? [["This version of the service has no links of pages, so broken links are not known."]]
        : [],
    sections: sectionsOf(source),
  };
}

/** The first line: how many change requests are open, and what is wrong with them. */
function verdictOf({ changeRequests }: OpenChangeRequests): Pick<Report, "kind" | "verdict"> {
  const outdated = changeRequests.filter((one) => one.outdated).length;
  const breaking = changeRequests.filter((one) => brokenCount(one) > 0).length;
  const [oldest] = changeRequests;
  if (!oldest) return { kind: "none", verdict: ["No change request is open."] };
  const facts: SafeText[] = [
    ...(outdated > 0 ? [[`${counted(outdated, "is", "are")} outdated`]] : []),
    ...(breaking > 0 ? [[`${counted(breaking, "breaks", "break")} links`]] : []),
    [`the oldest is open for ${counted(oldest.ageDays, "day")}`],
  ];
  const open = counted(changeRequests.length, "open change request");
  return { kind: outdated + breaking > 0 ? "risky" : "none", verdict: safeText`${trusted(open)}: ${joined(facts)}.` };
}

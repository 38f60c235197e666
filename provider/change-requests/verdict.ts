import { counted, joined, type Words, words } from "../text/words";
import { brokenCount, type Report } from "./report";

/** The first line: how many change requests are open, and what is wrong with them. */
export function verdictOf({ changeRequests }: Report): { readonly kind: "none" | "risky"; readonly words: Words } {
  const outdated = changeRequests.filter((one) => one.outdated).length;
  const breaking = changeRequests.filter((one) => brokenCount(one) > 0).length;
  const [oldest] = changeRequests;
  if (!oldest) return { kind: "none", words: ["No change request is open."] };
  const facts = [
    ...(outdated > 0 ? [[`${counted(outdated, "is", "are")} outdated`]] : []),
    ...(breaking > 0 ? [[`${counted(breaking, "breaks", "break")} links`]] : []),
    [`the oldest is open for ${counted(oldest.ageDays, "day")}`],
  ];
  const open = counted(changeRequests.length, "open change request");
  return { kind: outdated + breaking > 0 ? "risky" : "none", words: words`${[open]}: ${joined(facts)}.` };
}

/** What the report covers, and what a reader must know of its limits. */
export function notesOf({ organization, space, links }: Report): Words[] {
  return [
    space === undefined ? words`Organization ${organization}.` : words`Organization ${organization}, space ${space}.`,
    ...(links === "unavailable"
      ? [["This version of the service has no links of pages, so broken links are not known."]]
      : []),
  ];
}

import type { SemanticChange } from "../api/groups/semantic-changes";
import type { Severity } from "../lifecycle/review";
import { formatsOf } from "../report/formats";
import type { Entry, Report, ReportSection } from "../report/report";
import { counted, joined, joinFirst, linked, listFirst, type SafeText, safeText, trusted } from "../text/safe-text";
import { type BrokenLinks, brokenCount, type OpenChangeRequest, type OpenChangeRequests, type Pulled } from "./report";

/** Each format escapes what the service answered: subjects, names, titles and addresses are texts of other people. */
export const changeRequestFormats = formatsOf(reportOf);

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
    leftOut: ["change requests that are merged or archived, and those that the token may not see"],
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

/** Maximum number of changes in one entry. */
const most = 40;

/** Everything below the verdict, the same in every format. */
function sectionsOf({ changeRequests, pulled }: OpenChangeRequests): ReportSection[] {
  const section = (id: string, symbol: string, title: string, entries: Entry[]) => ({ id, symbol, title, entries });
  return [
    section("pulled", "⇊", "Updated with the content of the space", pulled.map(pulledEntry)),
    section("requests", "◼", "Open change requests, the oldest first", changeRequests.map(requestEntry)),
    section("broken-links", "⚠", "Links that would break", changeRequests.flatMap(linkEntries)),
    section("changes", "✎", "What changes", changeRequests.map(changesEntry)),
  ];
}

const nameOf = ({ space, number }: Pick<OpenChangeRequest, "space" | "number">): SafeText =>
  safeText`${space} #${number}`;

function pulledEntry(pulled: Pulled): Entry {
  if (pulled.result !== "conflicts") return { text: safeText`${nameOf(pulled)}: up to date` };
  return { text: safeText`${nameOf(pulled)}: up to date, with conflicts that need repair by hand`, severity: "medium" };
}

function requestEntry(one: OpenChangeRequest): Entry {
  const { subject, author, ageDays, outdated, comments, url } = one;
  const broken = brokenCount(one);
  const facts: SafeText[] = [
    [`open for ${counted(ageDays, "day")}`],
    ...(outdated ? [["outdated"]] : []),
    ...(broken > 0 ? [[`breaks ${counted(broken, "link")}`]] : []),
    ...(comments > 0 ? [[counted(comments, "open comment")]] : []),
    ...(url === undefined ? [] : [linked(url)]),
  ];
  const text = safeText`${nameOf(one)} ${subject === "" ? "(without a subject)" : subject}${authorWords(author)}: ${joined(facts)}`;
  const severity = severityOf(outdated, broken);
  return { text, ...(severity && { severity }) };
}

function authorWords(author: OpenChangeRequest["author"]): SafeText {
  if (!author) return [];
  const { name, email } = author;
  return email === undefined ? safeText` by ${name}` : safeText` by ${name} (${email})`;
}

function severityOf(outdated: boolean, broken: number): Severity | undefined {
  if (broken > 0) return "high";
  return outdated ? "medium" : undefined;
}

function linkEntries(one: OpenChangeRequest): Entry[] {
  return (one.brokenLinks ?? []).map((links) => ({ text: safeText`${nameOf(one)}: ${linkWords(links)}` }));
}

function linkWords({ page, broken, total, targets }: BrokenLinks): SafeText {
  const earlier = total > broken ? `, and ${counted(total - broken, "link was", "links were")} broken before` : "";
  const to = targets.length > 0 ? safeText` to ${listFirst(targets)}` : [];
  return safeText`page ${page.path ?? page.title}: ${trusted(counted(broken, "link"))}${to}${trusted(earlier)}`;
}

function changesEntry(one: OpenChangeRequest): Entry {
  const { changes } = one;
  if (changes.length === 0) return { text: safeText`${nameOf(one)}: nothing` };
  const words = joinFirst(changes.map(changeWords), most, { other: "more change", separator: "; " });
  return { text: safeText`${nameOf(one)}: ${words}` };
}

const verbs: Readonly<Record<string, string>> = { created: "+", edited: "~", deleted: "−", moved: "↔" };

/** A newer service may have further kinds of changes; only their name is shown. */
function changeWords(change: SemanticChange): SafeText {
  const { type } = change;
  const [, action = ""] = /^(?:page|file|reusable_content|variables)_(created|edited|deleted|moved)$/.exec(type) ?? [];
  return action === ""
    ? safeText`${type}`
    : safeText`${trusted(verbs[action] ?? "")} ${subjectOf(change)}${detailsOf(change)}`;
}

function subjectOf(change: SemanticChange): SafeText {
  if ("page" in change) return safeText`page ${change.page.path ?? change.page.title}`;
  if ("file" in change) return safeText`file ${change.file.name}`;
  return "reusableContent" in change ? safeText`reusable content ${change.reusableContent.title}` : ["variables"];
}

/** The attributes that differ, or the places before and after. */
function detailsOf(change: SemanticChange): SafeText {
  if ("parent" in change) {
    const [before, after] = [change.parent.before, change.parent.after].map((page) =>
      page ? safeText`${page.title}` : ["the top"],
    );
    return safeText` from ${before ?? []} to ${after ?? []}`;
  }
  const names = "attributes" in change ? Object.keys(change.attributes ?? {}) : [];
  return names.length > 0 ? safeText` (${listFirst(names)})` : [];
}

import type { SemanticChange } from "../api/groups/semantic-changes";
import type { Severity } from "../lifecycle/review";
import type { Entry, Section } from "../report/report";
import { counted, joined, linked, type SafeText, safeText, some, trusted } from "../text/safe-text";
import { type BrokenLinks, brokenCount, type OpenChangeRequest, type OpenChangeRequests, type Pulled } from "./report";

/** Maximum number of changes in one entry. */
const most = 40;

/** Everything below the verdict, the same in every format. */
export function sectionsOf({ changeRequests, pulled }: OpenChangeRequests): Section[] {
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
  return (one.brokenLinks ?? []).map((found) => ({ text: safeText`${nameOf(one)}: ${linkWords(found)}` }));
}

function linkWords({ page, broken, total, targets }: BrokenLinks): SafeText {
  const earlier = total > broken ? `, and ${counted(total - broken, "link was", "links were")} broken before` : "";
  const to = targets.length > 0 ? safeText` to ${some(targets)}` : [];
  return safeText`page ${page.path ?? page.title}: ${trusted(counted(broken, "link"))}${to}${trusted(earlier)}`;
}

function changesEntry(one: OpenChangeRequest): Entry {
  const { changes } = one;
  if (changes.length === 0) return { text: safeText`${nameOf(one)}: nothing` };
  const more = changes.length > most ? [` and ${counted(changes.length - most, "more change")}`] : [];
  return { text: safeText`${nameOf(one)}: ${joined(changes.slice(0, most).map(changeWords), "; ")}${more}` };
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
  return names.length > 0 ? safeText` (${some(names)})` : [];
}

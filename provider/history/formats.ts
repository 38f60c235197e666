import { unknown } from "../access-plan/place";
import { titleWords } from "../lifecycle/review";
import { compareKeys } from "../people/user";
import { commitWords } from "../report/evidence";
import { csvTable, formatsOf } from "../report/formats";
import type { Entry, Report, ReportSection } from "../report/report";
import { resourceIn } from "../review/model/preview";
import { levelWords, reasonWords, teamWords } from "../review/model/sentences";
import { changeWords } from "../review/render/sections";
import { markForeign } from "../text/foreign";
import { counted, identified, listFirst, type SafeText, safeText, trusted } from "../text/safe-text";
import type { AccessEvent, Gap, ObjectEvent } from "./history";
import type { HistoryPart, NamedEvent, Since } from "./select";
import type { Update } from "./version";

function reportOf(part: HistoryPart): Report {
  const { stack, updates, first, last, gaps, atEnd, filters } = part;
  const isTaken = ({ cause }: Pick<AccessEvent, "cause">) => cause === "taken";
  const [changes, taken] = [part.access.filter((one) => !isTaken(one)), part.access.filter(isTaken)];
  const [objects, imported] = [part.objects.filter((one) => !isTaken(one)), part.objects.filter(isTaken)];
  const unexplained = [...changes, ...objects].filter(({ cause }) => cause !== "update").length;
  const isRisky = unexplained > 0 || gaps.length > 0;
  const kindWithoutRisk = changes.length + objects.length > 0 ? "changes" : "none";
  const period = first && last ? safeText`, ${timeWords(first.end)} to ${timeWords(last.end)}` : [];
  return {
    marker: ["history", stack],
    title: `History of stack ${stack}`,
    kind: isRisky ? "risky" : kindWithoutRisk,
    verdict: [verdictOf(part, changes.length, objects.length, unexplained)],
    about: safeText`Stack ${stack}, ${trusted(counted(updates, "version"))}${period}; times in UTC.`,
    notes: filters.length > 0 ? [safeText`Not the whole history: ${listFirst(filters)}.`] : [],
    // JSON does not read these words about everybody.
    get sections() {
      return [
        section("at-end", "●", "At the end, since when and by which update", atEnd.map(endEntry)),
        section(
          "changes",
          "◆",
          part.isComparison ? "What differs, with the last change" : "Changes of access",
          changes.map(accessEntry),
        ),
        section("objects", "◼", "Changes of sites and other objects", objects.map(objectEntry)),
        section("gaps", "?", "Gaps: what the versions do not tell", gaps.map(gapEntry)),
        section("taken", "○", "Managed from then on, without a known change", [
          ...imported.map(importEntry),
          ...taken.map(accessEntry),
        ]),
      ];
    },
    leftOut: [
      "access that the stack did not manage; the time of a change outside Pulumi, only when it was first seen; and such a change that was set back within ten minutes of an earlier one of the same access",
    ],
  };
}

const section = (id: string, symbol: string, title: string, entries: Entry[]): ReportSection => {
  return { id, symbol, title, entries: entries.map(({ text }) => ({ text: markForeign(text) })) };
};

function verdictOf(part: HistoryPart, changes: number, objects: number, unexplained: number): string {
  const { gaps, isComparison } = part;
  const what = isComparison ? "difference" : "change";
  const all = [
    changes > 0 ? counted(changes, `${what} of access`, `${what}s of access`) : "",
    objects > 0 ? counted(objects, "change of other objects", "changes of other objects") : "",
  ].filter(Boolean);
  const doubts = [
    part.updates === 0 ? "no version in this period" : "",
    unexplained > 0 ? `${unexplained.toLocaleString("en-US")} not made by a recorded update` : "",
    gaps.length > 0 ? counted(gaps.length, "gap") : "",
  ].filter(Boolean);
  const more = doubts.length > 0 ? `; ${doubts.join(", ")}` : "";
  return `${all.join(", ") || `No ${what} of access`}${more}.`;
}

function accessEntry(event: NamedEvent): Entry {
  const { update, name, person, reason, expires } = event;
  const terms = safeText`${reasonWords({ reason })}${expires === undefined ? [] : safeText`; until ${expires}`}`;
  const who = identified(name, person);
  return { text: safeText`${timeWords(update.end)} ${who}: ${changeOf(event)}${terms}; ${byWords(event)}` };
}

/** `role admin since 2026-07-01 09:30:00` */
function endEntry(event: NamedEvent): Entry {
  const { place, name, person, after, status, cause, update, reason, since = {} } = event;
  const managed = cause === "taken" ? safeText`, managed from ${timeWords(update.end)}` : [];
  const level = safeText`${placeOf(event)} ${levelWords(after, place.kind)}${trusted(statuses[status])}`;
  return {
    text: safeText`${identified(name, person)}: ${level} since ${sinceWords(since)}${managed}${reasonWords({ reason })}; ${byWords(event)}`,
  };
}

const sinceGaps: Readonly<Record<NonNullable<Since["gap"]>, string>> = {
  earlier: " or earlier",
  later: " or later",
  outside: " or earlier, outside Pulumi",
  "not recorded": "not recorded",
};

export const sinceWords = ({ since = "", gap }: Since): SafeText =>
  safeText`${timeWords(since)}${trusted(gap ? sinceGaps[gap] : "")}`;

function placeOf({ place: { kind, team = "" }, teamTitle }: NamedEvent): SafeText {
  return kind === "role" ? trusted("role") : safeText`team ${teamWords(team, teamTitle ? { [team]: teamTitle } : {})}`;
}

/** `role edit → admin` */
function changeOf(event: NamedEvent): SafeText {
  const { place, before, after, status } = event;
  const level = (one: string) => (one === unknown ? trusted("not known") : levelWords(one, place.kind));
  const stays = before === after && after !== unknown && status !== "pending";
  const change = stays ? safeText`stays ${level(after)}` : safeText`${level(before)} → ${level(after)}`;
  return safeText`${placeOf(event)} ${change}${trusted(statuses[status])}`;
}

const statuses: Readonly<Record<AccessEvent["status"], string>> = {
  managed: "",
  pending: ", pending: no member has this e-mail yet",
  absent: ", has left the organization",
  released: ", no longer managed",
};

function objectEntry(event: ObjectEvent): Entry {
  const { update, change } = event;
  const by = byWords({ ...event, resource: resourceIn(change.urn) ?? "" });
  return { text: safeText`${timeWords(update.end)} ${changeWords(change, `${change.type} `)}; ${by}` };
}

const importEntry = ({ update, change }: ObjectEvent): Entry => ({
  text: safeText`${timeWords(update.end)} ${trusted(change.type)} ${titleWords(change)}; ${updateWords(update)}`,
});

/** Who or what made a change, as far as the records say it. */
function byWords({ update, cause, resource }: Pick<AccessEvent, "update" | "cause" | "resource">): SafeText {
  if (cause === "update" || cause === "taken") return updateWords(update);
  if (update.kind === "none") return ["without a recorded update"];
  if (cause === "unclear") return safeText`by, or outside Pulumi before, ${updateWords(update)}`;
  // Only docs-org looks for what a killed run has left, before the engine forgets it.
  const isLeft = (urn: string) => resourceIn(urn) === resource;
  const mayBeKilled = update.interruptedBefore?.some(isLeft) ?? true;
  return [
    `outside Pulumi${mayBeKilled ? " or by a killed run" : ""}, first seen by this ${kinds[update.kind] ?? update.kind}`,
  ];
}

function updateWords(update: Update): SafeText {
  const { kind, version, end, commit, isDirty, author, pullRequest, message } = update;
  return [
    ...trusted(kinds[kind] ?? kind),
    ...trusted(version === end ? "" : ` ${version}`),
    ...(commit ? safeText` of ${commitWords({ commit, uncommitted: isDirty })}` : []),
    ...(pullRequest ? safeText`, pull request ${pullRequest}` : []),
    ...(author ? safeText` by ${author}` : []),
    ...(message ? safeText`, with the message: ${message}` : []),
  ];
}

const kinds: Readonly<Record<string, string>> = { "resource-import": "import" };

const gapEntry = (gap: Gap): Entry => ({ text: safeText`${timeWords(gap.update.end)} ${gapWords(gap)}` });

function gapWords({ kind, update, resources }: Gap): SafeText {
  const by = updateWords(update);
  if (kind === "earlier") return ["the versions before are not kept in this backend"];
  if (kind === "lost") return safeText`the state was lost, or removed without a destroy, and begins again: ${by}`;
  if (kind === "between")
    return safeText`since the version before, the state was changed by an update of which nothing is kept, or by a run that was killed: ${by}`;
  if (kind === "missing") return safeText`the state after this version is no longer kept: ${by}`;
  if (kind === "failed") return safeText`failed, after it had perhaps made a part: ${by}`;
  if (kind === "unrecorded")
    return [
      "the state was changed without a recorded update: by a run that was killed or has not ended, an import or an edit",
    ];
  const killed = safeText`a run was interrupted, and nobody knows whether it has changed ${listFirst(resources)}`;
  return kind === "killed" ? safeText`${killed}; after it: ${by}` : killed;
}

const timeWords = (time: string): SafeText => trusted(time.slice(0, 19).replace("T", " "));

const ofUpdate = ["time", "version", "kind", "result"] as const;
const ofEvent = ["name", "person", "place", "team", "before", "after", "status", "cause"] as const;
const ofChange = ["reason", "expires", "resource", "commit", "isDirty", "author", "message", "pullRequest"] as const;

/** Events of access and gaps, one in each row; the other formats have the other objects. */
function csvIn({ access, gaps }: HistoryPart): string {
  const events = access.map(({ place: { kind: place, team }, ...event }) => ({ ...event, place, team }));
  const missing = gaps.map(({ update, kind, resources }) => {
    return { update, status: "gap", cause: kind, resource: resources.join(", ") };
  });
  const rows = [...events, ...missing].sort((a, b) => compareKeys(a.update.order, b.update.order));
  return csvTable(
    [...ofUpdate, ...ofEvent, ...ofChange],
    rows.map(({ update, ...event }) => ({ ...update, time: update.end, ...event })),
  );
}

export const historyFormats = { ...formatsOf(reportOf), csv: csvIn };

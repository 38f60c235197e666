import { counted, rendered, type SafeText } from "../../text/safe-text";
import { visible } from "../../text/visible";
import type { Message, Review } from "../model/review";
import { aboutWords, limitsOf, type Section, sectionsOf } from "./sections";
import { kindCounts } from "./severity";

/** Comments on pull requests may have 65,536 characters. This leaves room for text that a bot adds. */
const limit = 60_000;

/** The first line, by which a bot finds its earlier comment. It names the stack, because a pull request may concern several. */
export function markerOf({ project, stack }: Pick<Review, "project" | "stack">): string {
  const safe = (name: string) => name.replace(/[^\w.]+/g, "_").slice(0, 100);
  return `<!-- docs-org review of ${safe(project)}/${safe(stack)} -->`;
}

/** The review for a pull request, always under 60,000 characters. */
export function markdownOf(review: Review): string {
  return joinToLimit(headOf(review), [...refusalsOf(review), ...sectionsOf(review).map(listOf)]);
}

/** The head and as much of the blocks as fits, with a count of what was cut. */
export function joinToLimit(head: string, blocks: readonly Block[]): string {
  const cut = cutToRoom(blocks, limit - head.length - reserve(blocks));
  const left = cut.flatMap(({ left, one, many }) => (left > 0 ? [counted(left, one, many)] : []));
  const note =
    left.length === 0
      ? []
      : [`> Cut to fit: ${left.join(", ")}. The HTML page shows more, and --format json everything.`, ""];
  const texts = cut.flatMap(({ title, shown, left, kindsAfter }) => {
    const kinds = kindsAfter?.(shown.length) ?? "";
    const more = left > 0 ? [`- … and ${left.toLocaleString("en-US")} more, cut to fit${kinds}`] : [];
    return [`### ${title}`, "", ...shown, ...more, ""];
  });
  return `${[head, ...note, ...texts].join("\n").trimEnd()}\n`;
}

const symbols = { refused: "⛔", risky: "⚠️", changes: "✏️", none: "✅" } as const;

function headOf(review: Review): string {
  const { verdict } = review;
  const about = [marked(aboutWords(review)), ...limitsOf(review).map(escaped)].filter(Boolean);
  return [markerOf(review), `## ${symbols[verdict.kind]} ${marked(verdict.words)}`, "", about.join(" "), ""].join("\n");
}

/** With a word, because screen readers and text mails show no colours. */
const severities = { high: "🔴 high:", medium: "🟠 medium:" } as const;

export interface Block {
  readonly title: string;
  readonly one: string;
  readonly many: string;
  readonly entries: readonly string[];
  readonly kindsAfter?: (shown: number) => string;
}

export function listOf({ title, symbol, one, many, entries }: Section): Block {
  const shown = entries.map(({ text, severity }) => `- ${severity ? `${severities[severity]} ` : ""}${marked(text)}`);
  const kindsAfter = (count: number) => {
    const kinds = marked(kindCounts(entries.slice(count)));
    return kinds.length > roomForKinds ? "" : kinds;
  };
  return {
    title: `${symbol} ${title} (${entries.length.toLocaleString("en-US")})`,
    one,
    many,
    entries: shown,
    kindsAfter,
  };
}

/** Maximum number of characters of the kinds of a list; longer ones have levels that nobody knows. */
const roomForKinds = 500;

function refusalsOf({ refusals }: Review): Block[] {
  if (refusals.length === 0) return [];
  return [{ title: "⛔ Reasons", one: "reason", many: "reasons", entries: refusals.map(fenced) }];
}

/** The whole reason as a block of code. The fence is longer than any backticks in the text. */
function fenced({ text, resource }: Message): string {
  const lines = text.split("\n");
  const more = lines.length > mostLines ? [`… and ${counted(lines.length - mostLines, "more line")}`] : [];
  const shown = [...lines.slice(0, mostLines).map((line) => visible(line, 1000)), ...more].join("\n");
  const fence = "`".repeat(Math.max(3, longestRun(shown) + 1));
  const about = resource === undefined ? "" : `${code(resource)}\n\n`;
  return `${about}${fence}text\n${shown}\n${fence}\n`;
}

/** Maximum number of lines of one reason: a reason may list everybody. */
const mostLines = 200;

interface Cut extends Block {
  readonly shown: readonly string[];
  readonly left: number;
}

/** Maximum number of characters that titles and counts need. */
const reserve = (blocks: readonly Block[]): number =>
  400 + blocks.reduce((sum, { title, many }) => sum + title.length + many.length + 120 + roomForKinds, 0);

/** Cuts blocks to the room. Each block may use the remaining room, but leaves up to half of it to the blocks after it. */
function cutToRoom(blocks: readonly Block[], room: number): Cut[] {
  let left = room;
  return blocks.map((block, index) => {
    const later = blocks.slice(index + 1).reduce((sum, { entries }) => sum + sizeOf(entries), 0);
    const shown = takeUpTo(block.entries, left - Math.min(later, left / 2));
    left -= sizeOf(shown);
    return { ...block, shown, left: block.entries.length - shown.length };
  });
}

const sizeOf = (entries: readonly string[]): number => entries.reduce((sum, { length }) => sum + length + 1, 0);

function takeUpTo(entries: readonly string[], room: number): string[] {
  let size = 0;
  const end = entries.findIndex((entry) => {
    size += entry.length + 1;
    return size > room;
  });
  return entries.slice(0, end < 0 ? entries.length : end);
}

/** Words as they are, values as code: nothing in them is a link, a mention, a picture or the end of the list. */
export const marked = (text: SafeText): string =>
  rendered(text, "short", escaped, code, ({ value, link }) => (link ? `<${visible(value, 2000)}>` : undefined));

/** A value as code in one line, between more backticks than it contains. */
export function code(value: string): string {
  const shown = visible(value);
  if (shown.trim() === "") return "(empty)";
  const fence = "`".repeat(longestRun(shown) + 1);
  const space = /^[` ]|[` ]$/.test(shown) ? " " : "";
  return `${fence}${space}${shown}${space}${fence}`;
}

const longestRun = (text: string): number => Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));

/** Escapes Markdown. Our own words need none, but some repeat a word of the service. */
export const escaped = (text: string): string => visible(text, 1000).replace(/[\\`*_[\]<>|@#&~]/g, "\\$&");

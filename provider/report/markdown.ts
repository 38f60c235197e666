import { plain, rendered, type SafeText } from "../text/safe-text";
import { visible } from "../text/visible";
import { type Message, type Report, type ReportSection, restWords, takeFitting } from "./report";

/** Comments on pull requests may have 65,536 characters. This leaves room for text that a bot adds. */
const limit = 60_000;

/** The report for a comment, always under 60,000 characters. */
export function markdownOf(report: Report): string {
  const { reasons = [], sections, foot } = report;
  const end = foot ? `\n<sub>${marked(foot)}</sub>\n` : "";
  const head = headOf(report);
  const blocks = [...(reasons.length > 0 ? [reasonsOf(reasons)] : []), ...sections.map(blockOf)];
  const cut = cutToRoom(blocks, limit - head.length - end.length - reserve(blocks));
  const isCut = cut.some(({ shown, entries }) => shown.length < entries.length);
  const note = isCut ? ["> Cut to fit: the HTML page shows more, and --format json everything.", ""] : [];
  const texts = cut.flatMap(({ title, shown, rest }) => {
    const more = rest(shown.length);
    return [`### ${title}`, "", ...shown, ...(more === "" ? [] : [`- ${more}`]), ""];
  });
  return `${[head, ...note, ...texts].join("\n").trimEnd()}\n${end}`;
}

const symbols = { refused: "⛔", risky: "⚠️", changes: "✏️", none: "✅" } as const;

function headOf({ marker: [what, ...names], kind, verdict, about, notes }: Report): string {
  const safe = names.map((name) => name.replace(/[^\w.]+/g, "_").slice(0, 100));
  const text = [about, ...notes].map(marked).filter(Boolean).join(" ");
  return `<!-- docs-org ${what} of ${safe.join("/")} -->\n## ${symbols[kind]} ${marked(verdict)}\n\n${text}\n`;
}

interface Block {
  readonly title: string;
  readonly entries: readonly string[];
  /** Says how many entries follow after the first `shown` ones. */
  readonly rest: (shown: number) => string;
}

/** With a word, because screen readers and text mails show no colours. */
const severities = { high: "🔴 high: ", medium: "🟠 medium: " } as const;

function blockOf({ title, symbol, entries }: ReportSection): Block {
  return {
    title: `${symbol} ${title} (${entries.length.toLocaleString("en-US")})`,
    entries: entries.map(({ text, severity }) => `- ${severity ? severities[severity] : ""}${marked(text)}`),
    rest: (shown) => marked(restWords(entries.length - shown)),
  };
}

function reasonsOf(reasons: readonly Message[]): Block {
  const rest = (shown: number) => marked(restWords(reasons.length - shown));
  return { title: "⛔ Reasons", entries: reasons.map(fenced), rest };
}

/** The whole reason as a block of code. The fence is longer than any backticks in the text. */
function fenced({ text, resource }: Message): string {
  const lines = text.split("\n");
  const rest = plain(restWords(Math.max(0, lines.length - mostLines)));
  const shown = [...lines.slice(0, mostLines).map((line) => visible(line, 1000)), rest].join("\n").trimEnd();
  const fence = "`".repeat(Math.max(3, longestRun(shown) + 1));
  const about = resource === undefined ? "" : `${code(resource)}\n\n`;
  return `${about}${fence}text\n${shown}\n${fence}\n`;
}

/** Maximum number of lines of one reason: a reason may list everybody. */
const mostLines = 200;

/** Maximum number of characters beside the entries: 400 for the note, and 120 for each block beside its title. */
const reserve = (blocks: readonly Block[]): number =>
  400 + blocks.reduce((sum, { title }) => sum + title.length + 120, 0);

/** Cuts blocks to the room. Each block may use the remaining room, but leaves up to half of it to the blocks after it. */
function cutToRoom(blocks: readonly Block[], room: number): (Block & { readonly shown: readonly string[] })[] {
  let left = room;
  return blocks.map((block, index) => {
    const later = blocks.slice(index + 1).reduce((sum, { entries }) => sum + sizeOf(entries), 0);
    const shown = takeFitting(block.entries, String, { room: left - Math.min(later, left / 2) });
    left -= sizeOf(shown);
    return { ...block, shown };
  });
}

const sizeOf = (entries: readonly string[]): number => entries.reduce((sum, { length }) => sum + length + 1, 0);

/** Words as they are, values as code: nothing in them is a link, a mention, a picture or the end of the list. */
const marked = (text: SafeText): string =>
  rendered(text, {
    form: "short",
    word: escaped,
    value: code,
    special: ({ value, link }) => (link ? `<${visible(value, 2000)}>` : undefined),
  });

/** A value as code in one line, between more backticks than it contains. */
function code(value: string): string {
  const shown = visible(value);
  if (shown.trim() === "") return "(empty)";
  const fence = "`".repeat(longestRun(shown) + 1);
  const space = /^[` ]|[` ]$/.test(shown) ? " " : "";
  return `${fence}${space}${shown}${space}${fence}`;
}

const longestRun = (text: string): number => Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));

/** Our own words need no escapes, but some repeat a word of the service. */
const escaped = (text: string): string => escapedMarkdown(visible(text, 1000));

/** The characters that mean something in Markdown. */
const special = /[\\`*_[\]<>|@#&~]/g;
const escapes = new RegExp(`\\\\(${special.source})`, "g");

export const escapedMarkdown = (text: string): string => text.replace(special, "\\$&");
export const withoutEscapes = (text: string): string => text.replace(escapes, "$1");

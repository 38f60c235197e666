import { type Document, type ErrorCode, isCollection, isScalar, parseDocument, visit, type YAMLError } from "yaml";
import type { SourceFile, TextMistake } from "./places";

/** Parses YAML 1.2 with the core schema: `on` and dates are texts. */
export function parseYaml({ text }: Pick<SourceFile, "text">): { document: Document.Parsed; mistakes: TextMistake[] } {
  const document = parseDocument(text, {
    version: "1.2",
    schema: "core",
    merge: false,
    prettyErrors: false,
    // The parser compares each key with all others. The reader finds duplicates in one pass, and knows both positions.
    uniqueKeys: false,
    customTags: [{ tag: "!include", resolve: (pattern: string) => pattern }],
  });
  const problems = [...document.errors, ...document.warnings];
  return { document, mistakes: [...findOldVersion(document, text), ...keepIndependent(problems, document, text)] };
}

function findOldVersion({ directives }: Document.Parsed, text: string): TextMistake[] {
  const { explicit, version } = directives.yaml;
  if (!explicit || version === "1.2") return [];
  const offset = text.indexOf("%YAML");
  return [{ offset, text: `found YAML ${version}; the file is read as YAML 1.2, so remove this line` }];
}

/**
 * A parser reports one syntax mistake several times. Keeps the first mistake of each line, and nothing after a mistake that
 * changes how the rest of the file is parsed.
 */
function keepIndependent(problems: readonly YAMLError[], document: Document.Parsed, text: string): TextMistake[] {
  const lineOf = ({ pos: [offset] }: YAMLError) => text.lastIndexOf("\n", offset - 1);
  const sorted = [...problems].sort((a, b) => a.pos[0] - b.pos[0]);
  const kept: YAMLError[] = [];
  for (const problem of sorted) {
    const previous = kept.at(-1);
    if (previous === undefined || lineOf(previous) !== lineOf(problem)) kept.push(problem);
    const isStructural = localWords(problem, text) === undefined;
    if (isStructural) break;
  }
  return kept.map((problem) => mistakeOf(problem, document, text));
}

function mistakeOf(problem: YAMLError, document: Document.Parsed, text: string): TextMistake {
  const [offset] = problem.pos;
  const local = localWords(problem, text);
  if (local !== undefined) return { offset, text: local };
  return findUnclosed(problem, document, text) ?? { offset, text: structuralWords(problem, text) };
}

const closings: Readonly<Record<string, string>> = { "{": "}", "[": "]", '"': '"', "'": "'" };

/** A parser reports an unclosed value at the end of the text or line; the message points to its beginning instead. */
function findUnclosed({ message, pos }: YAMLError, document: Document.Parsed, text: string): TextMistake | undefined {
  if (!/^Missing closing|end with a [}\]]$/.test(message)) return undefined;
  let offset: number | undefined;
  visit(document, {
    Node: (_, node) => {
      const start = node.range?.[0] ?? 0;
      const isQuoted = isScalar(node) && /^QUOTE/.test(node.type ?? "");
      const needsEnd = isQuoted || (isCollection(node) && node.flow);
      if (needsEnd && start < pos[0] && isOpen(text, start, node.range?.[1] ?? 0)) offset = start;
    },
  });
  if (offset === undefined) return undefined;
  const opening = text[offset] ?? "";
  return { offset, text: `found ${opening} without its end; close it with ${closings[opening]}` };
}

/** Whether a value has no end. A pair in a list, as in `[a: b]`, begins with its key and no bracket, so it needs no end. A single quotation mark does not end itself. */
function isOpen(text: string, start: number, end: number): boolean {
  const closing = closings[text[start] ?? ""];
  return closing !== undefined && (closing !== text[end - 1] || end - start < 2);
}

const noKey = 'found a line without a key; write "key: value", with a space after the colon';

/** Messages for mistakes that do not change how the following lines are parsed. */
const words: Partial<Record<ErrorCode, string>> = {
  ALIAS_PROPS: "found an alias; a text that begins with * needs quotes",
  BLOCK_AS_IMPLICIT_KEY:
    "found a second key in one line, or a line that is indented too far; begin a new line, or put the text in quotes",
  MULTILINE_IMPLICIT_KEY: noKey,
  MULTIPLE_DOCS: "found a second document; use one in a file, without ---",
  RESOURCE_EXHAUSTION: "found values that are nested too deeply",
  TAB_AS_INDENT: "found a tab; indent with spaces",
};

function localWords({ code, message, pos: [start, end] }: YAMLError, text: string): string | undefined {
  if (code === "BAD_SCALAR_START") return `found ${text[start]} as the first character; put the text in quotes`;
  if (message.startsWith("Implicit map keys")) return noKey;
  if (code === "TAG_RESOLVE_FAILED")
    return `${text.slice(start, Math.min(end, start + 60))} has no meaning here; remove it`;
  return words[code];
}

function structuralWords({ code, message, pos }: YAMLError, text: string): string {
  if (code === "UNEXPECTED_TOKEN") {
    const [found = ""] = /^(?:[\]}[{,"']|\S+)/.exec(text.slice(pos[0], pos[0] + 60)) ?? [];
    return `found ${found || "something"} after the end of a value; remove it, or put the whole value in quotes`;
  }
  if (/must start at the same column$/.test(message))
    return "found a line that is not indented like the lines beside it; indent them alike";
  return `this is not valid YAML: ${message}`;
}

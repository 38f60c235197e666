import { type Document, type ErrorCode, parseDocument, type YAMLError } from "yaml";
import type { Source, TextMistake } from "./source";

/** YAML as the organization's file is written in: version 1.2, where `on` is a text and a date is one too. */
export function parseYaml({ text }: Source): { document: Document.Parsed; mistakes: TextMistake[] } {
  const document = parseDocument(text, {
    version: "1.2",
    schema: "core",
    merge: false,
    prettyErrors: false,
    // Compares each key with all others; the reader does it once, and knows both places.
    uniqueKeys: false,
    customTags: [{ tag: "!include", resolve: (pattern: string) => pattern }],
  });
  const problems = [...document.errors, ...document.warnings];
  return { document, mistakes: [...oldVersion(document, text), ...firstOfLine(problems, text)] };
}

function oldVersion({ directives }: Document.Parsed, text: string): TextMistake[] {
  const { explicit, version } = directives.yaml;
  if (!explicit || version === "1.2") return [];
  const offset = text.indexOf("%YAML");
  return [{ offset, text: `found YAML ${version}; the file is read as YAML 1.2, so remove this line` }];
}

/** One mistake in the syntax looks like several to a parser. */
function firstOfLine(problems: readonly YAMLError[], text: string): TextMistake[] {
  const lines = new Set<number>();
  const mistakes = problems.map((problem) => ({ offset: problem.pos[0], text: wordsFor(problem, text) }));
  return mistakes
    .sort((a, b) => a.offset - b.offset)
    .filter(({ offset }) => {
      const line = text.lastIndexOf("\n", offset - 1);
      return !lines.has(line) && lines.add(line);
    });
}

const noKey = 'found a line without a key; write "key: value", with a space after the colon';

const words: Partial<Record<ErrorCode, string>> = {
  ALIAS_PROPS: "found an alias; a text that begins with * needs quotes",
  BLOCK_AS_IMPLICIT_KEY:
    "found a second key in one line, or a line that is indented too far; begin a new line, or put the text in quotes",
  MULTILINE_IMPLICIT_KEY: noKey,
  MULTIPLE_DOCS: "found a second document; use one in a file, without ---",
  RESOURCE_EXHAUSTION: "found values in values in values, too deep to be read",
  TAB_AS_INDENT: "found a tab; indent with spaces",
};

function wordsFor({ code, message, pos }: YAMLError, text: string): string {
  if (code === "BAD_SCALAR_START") return `found ${text[pos[0]]} as the first character; put the text in quotes`;
  if (message.startsWith("Implicit map keys")) return noKey;
  if (code === "TAG_RESOLVE_FAILED") return `${tagAt(text, pos)} has no meaning here; remove it`;
  return words[code] ?? `this is no valid YAML: ${message}`;
}

function tagAt(text: string, [start, end]: readonly [number, number]): string {
  return text.slice(start, Math.min(end, start + 60));
}

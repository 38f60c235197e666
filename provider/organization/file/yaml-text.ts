import { type Document, type ErrorCode, parseDocument, type YAMLError } from "yaml";
import type { Source, TextMistake } from "./places";

/**
 * Parses YAML 1.2 with the core schema: `on` and dates are texts. Of the mistakes in the syntax, only the first one is reported:
 * others may be what the parser makes of the rest.
 */
export function parseYaml({ text }: Pick<Source, "text">): { document: Document.Parsed; mistakes: TextMistake[] } {
  const document = parseDocument(text, {
    version: "1.2",
    schema: "core",
    merge: false,
    prettyErrors: false,
    // The parser compares each key with all others. The reader finds duplicates in one pass, and knows both positions.
    uniqueKeys: false,
    customTags: [{ tag: "!include", resolve: (pattern: string) => pattern }],
  });
  const [first] = [...document.errors, ...document.warnings].sort((a, b) => a.pos[0] - b.pos[0]);
  const mistakes = first ? [{ offset: first.pos[0], text: wordsFor(first) }] : [];
  return { document, mistakes: [...findOldVersion(document, text), ...mistakes] };
}

function findOldVersion({ directives }: Document.Parsed, text: string): TextMistake[] {
  const { explicit, version } = directives.yaml;
  if (!explicit || version === "1.2") return [];
  const offset = text.indexOf("%YAML");
  return [{ offset, text: `found YAML ${version}; the file is read as YAML 1.2, so remove this line` }];
}

const noKey = 'found a line without a key; write "key: value", with a space after the colon';

/** The most frequent mistakes, for which the parser has words of its own. */
const words: Partial<Record<ErrorCode, string>> = {
  ALIAS_PROPS: "found an alias; a text that begins with * needs quotes",
  BLOCK_AS_IMPLICIT_KEY:
    "found a second key in one line, or a line that is indented too far; begin a new line, or put the text in quotes",
  MULTILINE_IMPLICIT_KEY: noKey,
  MULTIPLE_DOCS: "found a second document; use one in a file, without ---",
  RESOURCE_EXHAUSTION: "found values that are nested too deeply",
  TAB_AS_INDENT: "found a tab; indent with spaces",
};

const wordsFor = ({ code, message }: YAMLError): string =>
  message.startsWith("Implicit map keys") ? noKey : (words[code] ?? `this is not valid YAML: ${message}`);

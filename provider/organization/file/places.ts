import { isUtf8 } from "node:buffer";
import { LineCounter } from "yaml";
import { dotted, type Mistake } from "../../text/mistakes";

export interface SourceFile {
  /** The name for messages, which begins with the path that the user wrote. */
  readonly name: string;
  /** The path with links resolved. */
  readonly path: string;
  readonly text: string;
  readonly lines: LineCounter;
}

/** A position in a file; lines and columns begin with 1. */
export interface FilePlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export function sourceOf(name: string, path: string, content: Buffer): SourceFile {
  const text = content.toString("utf8").replace(/^\uFEFF/, "");
  const lines = new LineCounter();
  lines.addNewLine(0);
  for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", end + 1)) lines.addNewLine(end + 1);
  return { name, path, text, lines };
}

export function filePlaceAt({ name, lines }: SourceFile, offset: number): FilePlace {
  const { line, col } = lines.linePos(offset);
  return { file: name, line, column: col };
}

/** Control characters except tabs and line breaks, and characters that change the direction of the text that a reviewer sees. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const unseen = /[\0-\x08\x0B\x0C\x0E-\x1F\x7F-\x84\x86-\x9F\u202A-\u202E\u2066-\u2069]|\r(?!\n)/g;

const width = 120;

/** Quotes the line at the offset with a caret below; of a long line, only the part around the offset. */
export function quoteOf(source: SourceFile, offset: number): string {
  const { line, column } = filePlaceAt(source, offset);
  const before = column - 1;
  /** How many characters at the beginning of the line are left out. */
  const skipped = before < (width * 3) / 4 ? 0 : before - width / 2;
  const start = offset - before + skipped;
  const [text = ""] = source.text.slice(start, start + width).split(/\r?\n/, 1);
  const shown = skipped > 0 ? `…${readable(text.slice(1))}` : readable(text);
  const margin = " ".repeat(String(line).length);
  return ` ${line} | ${shown}\n ${margin} | ${" ".repeat(before - skipped)}^`;
}

/** Replaces characters that would shift the caret or control the terminal. */
const readable = (text: string) => text.replace(/\t/g, " ").replace(unseen, "\uFFFD");

export interface TextMistake {
  readonly offset: number;
  readonly text: string;
}

/** Mistakes that make parsing useless. Reports only the first of each kind: a file may be full of them. */
export function textMistakes({ text }: SourceFile, content: Buffer): TextMistake[] {
  if (!isUtf8(content))
    return [{ offset: Math.max(0, text.indexOf("\uFFFD")), text: "this is not UTF-8 text; save the file as UTF-8" }];
  const conflict = text.search(/^<{7} /m);
  if (conflict >= 0) return [{ offset: conflict, text: "found the marker of a merge conflict; resolve the conflict" }];
  const offset = text.search(unseen);
  if (offset < 0) return [];
  const code = text.charCodeAt(offset).toString(16).toUpperCase().padStart(4, "0");
  return [{ offset, text: `found the invisible character U+${code}; remove it` }];
}

export type Path = readonly PropertyKey[];

/** The position of a value: the offset of its key (or of the list item), and the offset of the value itself. */
export interface Position {
  readonly source: SourceFile;
  readonly key: number;
  readonly value: number;
  readonly inside?: ReadonlyMap<PropertyKey, Position>;
  readonly isList?: true;
}

export interface Point {
  readonly source: SourceFile;
  readonly offset: number;
  /** Whether the line must not be quoted. */
  readonly isConcealed?: boolean;
}

export interface Places {
  /** The position of a key or list item; `undefined` if no file declares it. */
  of(path: Path): FilePlace | undefined;
  /** A message about a path. If there is a file, it has the file, line and column, and quotes the line. */
  report(path: Path, text: string): string;
}

/** For an object in a program, which has paths but no positions. */
export const inProgram: Places = {
  of: () => undefined,
  report: (path, text) => (path.length > 0 ? `${dotted(path)}: ${text}` : text),
};

export function placesIn(root: Position): Places {
  return {
    of(path) {
      const position = positionAt(root, path);
      return position && filePlaceAt(position.source, position.key);
    },
    report: (path, text) => reportAt(pointOf(root, { path, text }), inProgram.report(path, text)),
  };
}

/** Never quoted: a `certificate` may be a private key by mistake, and the address of the `backend` may have a password. */
const isConcealed = (path: Path) => path.at(-1) === "certificate" || (path.length === 1 && path[0] === "backend");

export function reportAt({ source, offset, isConcealed = false }: Point, text: string): string {
  const { file, line, column } = filePlaceAt(source, offset);
  return `${file}:${line}:${column}: ${text}${isConcealed ? "" : `\n${quoteOf(source, offset)}`}`;
}

export function positionAt(root: Position, path: Path): Position | undefined {
  return path.reduce<Position | undefined>((position, key) => position?.inside?.get(key), root);
}

/**
 * The position of a wrong value, or of its name if the mistake is about the name or the value is a map. For a missing value, the
 * position of what is above it.
 */
export function pointOf(root: Position, { path, isAboutName }: Mistake): Point {
  let position = root;
  for (const key of path) {
    const inner = position.inside?.get(key);
    if (!inner) return { source: position.source, offset: position.key, isConcealed: isConcealed(path) };
    position = inner;
  }
  const isMap = position.inside !== undefined && !position.isList;
  const offset = isAboutName || isMap ? position.key : position.value;
  return { source: position.source, offset, isConcealed: isConcealed(path) };
}

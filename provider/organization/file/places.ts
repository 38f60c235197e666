import { dotted, type Mistake } from "../../text/mistakes";
import { type Place, placeIn, quoteOf, type Source } from "./source";

export type Path = readonly PropertyKey[];

/** The position of a value: the offset of its key (or of the list item), and the offset of the value itself. */
export interface Position {
  readonly source: Source;
  readonly key: number;
  readonly value: number;
  /** The positions inside a map or a list. */
  readonly inside?: ReadonlyMap<PropertyKey, Position>;
}

export interface Point {
  readonly source: Source;
  readonly offset: number;
}

export interface Places {
  /** The position of a key or list item; `undefined` if no file declares it. */
  of(path: Path): Place | undefined;
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
      return position && placeIn(position.source, position.key);
    },
    report: (path, text) => reportAt(pointOf(root, { path, text }), inProgram.report(path, text), !isConcealed(path)),
  };
}

/** The value of `certificate` is never quoted: it may be a private key by mistake. */
export const isConcealed = (path: Path) => path.at(-1) === "certificate";

export function reportAt({ source, offset }: Point, text: string, quoted = true): string {
  const { file, line, column } = placeIn(source, offset);
  return `${file}:${line}:${column}: ${text}${quoted ? `\n${quoteOf(source, offset)}` : ""}`;
}

export function positionAt(root: Position, path: Path): Position | undefined {
  return path.reduce<Position | undefined>((position, key) => position?.inside?.get(key), root);
}

/** The position of a mistake: the wrong value, the unknown name, or for a missing value the nearest name above it. */
export function pointOf(root: Position, { path, unknown }: Mistake): Point {
  let position = root;
  for (const key of path) {
    const inner = position.inside?.get(key);
    if (!inner) return { source: position.source, offset: position.key };
    position = inner;
  }
  return { source: position.source, offset: unknown || position.inside ? position.key : position.value };
}

import { dotted, type Mistake } from "../../text/mistakes";
import { type Place, placeIn, quoteOf, type Source } from "./source";

export type Path = readonly PropertyKey[];

/** Where a value stands: its key, or for an item of a list the item; and where the value itself begins. */
export interface Spot {
  readonly source: Source;
  readonly key: number;
  readonly value: number;
  /** Of a map or a list. */
  readonly inside?: ReadonlyMap<PropertyKey, Spot>;
}

/** An offset of a file. */
export interface Point {
  readonly source: Source;
  readonly offset: number;
}

/** Where the parts of an organization are declared, for messages about them. */
export interface Places {
  /** The place of a key, or of an item of a list; `undefined` for what no file declares. */
  of(path: Path): Place | undefined;
  /** A message about a path: with file, line and column, and the line quoted, where there is a file. */
  report(path: Path, text: string): string;
}

/** An object in a program: its paths are all that is known. */
export const inProgram: Places = {
  of: () => undefined,
  report: (path, text) => (path.length > 0 ? `${dotted(path)}: ${text}` : text),
};

export function placesIn(root: Spot): Places {
  return {
    of(path) {
      const spot = spotOf(root, path);
      return spot && placeIn(spot.source, spot.key);
    },
    report: (path, text) => reportAt(pointOf(root, { path, text }), inProgram.report(path, text), !isConcealed(path)),
  };
}

/** A certificate may be something else by mistake, such as a private key. */
export const isConcealed = (path: Path) => path.at(-1) === "certificate";

export function reportAt({ source, offset }: Point, text: string, quoted = true): string {
  const { file, line, column } = placeIn(source, offset);
  return `${file}:${line}:${column}: ${text}${quoted ? `\n${quoteOf(source, offset)}` : ""}`;
}

export function spotOf(root: Spot, path: Path): Spot | undefined {
  return path.reduce<Spot | undefined>((spot, key) => spot?.inside?.get(key), root);
}

/** Where a mistake is: at a wrong value, at an unknown name, or at the nearest name above something that is missing. */
export function pointOf(root: Spot, { path, unknown }: Mistake): Point {
  let spot = root;
  for (const key of path) {
    const inner = spot.inside?.get(key);
    if (!inner) return { source: spot.source, offset: spot.key };
    spot = inner;
  }
  return { source: spot.source, offset: unknown || spot.inside ? spot.key : spot.value };
}

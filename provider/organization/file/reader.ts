import { dirname, join } from "node:path";
import { isAlias, isMap, isScalar, isSeq, type Node, type Pair, type Scalar, type YAMLMap, type YAMLSeq } from "yaml";
import { DocsError } from "../../api/http/errors";
import { sectionNames } from "../sections";
import { isIncludable } from "../sections/schema";
import type { Folder } from "./folder";
import { includedFiles } from "./includes";
import type { Path, Point, Spot } from "./places";
import { type Source, sourceOf, textMistakes } from "./source";
import { parseYaml } from "./yaml-text";

/** Bytes of one file, and of all: 50,000 members fit into one. Whoever wrote the files, reading them has an end. */
const limits = { file: 2_097_152, all: 16_777_216, files: 2_000, includes: 1_000, depth: 64 };

/** Something that is wrong with the text of a file, whatever it says about the organization. */
export interface Flaw extends Point {
  readonly text: string;
  /** The same thing, in the place where it stands rightly. */
  readonly first?: Point;
}

export interface Read {
  readonly value: unknown;
  readonly spot: Spot;
}

/** Where the reader is. */
interface At {
  readonly source: Source;
  /** The files that led here by including each other. */
  readonly chain: readonly string[];
  readonly path: Path;
}

/** Reads a file with what it includes into one value, and remembers where each part of it stands. */
export class Reader {
  readonly flaws: Flaw[] = [];
  readonly sources: Source[] = [];
  /** Something could not be read, so what seems to be missing may be there. */
  partial = false;
  private bytes = 0;
  private includes = 0;

  constructor(
    private readonly folder: Folder,
    /** How messages name the folder. */
    private readonly title: string,
  ) {}

  /** The content of a file that stands at the path; `undefined` where it can not be read as YAML. */
  read(path: string, above: readonly string[] = [], at: Path = []): Read | undefined {
    const real = this.folder.real(path);
    if (above.includes(real)) throw new DocsError("a file can not include itself");
    if (this.bytes > limits.all) throw new DocsError(`the files before it have more than ${limits.all} bytes`);
    if (this.sources.length >= limits.files) throw new DocsError(`there are more than ${limits.files} files before it`);
    const content = this.folder.read(real, limits.file);
    this.bytes += content.length;
    const source = sourceOf(join(this.title, this.folder.relative(path)), real, content);
    this.sources.push(source);
    const broken = textMistakes(source, content);
    const { document, mistakes } = broken.length > 0 ? { mistakes: broken } : parseYaml(source);
    for (const { offset, text } of mistakes) this.refuse({ source, offset }, text);
    if (!document || mistakes.length > 0) return undefined;
    if (document.contents === null) return this.refuse({ source, offset: 0 }, "the file is empty");
    return this.node(document.contents, document.contents.range[0], { source, chain: [...above, real], path: at });
  }

  private node(node: Node | null, key: number, at: At): Read {
    const point = { source: at.source, offset: node?.range?.[0] ?? key };
    const spot = { source: at.source, key, value: point.offset };
    const reason = refusal(node, at.path);
    if (reason !== undefined) return { value: this.refuse(point, reason), spot };
    if (node?.tag === include) return this.included(String((node as Scalar).value), spot, at);
    if (isMap(node)) return this.map(node, spot, at);
    if (isSeq(node)) return this.list(node, spot, at);
    return { value: isScalar(node) ? node.value : null, spot };
  }

  private map(node: YAMLMap, spot: Spot, at: At): Read {
    const inside = new Map<PropertyKey, Spot>();
    const value: Record<string, unknown> = {};
    for (const pair of node.items as Pair<Node | null, Node | null>[]) {
      const name = this.name(pair.key, spot);
      if (name === undefined) continue;
      const offset = pair.key?.range?.[0] ?? spot.value;
      const first = inside.get(name);
      const inner = this.node(pair.value, offset, { ...at, path: [...at.path, name] });
      if (first) this.duplicate(name, { source: at.source, offset }, first);
      else {
        inside.set(name, inner.spot);
        value[name] = inner.value;
      }
    }
    return { value, spot: { ...spot, inside } };
  }

  private list(node: YAMLSeq, spot: Spot, at: At): Read {
    const items = (node.items as (Node | null)[]).map((item, index) =>
      this.node(item, item?.range?.[0] ?? spot.value, { ...at, path: [...at.path, index] }),
    );
    const inside = new Map(items.map((item, index) => [index, item.spot]));
    return { value: items.map(({ value }) => value), spot: { ...spot, inside } };
  }

  /** A key is the text that is written: `0123` and `true` name a user as well as any other text. */
  private name(key: Node | null, map: Spot): string | undefined {
    const reason = keyRefusal(key);
    if (reason === undefined) return (key as Scalar).source;
    this.refuse({ source: map.source, offset: key?.range?.[0] ?? map.value }, reason);
    return undefined;
  }

  /** The maps of all files that the pattern names, as one. */
  private included(pattern: string, spot: Spot, at: At): Read {
    const point = { source: at.source, offset: spot.value };
    const inside = new Map<PropertyKey, Spot>();
    const value: Record<string, unknown> = {};
    this.attempt(point, `!include ${pattern}: `, () => {
      this.includes += 1;
      if (this.includes > limits.includes) throw new DocsError(`there are more than ${limits.includes} of it before`);
      for (const file of includedFiles(pattern, dirname(at.source.path), this.folder)) {
        const name = this.folder.relative(file);
        this.attempt(point, `!include ${name}: `, () => this.merge(this.read(file, at.chain, at.path), inside, value));
      }
    });
    return { value, spot: { ...spot, inside } };
  }

  private merge(read: Read | undefined, inside: Map<PropertyKey, Spot>, value: Record<string, unknown>): void {
    if (!read) return;
    const { source, value: offset } = read.spot;
    if (typeof read.value !== "object" || read.value === null || Array.isArray(read.value)) {
      this.refuse({ source, offset }, "an included file has to be a map, as what it is included for");
      return;
    }
    for (const [name, inner] of Object.entries(read.value)) {
      const spot = read.spot.inside?.get(name);
      const first = inside.get(name);
      if (first && spot) this.duplicate(name, { source: spot.source, offset: spot.key }, first);
      else if (spot) {
        inside.set(name, spot);
        value[name] = inner;
      }
    }
  }

  private attempt(point: Point, prefix: string, action: () => void): void {
    try {
      action();
    } catch (error) {
      if (!(error instanceof DocsError)) throw error;
      this.refuse(point, `${prefix}${error.message}`);
    }
  }

  private duplicate(name: string, point: Point, { source, key }: Spot): void {
    const first = { source, offset: key };
    this.flaws.push({ ...point, text: `"${name}" is there already; keep one of them`, first });
  }

  private refuse(point: Point, text: string): undefined {
    this.partial = true;
    this.flaws.push({ ...point, text });
  }
}

const include = "!include";
const includableNames = `${sectionNames.slice(0, -1).join(", ")} or ${sectionNames.at(-1)}`;
const knownTags = /^tag:yaml\.org,2002:(?:str|int|float|bool|null|map|seq)$/;
const writtenOut = "write the values out where they are used, so that a review shows them there";

/** Why a value is not read. An alias stands for something that a reviewer does not see, perhaps a thousand times. */
function refusal(node: Node | null, path: Path): string | undefined {
  if (path.length > limits.depth) return "this is too deep to be read";
  if (isAlias(node)) return aliasText(node.source);
  if (node?.anchor) return `found the anchor &${node.anchor}; ${writtenOut}`;
  if (node?.tag === include && !isIncludable(path)) {
    return `!include stands for the whole of ${includableNames}, or of the members of a team`;
  }
  if (!node?.tag || node.tag === include || knownTags.test(node.tag)) return undefined;
  return `${node.tag.replace("tag:yaml.org,2002:", "!!")} can not be used; remove it`;
}

function keyRefusal(key: Node | null): string | undefined {
  if (isAlias(key)) return aliasText(key.source);
  if (!isScalar(key) || !key.source || key.tag) return "a key has to be a text, without a tag";
  if (key.anchor) return `found the anchor &${key.anchor}; ${writtenOut}`;
  if (key.source === "<<" && key.type === "PLAIN") return `found the merge key <<; ${writtenOut}`;
  return key.source === "__proto__" ? "this name can not be used" : undefined;
}

function aliasText(name: string): string {
  return `found the alias *${name}; if it is a text, put it in quotes: "*${name}"; if not, ${writtenOut}`;
}

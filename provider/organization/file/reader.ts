import { dirname, join } from "node:path";
import { isAlias, isMap, isScalar, isSeq, type Node, type Pair, type Scalar, type YAMLMap, type YAMLSeq } from "yaml";
import { DocsError } from "../../api/http/errors";
import { Settings } from "../../run/settings";
import { sectionNames } from "../sections";
import { isIncludable } from "../sections/schema";
import type { Folder } from "./folder";
import { includedFiles } from "./includes";
import { type Path, type Point, type Position, type SourceFile, sourceOf, textMistakes } from "./places";
import { parseYaml } from "./yaml-text";

/** Limits, so that hostile files cannot make reading slow: bytes of one file (50,000 members in 5,000 teams have half of it) and of all files, numbers of files and includes, and depth. */
const limits = { file: 8_388_608, all: 16_777_216, files: 2_000, includes: 1_000, depth: 64 };

/** A mistake in the text of a file, independent of the organization that it declares. */
export interface Flaw extends Point {
  readonly text: string;
  /** The first occurrence, if the mistake is a duplicate. */
  readonly first?: Point;
}

export interface Read {
  readonly value: unknown;
  readonly position: Position;
}

/** The entries of a map, and where each of them is. */
interface MapParts {
  readonly value: Record<string, unknown>;
  readonly inside: Map<PropertyKey, Position>;
}

interface At {
  readonly source: SourceFile;
  /** The chain of files whose includes led here. */
  readonly chain: readonly string[];
  readonly path: Path;
}

/** Reads a file and its includes into one value, and records the position of each part. */
export class Reader {
  readonly flaws: Flaw[] = [];
  readonly sources: SourceFile[] = [];
  /** A part could not be read, so a value that seems to be missing may exist. */
  partial = false;
  /** The file is for several organizations, of which the environment chooses one. */
  isForSeveral = false;
  private bytes = 0;
  private includes = 0;

  constructor(
    private readonly folder: Folder,
    /** How messages name the folder. */
    private readonly title: string,
    /** Whether to read what the file includes: 50,000 members take seconds. */
    private readonly withIncludes: boolean,
  ) {}

  /** The content of a file, which declares the `part` of the organization; `undefined` if it is not valid YAML. */
  read(path: string, above: readonly string[] = [], part: Path = []): Read | undefined {
    const real = this.folder.real(path);
    if (above.includes(real)) throw new DocsError("a file cannot include itself");
    if (this.bytes > limits.all) throw new DocsError(`the files before it have more than ${limits.all} bytes in total`);
    if (this.sources.length >= limits.files) throw new DocsError(`there are more than ${limits.files} files before it`);
    const content = this.folder.read(real, limits.file);
    this.bytes += content.length;
    const source = sourceOf(join(this.title, this.folder.relative(path)), real, content);
    this.sources.push(source);
    const broken = textMistakes(source, content);
    const { document, mistakes } = broken.length > 0 ? { mistakes: broken } : parseYaml(source);
    for (const { offset, text } of mistakes) this.addFlaw({ source, offset }, text);
    if (!document || mistakes.length > 0) return undefined;
    if (document.contents === null) return this.addFlaw({ source, offset: 0 }, "the file is empty");
    const at = { source, chain: [...above, real], path: part };
    return this.readNode(document.contents, document.contents.range[0], at);
  }

  private readNode(node: Node | null, key: number, at: At): Read {
    const point = { source: at.source, offset: node?.range?.[0] ?? key };
    const position = { source: at.source, key, value: point.offset };
    const reason = refusal(node, at.path);
    if (reason !== undefined) {
      this.addFlaw(point, reason);
      return { value: undefined, position };
    }
    if (node?.tag === include && !this.withIncludes) return { value: {}, position };
    if (node?.tag === include) {
      const pattern = this.withVariable(String((node as Scalar).value), point);
      return pattern === undefined ? { value: {}, position } : this.readIncluded(pattern, position, at);
    }
    if (isMap(node)) return this.readMap(node, position, at);
    if (isSeq(node)) return this.readList(node, position, at);
    const value = isScalar(node) ? node.value : null;
    const isVariableAsId = value === organizationVariable && at.path.join(".") === "organization";
    return { value: isVariableAsId ? this.withVariable(value, point) : value, position };
  }

  /** The text with the id of the organization that the environment chooses. */
  private withVariable(text: string, point: Point): string | undefined {
    if (!text.includes(organizationVariable)) return text;
    this.isForSeveral = true;
    const organizationId = new Settings().organizationId();
    if (organizationId !== undefined) return text.replaceAll(organizationVariable, () => organizationId);
    const flaw = "DOCS_ORGANIZATION_ID is not set; set this environment variable to the id of the organization";
    return this.addFlaw(point, flaw);
  }

  private readMap(node: YAMLMap, position: Position, at: At): Read {
    const parts: MapParts = { value: {}, inside: new Map() };
    for (const pair of node.items as Pair<Node | null, Node | null>[]) {
      const name = this.readKey(pair.key, position);
      if (name === undefined) continue;
      const offset = pair.key?.range?.[0] ?? position.value;
      this.addEntry(parts, name, this.readNode(pair.value, offset, { ...at, path: [...at.path, name] }));
    }
    return { value: parts.value, position: { ...position, inside: parts.inside } };
  }

  private readList(node: YAMLSeq, position: Position, at: At): Read {
    const items = (node.items as (Node | null)[]).map((item, index) =>
      this.readNode(item, item?.range?.[0] ?? position.value, { ...at, path: [...at.path, index] }),
    );
    const inside = new Map(items.map((item, index) => [index, item.position]));
    return { value: items.map(({ value }) => value), position: { ...position, inside, isList: true } };
  }

  /** A key is the text as it is written: `0123` and `true` are names of users like any other text. */
  private readKey(key: Node | null, map: Position): string | undefined {
    const reason = keyRefusal(key);
    if (reason === undefined) return (key as Scalar).source;
    this.addFlaw({ source: map.source, offset: key?.range?.[0] ?? map.value }, reason);
    return undefined;
  }

  /** The maps of all files that match the pattern, merged. */
  private readIncluded(pattern: string, position: Position, at: At): Read {
    const point = { source: at.source, offset: position.value };
    const parts: MapParts = { value: {}, inside: new Map() };
    this.attempt(point, `!include ${pattern}: `, () => {
      this.includes += 1;
      if (this.includes > limits.includes)
        throw new DocsError(`there are more than ${limits.includes} includes before it`);
      for (const file of includedFiles(pattern, dirname(at.source.path), this.folder)) {
        const name = this.folder.relative(file);
        this.attempt(point, `!include ${name}: `, () => this.addEntries(parts, this.read(file, at.chain, at.path)));
      }
    });
    return { value: parts.value, position: { ...position, inside: parts.inside } };
  }

  private addEntries(parts: MapParts, read: Read | undefined): void {
    if (!read) return;
    const { source, value: offset } = read.position;
    if (typeof read.value !== "object" || read.value === null || Array.isArray(read.value)) {
      this.addFlaw({ source, offset }, "an included file must be a map, like the part that it replaces");
      return;
    }
    for (const [name, inner] of Object.entries(read.value)) {
      const position = read.position.inside?.get(name);
      if (position) this.addEntry(parts, name, { value: inner, position });
    }
  }

  private attempt(point: Point, prefix: string, action: () => void): void {
    try {
      action();
    } catch (error) {
      if (!(error instanceof DocsError)) throw error;
      this.addFlaw(point, `${prefix}${error.message}`);
    }
  }

  private addEntry({ value, inside }: MapParts, name: string, entry: Read): void {
    const first = inside.get(name);
    if (first === undefined) {
      inside.set(name, entry.position);
      value[name] = entry.value;
      return;
    }
    const text = `"${name}" is declared twice; keep one of them`;
    const { source, key: offset } = entry.position;
    this.flaws.push({ source, offset, text, first: { source: first.source, offset: first.key } });
  }

  private addFlaw(point: Point, text: string): undefined {
    this.partial = true;
    this.flaws.push({ ...point, text });
  }
}

const include = "!include";
/** What a file has in the place of an id, if it is for several organizations. It can name no other variable, such as a secret. */
export const organizationVariable = `\${DOCS_ORGANIZATION_ID}`;
const includableNames = `${sectionNames.slice(0, -1).join(", ")} or ${sectionNames.at(-1)}`;
const knownTags = /^tag:yaml\.org,2002:(?:str|int|float|bool|null|map|seq)$/;
const writtenOut = "write the values out where they are used, so that reviewers see them";

/** The reason to refuse a value. An alias hides its value from reviewers, and can repeat it a thousand times. */
function refusal(node: Node | null, path: Path): string | undefined {
  if (path.length > limits.depth) return "this is nested too deeply";
  if (isAlias(node)) return aliasText(node.source);
  if (node?.anchor) return `found the anchor &${node.anchor}; ${writtenOut}`;
  if (node?.tag === include && !isIncludable(path))
    return `!include can only replace ${includableNames}, or the members of a team`;
  if (!node?.tag || node.tag === include || knownTags.test(node.tag)) return undefined;
  return `${node.tag.replace("tag:yaml.org,2002:", "!!")} cannot be used; remove it`;
}

function keyRefusal(key: Node | null): string | undefined {
  if (isAlias(key)) return aliasText(key.source);
  if (isScalar(key) && key.source === "") return "a key cannot be empty";
  if (!isScalar(key) || !key.source || key.tag) return "a key must be a text without a tag";
  if (key.anchor) return `found the anchor &${key.anchor}; ${writtenOut}`;
  if (key.source === "<<" && key.type === "PLAIN") return `found the merge key <<; ${writtenOut}`;
  return key.source === "__proto__" ? "the name __proto__ cannot be used; use another one" : undefined;
}

function aliasText(name: string): string {
  return `found the alias *${name}; if it is a text, put it in quotes: "*${name}"; if not, ${writtenOut}`;
}

import { DocsError } from "../../api/http/errors";
import { dotted, type Mistake, mistakesIn } from "../../text/mistakes";
import { type Seed, seed } from "./seed";

/** Parses the text of a seed file; the error lists each mistake with line and column. */
export async function seedFromYaml(text: string, file: string): Promise<Seed> {
  const { LineCounter, parseDocument } = await import("yaml");
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const broken = document.errors.map(({ pos, message }) => ({ offset: pos[0], text: message }));
  const content: unknown = broken.length > 0 ? undefined : document.toJS();
  const wrong = broken.length > 0 ? broken : mistakesIn(seed, content).map((one) => placed(one, document.contents));
  if (wrong.length === 0) return content as Seed;
  const sentences = wrong
    .sort((a, b) => a.offset - b.offset)
    .map(({ offset, text }) => {
      const { line, col } = lines.linePos(offset);
      return `${file}:${line}:${col}: ${text}`;
    });
  throw new DocsError(sentences.join("\n"));
}

/** Part of the YAML library's nodes that is needed to locate a mistake. */
interface YamlNode {
  readonly range?: readonly number[] | null | undefined;
  /** Nodes of a list or pairs of a map. An alias has none, so a mistake in it is located at its use. */
  readonly items?: readonly unknown[];
  readonly value?: unknown;
}

interface YamlPair {
  readonly key?: YamlNode;
  readonly value?: YamlNode | null;
}

function placed(mistake: Mistake, root: YamlNode | null) {
  const { path, text } = mistake;
  return { offset: offsetOf(root, mistake), text: path.length > 0 ? `${dotted(path)}: ${text}` : text };
}

/** Offset of the mistake: of a wrong value, of an unknown name, or of the nearest name above a missing property. */
function offsetOf(root: YamlNode | null, { path, unknown }: Mistake): number {
  let node = root;
  let offset = root?.range?.[0] ?? 0;
  for (const [index, key] of path.entries()) {
    const child = childOf(node, key);
    if (!child) return offset;
    const atName = unknown || index < path.length - 1 || !child.value;
    offset = ((atName && child.key) || child.value)?.range?.[0] ?? offset;
    node = child.value ?? null;
  }
  return offset;
}

function childOf(node: YamlNode | null, key: PropertyKey): YamlPair | undefined {
  if (typeof key === "number") return node?.items?.[key] ? { value: node.items[key] as YamlNode } : undefined;
  const pairs = node?.items as readonly YamlPair[] | undefined;
  return pairs?.find((pair) => String(pair.key?.value) === String(key));
}

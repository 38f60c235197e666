import type { Document, Node } from "yaml";
import { DocsError } from "../../api/http/errors";
import { inOneLine, type Mistake, mistakesIn } from "../../text/mistakes";
import { type Seed, seed } from "./seed";

type Yaml = Pick<typeof import("yaml"), "isMap" | "isScalar">;

/** Parses the text of a seed file; the error lists each mistake with line and column. */
export async function seedFromYaml(text: string, file: string): Promise<Seed> {
  const yaml = await import("yaml");
  const lines = new yaml.LineCounter();
  const document = yaml.parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const placed = (one: Mistake) => ({ offset: offsetOf(yaml, document, one), text: inOneLine([one]) });
  const broken = document.errors.map(({ pos, message }) => ({ offset: pos[0], text: message }));
  const content: unknown = broken.length > 0 ? undefined : document.toJS();
  const wrong = broken.length > 0 ? broken : mistakesIn(seed, content).map(placed);
  if (wrong.length === 0) return content as Seed;
  const sentences = wrong
    .sort((a, b) => a.offset - b.offset)
    .map(({ offset, text }) => {
      const { line, col } = lines.linePos(offset);
      return `${file}:${line}:${col}: ${text}`;
    });
  throw new DocsError(sentences.join("\n"));
}

/** Offset of the mistake: of a wrong value, of an unknown name, or of the nearest name above a missing property. */
function offsetOf({ isMap, isScalar }: Yaml, document: Document, { path, unknown }: Mistake): number {
  for (let depth = path.length; depth > 0; depth--) {
    const value = document.getIn(path.slice(0, depth), true) as Node | undefined;
    if (value === undefined) continue;
    if (depth === path.length && !unknown) return value.range?.[0] ?? 0;
    const above = document.getIn(path.slice(0, depth - 1), true);
    const names = isMap(above) ? above.items.map(({ key }) => key) : [];
    const name = names.find((one) => isScalar(one) && one.value === path[depth - 1]) as Node | undefined;
    return (name ?? value).range?.[0] ?? 0;
  }
  return 0;
}

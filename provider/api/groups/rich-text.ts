import type { Block, RichText } from "./shared";

/** Converts plain text to a rich-text document: a paragraph for each line that is not empty. */
export function richTextOf(text: string): RichText {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  return { object: "document", data: {}, nodes: lines.map(paragraph) };
}

function paragraph(text: string): Block {
  return {
    object: "block",
    type: "paragraph",
    nodes: [{ object: "text", leaves: [{ object: "leaf", text, marks: [] }] }],
  };
}

/** Whether two texts, plain or rich, have the same content, ignoring keys, marks and the division into leaves. */
export function sameMeaning(a: unknown, b: unknown): boolean {
  return JSON.stringify(meaningOf(a)) === JSON.stringify(meaningOf(b));
}

/** Rich text as plain text; `undefined` if plain text would lose something. */
export function plainTextOf(text: RichText): string | undefined {
  const plain = text.nodes.map(textIn).join("\n");
  return !hasMarks(text) && sameMeaning(plain, text) ? plain : undefined;
}

export function textIn(node: unknown): string {
  const { text = "", leaves = [], nodes = [] } = node as { text?: string; leaves?: unknown[]; nodes?: unknown[] };
  return [text, ...[...leaves, ...nodes].map(textIn)].join("");
}

function hasMarks(node: unknown): boolean {
  if (typeof node !== "object" || node === null) return false;
  const { marks } = node as { marks?: unknown };
  return (Array.isArray(marks) && marks.length > 0) || Object.values(node).some(hasMarks);
}

/** A text, or the type of a block with its content. */
type Meaning = string | { readonly type: string; readonly inside: readonly Meaning[] };

function meaningOf(text: unknown): Meaning[] {
  const document = typeof text === "object" && text !== null ? (text as RichText) : richTextOf(String(text ?? ""));
  return inside(document.nodes);
}

interface Node {
  readonly object?: string;
  readonly type?: string;
  readonly nodes?: readonly unknown[];
  readonly leaves?: readonly { readonly text?: string }[];
}

function inside(nodes: readonly unknown[] | undefined): Meaning[] {
  const found: Meaning[] = [];
  for (const node of (nodes ?? []) as Node[]) {
    if (node.object !== "text") {
      found.push({ type: node.type ?? "", inside: inside(node.nodes) });
      continue;
    }
    const words = (node.leaves ?? []).map((leaf) => leaf.text ?? "").join("");
    const before = found.at(-1);
    // Adjacent texts count as one text.
    if (typeof before === "string") found[found.length - 1] = before + words;
    else if (words !== "") found.push(words);
  }
  return found;
}

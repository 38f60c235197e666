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
export const sameMeaning = (a: unknown, b: unknown): boolean => meaningOf(a) === meaningOf(b);

/** Rich text as plain text; `undefined` if plain text would lose something. */
export function plainTextOf(text: RichText): string | undefined {
  const plain = text.nodes.map(textOfNode).join("\n");
  return !hasMarks(text) && sameMeaning(plain, text) ? plain : undefined;
}

export function textOfNode(node: unknown): string {
  const { text, leaves, nodes } = node as { text?: string; leaves?: unknown[] | null; nodes?: unknown[] | null };
  return [text ?? "", ...[...(leaves ?? []), ...(nodes ?? [])].map(textOfNode)].join("");
}

function hasMarks(node: unknown): boolean {
  if (typeof node !== "object" || node === null) return false;
  const { marks } = node as { marks?: unknown };
  return (Array.isArray(marks) && marks.length > 0) || Object.values(node).some(hasMarks);
}

function meaningOf(text: unknown): string {
  const document = typeof text === "object" && text !== null ? (text as RichText) : richTextOf(String(text ?? ""));
  return document.nodes.map(meaningIn).join("");
}

/** The text in a node. Each block has its type before and a NUL after it, so that equal texts in unequal blocks differ. */
function meaningIn(node: unknown): string {
  const { object, type, nodes } = node as { object?: string; type?: string; nodes?: unknown[] | null };
  return object === "text" ? textOfNode(node) : `\0${type ?? ""}\0${(nodes ?? []).map(meaningIn).join("")}\0`;
}

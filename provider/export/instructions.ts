import { sameMeaning } from "../api/groups/rich-text";
import type { RichText } from "../api/groups/shared";

/** Rich text as plain text, `undefined` where it says more than that. */
export function plainTextOf(text: RichText): string | undefined {
  const lines = text.nodes.map((node) => wordsIn(node));
  const plain = lines.join("\n");
  return !hasMarks(text) && sameMeaning(plain, text) ? plain : undefined;
}

function wordsIn(node: unknown): string {
  const { text = "", leaves = [], nodes = [] } = node as { text?: string; leaves?: unknown[]; nodes?: unknown[] };
  return [text, ...[...leaves, ...nodes].map(wordsIn)].join("");
}

function hasMarks(node: unknown): boolean {
  if (typeof node !== "object" || node === null) return false;
  const { marks } = node as { marks?: unknown };
  return (Array.isArray(marks) && marks.length > 0) || Object.values(node).some(hasMarks);
}

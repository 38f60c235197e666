import type { Block, RichText } from "../../api/groups/shared";
import { linkPattern } from "./links";

/**
 * Converts Markdown to rich text: headings and paragraphs with text and links. Other Markdown stays text: which blocks
 * the service creates for it is not shown.
 */
export function richTextOf(markdown: string): RichText {
  const parts = markdown.split(/\n{2,}|\n(?=#{1,6} )|(?<=^#{1,6} .*)\n/m).map((part) => part.trim());
  return { object: "document", data: { schemaVersion: 1 }, nodes: parts.filter((part) => part !== "").map(blockOf) };
}

function blockOf(part: string): Block {
  const [, marks = "", heading = part] = /^(#{1,6}) +(.+)$/.exec(part) ?? [];
  // The service has three levels of headings.
  const type = marks === "" ? "paragraph" : `heading-${Math.min(marks.length, 3)}`;
  return { object: "block", type, isVoid: false, data: {}, nodes: inlinesOf(heading) };
}

function inlinesOf(text: string): NonNullable<Block["nodes"]> {
  const nodes: NonNullable<Block["nodes"]> = [];
  let from = 0;
  for (const match of text.matchAll(linkPattern)) {
    if (match.index > from) nodes.push(textNode(text.slice(from, match.index)));
    const [whole, label = "", href = ""] = match;
    const data = { ref: { kind: "url", url: href } };
    nodes.push({ object: "inline", type: "link", isVoid: false, data, nodes: [textNode(label)] });
    from = match.index + whole.length;
  }
  if (from < text.length || nodes.length === 0) nodes.push(textNode(text.slice(from)));
  return nodes;
}

const textNode = (text: string) => ({
  object: "text" as const,
  leaves: [{ object: "leaf" as const, text, marks: [] }],
});

import type { Block, RichText } from "../../api/groups/shared";

/**
 * Converts Markdown to rich text: headings and paragraphs with text. Other Markdown stays text: which blocks
 * the service creates for it is not shown.
 */
export function parseMarkdown(markdown: string): RichText {
  const parts = markdown.split(/\n{2,}|\n(?=#{1,6} )|\n(?<=^#{1,6} .*\n)/m).map((part) => part.trim());
  return { object: "document", data: { schemaVersion: 1 }, nodes: parts.filter((part) => part !== "").map(blockOf) };
}

function blockOf(part: string): Block {
  const [, marks = "", heading = part] = /^(#{1,6}) +(.+)$/.exec(part) ?? [];
  // The service has three levels of headings.
  const type = marks === "" ? "paragraph" : `heading-${Math.min(marks.length, 3)}`;
  return { object: "block", type, isVoid: false, data: {}, nodes: [textNode(heading)] };
}

const textNode = (text: string) => ({
  object: "text" as const,
  leaves: [{ object: "leaf" as const, text, marks: [] }],
});

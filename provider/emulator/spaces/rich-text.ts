import type { Block, RichText } from "../../api/groups/shared";

/** Converts headings and paragraphs of Markdown. Other Markdown stays text: the blocks that the service creates for it are not known. */
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

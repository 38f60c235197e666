import type { Section } from "../sections";

/** The selector keeps phones from drawing `⚠`, `↔` and `◼` as pictures. */
export const symbolOf = (symbol: string) => `<span class="symbol" aria-hidden="true">${symbol}\ufe0e</span>`;

/** The heading of a part of the page: anchor, title, and number of entries. */
export type Heading = Pick<Section, "id" | "title" | "symbol"> & Partial<Pick<Section, "entries">>;

/** Links to the parts of the page; empty for fewer than three parts. */
export function contentsOf(parts: readonly Heading[]): string {
  if (parts.length < 3) return "";
  const links = parts.map((part) => `<a class="${part.id}" href="#${part.id}">${headingOf(part)}</a>`);
  return `<nav aria-label="On this page">${links.join("\n")}</nav>`;
}

export const headingOf = ({ title, symbol, entries }: Heading): string =>
  `${symbolOf(symbol)} ${title}${entries ? ` ${countOf(entries)}` : ""}`;

const countOf = ({ length }: readonly unknown[]) => `<span class="count">(${length.toLocaleString("en-US")})</span>`;

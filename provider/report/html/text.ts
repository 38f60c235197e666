import { rendered, type SafeText, type Value } from "../../text/safe-text";
import { visible } from "../../text/visible";

/** Words as text and values as code, unshortened. Both are escaped, so they cannot contain markup. */
export const marked = (text: SafeText): string =>
  rendered(text, { form: "whole", word: safe, value: (value) => code(value, longestValue), special: specialOf });

function specialOf({ value, id, link }: Value): string | undefined {
  if (link) return `<a href="${safe(value, 2000)}">${safe(value, 2000)}</a>`;
  return id === undefined ? undefined : code(value, longestValue).replace("<code>", () => `<code title="${safe(id)}">`);
}

export const code = (value: string, most?: number): string =>
  value === "" ? "(empty)" : `<code>${safe(value, most)}</code>`;

/** Nobody reads a longer value. */
const longestValue = 100_000;

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

export const safe = (text: string, most?: number): string =>
  visible(text, most).replace(/[&<>"']/g, (one) => entities[one] ?? one);

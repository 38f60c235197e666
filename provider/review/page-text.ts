import { visible } from "./visible";
import type { Words } from "./words";

/** Words as text, values as code: neither can be more than text. */
export const marked = (text: Words): string =>
  text.map((part) => (typeof part === "string" ? safe(part) : code(part.value))).join("");
export const code = (value: string): string => (value === "" ? "(empty)" : `<code>${safe(value)}</code>`);

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text for an element or a quoted attribute. */
export const safe = (text: string, most?: number): string =>
  visible(text, most).replace(/[&<>"']/g, (one) => entities[one] ?? one);

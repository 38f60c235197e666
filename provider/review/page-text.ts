import { visible } from "./visible";
import type { Words } from "./words";

/** Words as text, values as code, both whole: neither can be more than text. */
export function marked(text: Words): string {
  const one = (part: Words[number]) =>
    typeof part === "string" ? safe(part) : "value" in part ? code(part.value, whole) : marked(part.whole);
  return text.map(one).join("");
}

export const code = (value: string, most?: number): string =>
  value === "" ? "(empty)" : `<code>${safe(value, most)}</code>`;

/** What is longer is no text that anybody reads. */
const whole = 100_000;

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

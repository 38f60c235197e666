/** Escapes invisible characters as JSON does, `\u200b`, so that a JSON text keeps its meaning. */
export function escaped(text: string): string {
  const unit = (one: string) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return text.replace(/(?! )[\s\p{C}\p{DI}]/gu, (one) => one.split("").map(unit).join(""));
}

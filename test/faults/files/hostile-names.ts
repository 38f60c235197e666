import fc from "fast-check";
import { expect } from "vitest";
import { hostile } from "../../review/hostile";
import { runnerLog } from "../../support/runner-log";

/** Generated names that mean something to whatever shows them, and rules that share no code with what escapes them. */

const pieces = fc.constantFrom(
  ...hostile,
  ..."\0 \x07 \b \t \n \r \r\n \x1b[2J \x1b]8;;https://evil.test\x07 \x7f \x85 \x9b31m \x9d0;x\x9c".split(" "),
  ..."\u00ad \u061c \u200b \u200d \u200e \u2028 \u2029 \u202e \u2066 \u2069 \ufeff \ufe0f \u{e0041} \ud800 \udc00".split(
    " ",
  ),
  "::error::faked",
  "\n::stop-commands::x\n",
  "##[add-mask]admin",
  "\n##[error]x",
  "[a](https://evil.test)",
  "![a](//evil.test/p.png)",
  "<https://evil.test>",
  "https://evil.test/x",
  "www.evil.test",
  "[a]: https://evil.test",
  "@acme/admins",
  "#1",
  "acme/docs#1",
  "GH-1",
  "\n# Approved",
  "\n\n---\n",
  "\n===\n",
  "\n> quoted",
  "\n- [x] done",
  "\n    code",
  "\n```\n",
  "\n~~~\n",
  "`",
  "``",
  "\\`",
  "\\",
  "$x$",
  "| a |",
  "*a*",
  "_a_",
  ":tada:",
  "&lt;b&gt;",
  "&#60;",
  "<!--",
  "-->",
  "]]>",
  "</code><b onclick=x>",
  "</script><script>alert(1)</script>",
  "</style>",
  "' onmouseover=x '",
  '" onmouseover=x "',
  "javascript:alert(1)",
  "%0a::error::x",
  "x".repeat(5_000),
  "`".repeat(300),
);
export const name = fc.oneof(
  { weight: 3, arbitrary: fc.array(pieces, { minLength: 1, maxLength: 4 }).map((all) => all.join("")) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", minLength: 1, maxLength: 40 }) },
);
/** Title, person, label and description. */
export const hostileNames = fc.tuple(name, name, name, name);
export type Names = typeof hostileNames extends fc.Arbitrary<infer One> ? One : never;

/** The characters that a terminal carries out, hides or reverses, as Unicode names them; a line break of ours is none. */
export const unseen =
  /(?!\n)\p{Cc}|[\p{Cs}\p{Zl}\p{Zp}\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]|[\u{e0000}-\u{e0fff}]/u;

/** Neither the terminal nor the log of a CI job takes anything for more than text. */
export function expectPlain(text: string): void {
  expect(text).not.toMatch(unseen);
  // As the log of a job that runs the command without the scripts of examples/github-actions.
  expect(runnerLog(text)).toMatchObject({ commands: [], stopped: false });
  for (const line of text.split("\n")) expect(line.trimStart().startsWith("::")).toBe(false);
}

/**
 * What is left of a line without its code. All values are in code spans, which only the end of a block can interrupt (CommonMark 0.31,
 * 6.1). Each block of ours is one line, so no parser is needed to tell what is outside of them.
 */
function outsideCode(line: string): string {
  let [outside, rest] = ["", line];
  for (let open = /(?<!\\)`+/.exec(rest); open; open = /(?<!\\)`+/.exec(rest)) {
    outside += rest.slice(0, open.index);
    const after = rest.slice(open.index + open[0].length);
    const close = [...after.matchAll(/`+/g)].find(([fence]) => fence.length === open[0].length);
    if (!close) return `${outside}UNPAIRED${after}`;
    rest = after.slice(close.index + open[0].length);
  }
  return outside + rest;
}

/** Expects that nothing is a link, a picture, HTML, a mention, a reference to an issue or emphasis. The first line marks a comment. */
export function expectOnlyWords(markdown: string, headings: readonly string[]): void {
  expect(markdown).not.toMatch(unseen);
  const [marker = "", ...lines] = markdown.split("\n");
  expect(marker).toMatch(/^<!-- docs-org [\w. /-]+ -->$/);
  let fence = "";
  for (const line of lines) {
    // A refusal is in a block whose fence is longer than any in it.
    const [ticks = ""] = /^`{3,}/.exec(line) ?? [];
    if (fence) {
      if (line === fence) fence = "";
      continue;
    }
    if (ticks && /^`+text$/.test(line)) {
      fence = ticks;
      continue;
    }
    const outside = outsideCode(line).replace(/\\./g, "");
    expect(outside).not.toMatch(/UNPAIRED|[<@[\]*_#]\w|\]\(|https?:|www\.|!\[|GH-\d|^\s*(?:[=~-]{3,}|```)/);
    if (line.startsWith("#")) expect(headings).toContain(/^#+/.exec(line)?.[0]);
  }
  expect(fence).toBe("");
}

/** Elements and attributes of a page, read as a browser does: a tag ends at the first > outside of quotes. */
export function elementsIn(page: string): string[] {
  const body = page.replace(/<(script|style)>[\s\S]*?<\/\1>/g, "<$1>");
  return [...body.matchAll(/<[!/?]?[a-z-][^\s>/]*(?:"[^"]*"|'[^']*'|[^'">])*>/gi)].map(([tag]) =>
    tag.replace(/"[^"]*"/g, '""'),
  );
}

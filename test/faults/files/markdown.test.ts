import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import { markdownOf as auditComment } from "../../../provider/audit/markdown";
import type { Review } from "../../../provider/review/model/review";
import { markdownOf as reviewComment } from "../../../provider/review/render/markdown";
import { named as auditNamed } from "../../audit/support";
import { hostile } from "../../review/hostile";
import { reviewOfSteps } from "../../review/support";
import { holds } from "../cases";

/** Titles, names and e-mails in Markdown, judged by a parser: what it finds must not depend on the name. */

const parts = [
  ...hostile,
  ...[
    "\x1b[31m",
    "\x1b]0;owned\x07",
    "\x9b2J",
    "\u202e",
    "\u2066",
    "\u200b",
    "\0",
    "\ud800",
    "\udc00",
    "\u2028",
    "\ufeff",
  ],
  ...[
    "`",
    "``",
    "```",
    "~~~",
    "\n",
    "\r\n",
    "\n\n",
    "\r",
    "\t",
    "    ",
    " ",
    "\\",
    "|",
    "*",
    "_",
    "~~",
    "$",
    "#",
    "- ",
    "1. ",
    "> ",
  ],
  ...[
    "<",
    ">",
    "&lt;",
    "&#60;",
    "<!--",
    "-->",
    "</details>",
    "<a href=x>",
    "<img src=x>",
    "<https://evil.test>",
    '"',
    "'",
  ],
  ...[
    "[x](https://evil.test)",
    "![x](y)",
    "[x]: https://evil.test",
    "https://evil.test",
    "www.evil.test",
    "a@evil.test",
  ],
  ...[
    "@everyone",
    "@acme/admins",
    "#1",
    "GH-1",
    "::error::x",
    "##[add-mask]x",
    "::stop-commands::x",
    ":tada:",
    "x".repeat(300),
  ],
];
const name = fc
  .array(fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...parts) }, fc.string({ unit: "binary", maxLength: 12 })), {
    minLength: 1,
    maxLength: 6,
  })
  .map((some) => some.join(""))
  // A blank name is shown as (empty), which is no value.
  .filter((text) => text.trim() !== "");

/** Everything that people choose has this name. */
function reviewNamed(text: string): Review {
  const urn = text.replaceAll("::", ": :");
  return reviewOfSteps(
    { op: "create", type: "Site", name: urn, declared: { title: text, visibility: text } },
    { op: "create", type: "MemberRole", name: urn, declared: { user: text, role: text } },
    { op: "create", type: "TeamMembers", name: urn, declared: { teamId: text, members: { [text]: "member" } } },
  );
}

/** Control characters, and those that hide or turn the text around them. */
const invisible = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

let marked: typeof import("marked", { with: { "resolution-mode": "import" }});
beforeAll(async () => {
  marked = await import("marked");
});

/** What a reader of the Markdown sees as more than text, and the words outside of code. */
function shapeOf(markdown: string) {
  const counts: Record<string, number> = {};
  const words: string[] = [];
  marked.walkTokens(marked.lexer(markdown, { gfm: true }), (token) => {
    counts[token.type] = (counts[token.type] ?? 0) + 1;
    if (token.type === "text" && !("tokens" in token && token.tokens)) words.push(token.raw);
  });
  return { counts, mentions: words.join(" ").match(/(?<![\w`])[@#]\w/g) ?? [] };
}

/** Names of the same kind: an e-mail stands for its owner, and a long name is cut. */
function harmlessLike(text: string): string {
  const harmless = text.includes("@") ? "h@acme.test" : "harmless";
  return harmless.padEnd(Math.min(text.length, 400), "x");
}

function expectSame(what: string, render: (text: string) => string, text: string): void {
  const [shown, plain] = [render(text), render(harmlessLike(text))];
  expect(shown, what).not.toMatch(invisible);
  expect(shown.split("\n").length, what).toBe(plain.split("\n").length);
}

const comments = {
  review: (text: string) => reviewComment(reviewNamed(text)),
  audit: (text: string) => auditComment(auditNamed(text)),
};

it("stay text in comments", async () => {
  await holds(
    { title: "names in Markdown", cases: 200 },
    fc.property(name, (text) => {
      for (const [what, comment] of Object.entries(comments)) {
        expectSame(what, comment, text);
        expect(shapeOf(comment(text)), what).toEqual(shapeOf(comment(harmlessLike(text))));
      }
    }),
  );
});

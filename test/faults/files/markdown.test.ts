import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import { auditFormats } from "../../../provider/audit/formats";
import type { Review } from "../../../provider/review/model/review";
import { markdownOf as reviewComment } from "../../../provider/review/render/formats";
import { named as auditNamed } from "../../audit/support";
import { reviewOfSteps } from "../../review/support";
import { holds } from "../cases";
import { name } from "./hostile-names";

/** Titles, names and e-mails in Markdown, judged by a parser: what it finds must not depend on the name. */

/** A blank name is not among them, because it is shown as (empty), outside of code. */
const shownName = name.filter((text) => text.trim() !== "");

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

/** The number of elements of each kind, and the mentions of users and issues (`@a`, `#1`) outside of code. */
function shapeOf(markdown: string) {
  const counts: Record<string, number> = {};
  const words: string[] = [];
  marked.walkTokens(marked.lexer(markdown, { gfm: true }), (token) => {
    // More text is harmless: beside a name, it may say which character the name has.
    if (token.type !== "text") counts[token.type] = (counts[token.type] ?? 0) + 1;
    else if (!("tokens" in token && token.tokens)) words.push(token.raw);
  });
  return { counts, mentions: words.join(" ").match(/(?<![\w`])[@#]\w/g) ?? [] };
}

/** Names of the same kind: an e-mail stands for its owner, and a long name is cut. */
function harmlessLike(text: string): string {
  const harmless = text.includes("@") ? "h@acme.test" : "harmless";
  return harmless.padEnd(Math.min(text.length, 400), "x");
}

function expectSame(what: string, render: (text: string) => string, text: string): void {
  const [written, plain] = [render(text), render(harmlessLike(text))];
  expect(written, what).not.toMatch(invisible);
  expect(written.split("\n").length, what).toBe(plain.split("\n").length);
}

const comments = {
  review: (text: string) => reviewComment(reviewNamed(text)),
  audit: (text: string) => auditFormats.markdown(auditNamed(text)),
};

it("stay text in comments", async () => {
  await holds(
    { title: "names in Markdown", cases: 200 },
    fc.property(shownName, (text) => {
      for (const [what, comment] of Object.entries(comments)) {
        expectSame(what, comment, text);
        expect(shapeOf(comment(text)), what).toEqual(shapeOf(comment(harmlessLike(text))));
      }
    }),
  );
});

import { describe, expect, it } from "vitest";
import { matcherOf } from "../provider/patterns";

describe("a pattern", () => {
  it.each([
    ["*@acme.test", "Ada.B@ACME.test"],
    ["*@acme.test", ".a/b@acme.test"],
    ["Ada+Docs@acme.test", "ada+docs@ACME.test"],
    ["ada+*@acme.test", "Ada+docs@acme.test"],
    ["?da@{acme,other}.test", "ada@other.test"],
    ["*bot*", "docs-BOT@acme.test"],
    ["!*@acme.test", "ada@other.test"],
  ])("%s matches %s", (pattern, email) => expect(matcherOf([pattern])({ email })).toBe(true));

  it.each([
    ["*@acme.test", "ada@sub.acme.test"],
    ["*@acme.test", "ada@acme.test.other"],
    ["a.*@acme.test", "axb@acme.test"],
    ["user_ada", "user_ada@acme.test"],
    ["!*@acme.test", "ada@acme.test"],
  ])("%s does not match %s", (pattern, email) => expect(matcherOf([pattern])({ email })).toBe(false));

  it("matches a user id exactly, and nobody by an e-mail that is hidden", () => {
    const matches = matcherOf(["user_ada", "user_b*", "*"]);
    expect(matches({ userId: "user_ada" })).toBe(true);
    for (const userId of ["USER_ADA", "user_bea"]) expect(matches({ userId })).toBe(false);
    expect(matcherOf([])({ userId: "user_ada", email: "ada@acme.test" })).toBe(false);
  });
});

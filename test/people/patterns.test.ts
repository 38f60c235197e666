import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { globOf, matcherOf } from "../../provider/people/patterns";
import { memberRoles } from "../../provider/resources/member-roles/member-roles";
import { teamMembers } from "../../provider/resources/team-members/team-members";
import { failuresOf } from "../../provider/run/properties";

describe("a pattern", () => {
  it.each([
    ["*@acme.test", "Ada.B@ACME.test"],
    ["*@acme.test", ".a/b@acme.test"],
    ["Ada+Docs@acme.test", "ada+docs@ACME.test"],
    ["ada+*@acme.test", "Ada+docs@acme.test"],
    ["?da@*.test", "ada@other.test"],
    ["*bot*", "docs-BOT@acme.test"],
    ["!*@acme.test", "ada@other.test"],
  ])("%s matches %s", (pattern, email) => expect(matcherOf([pattern])({ email })).toBe(true));

  it.each([
    ["*@acme.test", "ada@sub.acme.test"],
    ["*@acme.test", "ada@acme.test.other"],
    ["a.*@acme.test", "axb@acme.test"],
    ["user_ada", "user_ada@acme.test"],
    ["!*@acme.test", "ada@acme.test"],
    ["k*@x.test", "\u212aim@x.test"],
    ["kim@x.test", "\u212aim@x.test"],
  ])("%s does not match %s", (pattern, email) => expect(matcherOf([pattern])({ email })).toBe(false));

  it("matches a user id exactly, and nobody with a hidden e-mail", () => {
    const matches = matcherOf(["user_ada", "user_b*", "*"]);
    expect(matches({ userId: "user_ada" })).toBe(true);
    for (const userId of ["USER_ADA", "user_bea"]) expect(matches({ userId })).toBe(false);
    expect(matcherOf([])({ userId: "user_ada", email: "ada@acme.test" })).toBe(false);
  });
});

/** Backtracking, as simple as it gets: what a pattern means, however long that takes. */
function naive(pattern: string, text: string): boolean {
  if (pattern === "") return text === "";
  const rest = pattern.slice(1);
  if (pattern[0] === "*") return naive(rest, text) || (text !== "" && naive(pattern, text.slice(1)));
  return text !== "" && (pattern[0] === "?" || pattern[0] === text[0]) && naive(rest, text.slice(1));
}

describe("a glob", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "@", "."), minLength: 1, maxLength: 10 });
  const characters = fc.string({ unit: fc.constantFrom("a", "b", "@", ".", "*", "?"), maxLength: 8 });

  it("matches like a simple model", () => {
    fc.assert(
      fc.property(characters, text, (pattern, text) => {
        expect(globOf(pattern)(text)).toBe(naive(pattern, text));
      }),
      { numRuns: 3_000 },
    );
  });

  it("of the worst accepted kind is fast", () => {
    const email = `${"a".repeat(200)}@${"a".repeat(200)}`;
    for (const pattern of [`${"*a".repeat(20)}b`, `${"*a".repeat(19)}${"?".repeat(300)}b`]) {
      expect(failuresOf(teamMembers.inputs, { teamId: "t", members: {}, ignore: [pattern] })).toEqual([]);
      const matches = matcherOf([pattern]);
      const before = process.cpuUsage();
      for (let time = 0; time < 10; time++) expect(matches({ email })).toBe(false);
      const { user, system } = process.cpuUsage(before);
      expect((user + system) / 10 / 1_000).toBeLessThan(30);
    }
  });

  it.each<readonly [string, string]>([
    ["*a".repeat(21), "use at most 20 stars in one pattern"],
    ["*".repeat(1_000), "use at most 401 characters"],
    ["*".repeat(1_000_000), "use at most 401 characters"],
    ...["+(a|a)+b", "{a,b}@x.test", "[ab]@x.test", "a\\*@x.test"].map(
      (pattern) => [pattern, "use only the wildcards * and ?"] as const,
    ),
    ["a\u200b*", "use a pattern without invisible characters"],
  ])("that could be slow or misleading is refused at preview in one sentence: %.20s", (pattern, sentence) => {
    const members = { [`${"a".repeat(40)}@x.test`]: "owner" };
    const roles = { "ada@acme.test": "read" };
    for (const failures of [
      failuresOf(teamMembers.inputs, { teamId: "t", members, ignore: [pattern] }),
      failuresOf(memberRoles.inputs, { roles, ignore: [pattern] }),
    ]) {
      expect(failures).toHaveLength(1);
      expect(failures[0]).toMatchObject({ property: "ignore[0]", reason: expect.stringContaining(sentence) });
    }
  });
});

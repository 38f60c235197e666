import { describe, expect, it } from "vitest";
import { type AccessStep, carryOut, joinFailures, listNames } from "../../provider/access/carry-out";
import { bodyOfChanges, describeRest } from "../../provider/access/team-changes";
import { ConnectionError, DocsError } from "../../provider/api/http/errors";

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `user_${index}`);

describe("steps", () => {
  it.each([
    // Those that were begun at the same time.
    ["that every step would have", () => new ConnectionError("reach the service", "refused"), 64],
    ["of one person", () => new DocsError("no"), 100],
  ])("after a failure %s: %s, %i of 100 steps are begun", async (_, error, most) => {
    let begun = 0;
    const steps = numbered(100).map((name): AccessStep => {
      const run = () => {
        begun++;
        return name === "user_0" ? Promise.reject(error()) : Promise.resolve();
      };
      return { name, result: "is now read", run };
    });
    const { done, failed } = await carryOut(steps);
    expect([begun, done.length, failed.length]).toEqual([most, most - 1, 1]);
  });
});

describe("a failure of several steps", () => {
  class Special extends DocsError {}
  const failed = (...errors: unknown[]) => errors.map((error, index) => ({ name: `user_${index}`, error }));

  it("has the class of the only reason, and none if there are several", () => {
    expect(joinFailures(failed(new Special("no"), new Special("no")), [])).toBeInstanceOf(Special);
    const several = joinFailures(failed(new Special("no"), new DocsError("never")), ["user_2 is now read"]);
    expect(several).not.toBeInstanceOf(Special);
    expect(several).toMatchObject({
      message:
        "some changes failed; the others were made, and the next run tries the failed ones again:\n- user_0: no\n- user_1: never\nchanged already: user_2 is now read",
    });
  });

  it("is the error itself if it is a bug, alone", () => {
    const bug = new TypeError("x is undefined");
    expect(joinFailures(failed(bug), [])).toBe(bug);
    expect(joinFailures(failed(bug, bug), [])).toBeInstanceOf(DocsError);
  });

  it("names 50 reasons and 50 people", () => {
    const many = joinFailures(failed(...numbered(52).map((name) => new DocsError(`${name} is odd`))), []) as Error;
    expect(many.message.split("\n").slice(50)).toEqual(["- user_49 is odd", "- and 2 more"]);
    const fifty = joinFailures(failed(...numbered(50).map((name) => new DocsError(`${name} is odd`))), []) as Error;
    expect(fifty.message.split("\n").slice(50)).toEqual(["- user_49 is odd"]);
    expect(listNames(numbered(50)).endsWith(", user_49")).toBe(true);
    expect(listNames(numbered(51)).endsWith(", user_49 and 1 more")).toBe(true);
  });
});

it.each([
  ["added", ["lowered", "removed"], "nobody is lowered or removed until they succeed"],
  ["added", ["removed"], "nobody is removed until they succeed"],
  ["lowered", ["removed"], "nobody is removed until they succeed"],
  ["lowered", [], undefined],
  ["removed", [], undefined],
] as const)("people of a team who could not be %s hold up those to be %j", (failing, waiting, rest) => {
  const all: readonly string[] = [failing, ...waiting];
  const part = (name: string) => (all.includes(name) ? [{ user: "user_ada" }] : []);
  const changes = { added: part("added"), lowered: part("lowered"), removed: part("removed") };
  expect(describeRest(failing, changes)).toBe(rest);
});

it("sends only the kinds of changes that there are", () => {
  const memberships = { user_ada: { role: "owner" } };
  expect(bodyOfChanges([{ user: "user_ada", role: "owner" }])).toEqual({ add: ["user_ada"], memberships });
  expect(bodyOfChanges([{ user: "user_ada" }])).toEqual({ remove: ["user_ada"] });
});

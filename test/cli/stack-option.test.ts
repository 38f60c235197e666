import { Command } from "commander";
import { expect, test } from "vitest";
import { stackOption } from "../../provider/cli/options";

const parse = (...args: string[]) =>
  new Command()
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
    .option(...stackOption)
    .parse(args, { from: "user" })
    .opts().stack;

test.each(["main", "acme/main", "acme/project/dev-1.0_x", "_a"])("accepts the stack %s", (name) => {
  expect(parse(`--stack=${name}`)).toBe(name);
});

test("main is the default", () => expect(parse()).toBe("main"));

test.each(["", "a b", "a\nb", "ü", "../x", "-x", "a/b/c/d", "a//b", "x".repeat(101)])(
  "refuses the stack %j",
  (name) => {
    expect(() => parse(`--stack=${name}`)).toThrow(/Use at most 100 letters, digits/);
  },
);

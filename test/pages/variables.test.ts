import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { variables } from "../../scripts/reference/variables";
import { root } from "../../scripts/stack";

it("lists every variable of the sources and examples, and no other one", () => {
  const found = execFileSync("git", ["grep", "-hoE", "\\bDOCS_[A-Z_]+", "--", "provider", "examples"], { cwd: root });
  expect([...new Set(found.toString().trim().split("\n"))].sort()).toEqual(Object.keys(variables).sort());
});

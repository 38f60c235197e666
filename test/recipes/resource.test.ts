import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stateVersion } from "../../provider/lifecycle/state-versions";
import { Copy, type Recipe, readRecipe } from "./recipe";

/** A resource for this test only, on endpoints that no other resource uses. */
const name = "managed-change-request";
const named = (file: string) => file.replace("NAME", name).replace("vN", `v${stateVersion}`);

describe("the recipe for a resource", { timeout: 600_000 }, () => {
  let recipe: Recipe;
  let copy: Copy;
  beforeAll(async () => {
    recipe = await readRecipe("Add a resource");
    copy = await Copy.create();
    await copy.follow(recipe, "resource", named);
    await copy.node("-r", "ts-node/register/transpile-only", "scripts/reference.ts");
  }, 120_000);
  afterAll(() => copy.remove());

  it("names every file that changes", async () => {
    expect(await copy.changed()).toEqual([...recipe.byHand, ...recipe.generated].map(named).sort());
  });

  it("takes at most four source files by hand", () => {
    const sources = recipe.byHand.filter((file) => /^(provider|scripts)\//.test(file));
    expect(sources.length).toBeGreaterThan(0);
    expect(sources.length).toBeLessThanOrEqual(4);
  });

  it("results in a resource that the reference lists", async () => {
    const page = await readFile(path.join(copy.folder, "docs", "reference", "README.md"), "utf8");
    expect(page).toContain(`[ManagedChangeRequest](${name}.md)`);
  });

  it("results in a resource that passes the contract suite and appears in a review", async () => {
    const test = named("test/lifecycle/NAME.test.ts");
    const { stdout } = await copy.node("node_modules/vitest/vitest.mjs", "run", "--project", "lifecycle", test);
    expect(stdout).toMatch(/Tests .*passed/);
  });

  it("results in a resource that can be imported and that notices wrong answers of the service", async () => {
    const lies = ["test/lifecycle/lies.test.ts", "-t", "ManagedChangeRequest under lies"];
    await copy.node("node_modules/vitest/vitest.mjs", "run", "--project", "lifecycle", ...lies);
  });

  it("results in sources without a mistake", async () => {
    await copy.node("node_modules/typescript/bin/tsc", "--noEmit");
  });
});

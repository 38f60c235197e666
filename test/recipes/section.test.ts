import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Copy, type Recipe, readRecipe } from "./recipe";

/** A section that nobody needs, of a resource that another section declares as well. */
const name = "mirrors";
const named = (file: string) => file.replace("NAME", name);

describe("the recipe for a section", { timeout: 600_000 }, () => {
  let recipe: Recipe;
  let copy: Copy;
  beforeAll(async () => {
    recipe = await readRecipe("Add a section");
    copy = await Copy.create();
    await copy.follow(recipe, "section", named);
    await copy.node("-r", "ts-node/register/transpile-only", "scripts/reference.ts");
    await copy.node("-r", "ts-node/register/transpile-only", "scripts/organization-schema.ts");
  }, 120_000);
  afterAll(() => copy.remove());

  it("names every file that changes", async () => {
    expect(await copy.changed()).toEqual([...recipe.byHand, ...recipe.generated].map(named).sort());
  });

  it("takes at most five source files by hand, those of its resource included", async () => {
    const isSource = (file: string) => /^(provider|scripts)\//.test(file);
    const own = recipe.byHand.filter(isSource);
    const ofResource = (await readRecipe("Add a resource")).byHand.filter(isSource);
    expect(own.length).toBeGreaterThan(0);
    expect(own.length + ofResource.length).toBeLessThanOrEqual(5);
  });

  it("results in a section that is declared, exported and audited like the others", async () => {
    const tests = [named("test/organization/sections/NAME.test.ts"), "test/organization/sections/sections.test.ts"];
    const { stdout } = await copy.node("node_modules/vitest/vitest.mjs", "run", "--project", "unit", ...tests);
    expect(stdout).toMatch(/Test Files .*2 passed/);
  });

  it("results in sources without a mistake", async () => {
    await copy.node("node_modules/typescript/bin/tsc", "--noEmit");
  });
});

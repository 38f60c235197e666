import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stateVersion } from "../../provider/lifecycle/state-versions";
import { Copy, type Recipe, readRecipe } from "./recipe";

/** The recipes of CONTRIBUTING.md, one after the other in one copy of the sources. */

const recipes = [
  {
    title: "Add a resource",
    texts: "resource",
    /** A resource for this test only, on endpoints that no other resource uses. */
    named: (file: string) => file.replace("NAME", "managed-change-request").replace("vN", `v${stateVersion}`),
    scripts: ["reference"],
  },
  {
    title: "Add a section",
    texts: "section",
    /** A section that nobody needs, of a resource that another section declares as well. */
    named: (file: string) => file.replace("NAME", "mirrors"),
    scripts: ["reference", "organization-schema"],
  },
];

describe("the recipes", { timeout: 600_000 }, () => {
  let copy: Copy;
  beforeAll(async () => {
    copy = await Copy.create();
  });
  afterAll(() => copy.remove());

  describe.each(recipes)("$title", ({ title, texts, named, scripts }) => {
    let recipe: Recipe;
    let before: Map<string, string>;
    beforeAll(async () => {
      recipe = await readRecipe(title);
      before = await copy.files();
      await copy.follow(recipe, texts, named);
      for (const script of scripts) await copy.node("-r", "./scripts/load-typescript.js", `scripts/${script}.ts`);
    }, 120_000);

    it("names every file that changes, of which two are sources written by hand", async () => {
      const changed = [...(await copy.files())].filter(([file, text]) => before.get(file) !== text);
      expect(changed.map(([file]) => file).sort()).toEqual([...recipe.byHand, ...recipe.generated].map(named).sort());
      expect(recipe.byHand.filter((file) => /^(provider|scripts)\//.test(file))).toHaveLength(2);
    });
  });

  it("result in a resource that the reference lists", async () => {
    const page = await readFile(path.join(copy.folder, "docs", "reference", "README.md"), "utf8");
    expect(page).toContain("[ManagedChangeRequest](managed-change-request.md)");
  });

  it("result in a resource and a section that pass the tests of all, and notice wrong answers of the service", async () => {
    const files = [
      "lifecycle/managed-change-request",
      "organization/sections/mirrors",
      "organization/sections/sections",
    ];
    const tests = [...files.map((file) => `test/${file}.test.ts`), "test/lifecycle/lies.test.ts"];
    const { stdout } = await copy.node(
      ...["node_modules/vitest/vitest.mjs", "run", "--project", "lifecycle", "--project", "unit"],
      ...[...tests, "-t", "ManagedChangeRequest|mirrors|the section "],
    );
    expect(stdout).toMatch(/Test Files .*4 passed/);
  });

  it("result in sources without a mistake", async () => {
    await copy.checkTypes();
  });
});

import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stateVersion } from "../../provider/lifecycle/state-versions";
import { Copy, type Recipe, readRecipe } from "./recipe";

/** The recipes of CONTRIBUTING.md, in one copy of the sources, for which the scripts that both name run once. */

const recipes = [
  {
    title: "Add a resource",
    texts: "resource",
    /** A resource for this test only, on endpoints that no other resource uses. */
    named: (file: string) => file.replace("NAME", "managed-change-request").replace("vN", `v${stateVersion}`),
    /** What the files of this recipe say, and those of the other one do not. */
    mark: /managed-?change-?request|cr_terms/gi,
  },
  {
    title: "Add a section",
    texts: "section",
    /** A section that nobody needs, of a resource that another section declares as well. */
    named: (file: string) => file.replace("NAME", "mirrors"),
    mark: /mirror/gi,
  },
];

describe("the recipes", { timeout: 600_000 }, () => {
  let copy: Copy;
  let before: Map<string, string>;
  let after: Map<string, string>;
  const followed = new Map<string, Recipe>();
  beforeAll(async () => {
    copy = await Copy.create();
    before = await copy.files();
    for (const { title, texts, named } of recipes) {
      const recipe = await readRecipe(title);
      followed.set(title, recipe);
      await copy.follow(recipe, texts, named);
    }
    for (const script of ["reference", "organization-schema"])
      await copy.node("-r", "./scripts/load-typescript.js", `scripts/${script}.ts`);
    after = await copy.files();
  }, 300_000);
  afterAll(() => copy.remove());

  const changed = () => [...after].filter(([file, text]) => before.get(file) !== text).map(([file]) => file);
  const marksIn = (mark: RegExp, text = "") => text.match(mark)?.length ?? 0;

  it.each(recipes)("$title names every file that changes, of which two are sources written by hand", (one) => {
    const { byHand, generated } = followed.get(one.title) as Recipe;
    const marked = changed().filter((file) => marksIn(one.mark, after.get(file)) > marksIn(one.mark, before.get(file)));
    expect(marked.sort()).toEqual([...byHand, ...generated].map(one.named).sort());
    expect(byHand.filter((file) => /^(provider|scripts)\//.test(file))).toHaveLength(2);
  });

  it("change no other file", () => {
    const named = recipes.flatMap(({ title, named }) => {
      const { byHand, generated } = followed.get(title) as Recipe;
      return [...byHand, ...generated].map(named);
    });
    expect(changed().sort()).toEqual([...new Set(named)].sort());
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
    // One worker loads the modules once.
    const options = ["--no-file-parallelism", "--project", "lifecycle", "--project", "unit"];
    const chosen = [...tests, "-t", "ManagedChangeRequest|mirrors|the section "];
    const { stdout } = await copy.node("node_modules/vitest/vitest.mjs", "run", ...options, ...chosen);
    expect(stdout).toMatch(/Test Files .*4 passed/);
  });

  it("result in sources without a mistake", async () => {
    await copy.checkTypes();
  });
});

import { expect, it } from "vitest";
import { examplesIn } from "./examples";
import { testLanguage } from "./language";

testLanguage({
  language: "go",
  title: "Go",
  added: (files, code) => {
    const [, declaration = ""] = /Context\) error \{\n([\s\S]*?)\t\treturn nil\n/.exec(code) ?? [];
    const program = files["main.go"] ?? "";
    return { "main.go": program.replace(/(?=\t\tctx\.Export)/, declaration.replace("_, err :=", "_, err =")) };
  },
  more: (project) => {
    it("compiles each example of the reference", async () => {
      const examples = examplesIn("Go");
      expect(examples.size).toBeGreaterThan(8);
      await project().write(
        Object.fromEntries([...examples].map(([name, text]) => [`examples/${name}/main.go`, text])),
      );
      expect(await project().run("go vet ./examples/...")).toBe("");
    });
  },
});

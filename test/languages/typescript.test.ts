import { expect, it } from "vitest";
import { testLanguage } from "./language";

const added = (files: Readonly<Record<string, string>>, code: string) => ({
  "index.ts": `${files["index.ts"]}${code.replace(/^import .*\n/gm, "")}`,
});

testLanguage({ language: "typescript", title: "TypeScript", added });

/** What `pulumi new typescript` writes. */
const manifest = {
  devDependencies: { "@types/node": "^20", typescript: "^5.0.0" },
  dependencies: { "@pulumi/pulumi": "^3.113.0" },
};

testLanguage({
  language: "typescript",
  title: "TypeScript with a generated SDK",
  before: `rm node_modules\necho '${JSON.stringify(manifest)}' > package.json`,
  added,
  more: (project) => {
    it("compiles with the types of the generated SDK", async () => {
      const wrong = (await project().read("index.ts")).replace('"unlisted"', '"hidden"');
      await project().write({ "wrong.ts": wrong });
      const { output } = await project().attempt("npx tsc --noEmit --strict --skipLibCheck --module nodenext *.ts");
      expect(output).toMatch(/^wrong\.ts.*'"hidden"' is not assignable/);
      expect(output).not.toContain("index.ts");
    });
  },
});

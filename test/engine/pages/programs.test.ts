import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";
import { packageNames } from "../../../scripts/package-schema/names";
import { blocksOf, type PageBlock, pagesIn, readPage } from "../../../scripts/pages/page";
import { compilerOptions } from "../../../scripts/reference/declarations";
import { root } from "../../../scripts/stack";

const programs = pagesIn("README.md", "docs")
  .filter((page) => !page.startsWith("docs/reference/"))
  .flatMap((page) => blocksOf(page))
  .filter(({ language }) => language === "ts");

/** All programs in one run of the compiler, as if each were a file beside the sources. */
function mistakesIn(programs: readonly PageBlock[]): string[] {
  const blocks = new Map(programs.map((block, at) => [path.join(root, "test", `page-${at}.ts`), block]));
  // Classes of the generated SDK have the names and inputs of those of the plugin.
  const paths = { [packageNames.typescript]: [path.join(root, "dist", "plugin-program.d.ts")] };
  const options = { ...compilerOptions(), noEmit: true, noUnusedLocals: false, paths };
  const host = ts.createCompilerHost(options);
  const read = host.readFile.bind(host);
  const content = (file: string) => blocks.get(path.normalize(file))?.content;
  host.readFile = (file) => content(file) ?? read(file);
  host.fileExists = (file) => content(file) !== undefined || ts.sys.fileExists(file);
  host.getSourceFile = (file, language) => {
    const text = host.readFile(file);
    return text === undefined ? undefined : ts.createSourceFile(file, text, language);
  };
  const program = ts.createProgram([...blocks.keys()], options, host);
  return [...blocks].flatMap(([file, { page, line }]) => {
    const source = program.getSourceFile(file);
    const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    return found.map(({ messageText }) => `${page}:${line}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`);
  });
}

it("compiles every program of the pages against the compiled package", () => {
  expect(programs.length).toBeGreaterThan(12);
  expect(mistakesIn(programs)).toEqual([]);
});

it("compiles in an existing program with each of the settings that the page names, and not with the older ones", () => {
  const page = "docs/getting-started.md";
  const [, text = ""] = readPage(page).split("### In an existing program");
  const [older, ...newer] = [...text.matchAll(/`("module[^`]+|"ignore[^`]+)`/g)].map(([, one]) =>
    JSON.parse(`{${one}}`),
  );
  expect(newer).toHaveLength(2);
  const folder = mkdtempSync(path.join(tmpdir(), "existing-"));
  try {
    mkdirSync(path.join(folder, "node_modules"));
    symlinkSync(root, path.join(folder, "node_modules/pulumi-docs-org"));
    const file = path.join(folder, "index.ts");
    writeFileSync(file, blocksOf(page).find((block) => block.file === "index.ts")?.content ?? "");
    // The newer settings are added to the older one, or replace it.
    const numbers = [older, ...newer].map((settings) => {
      const { options } = ts.convertCompilerOptionsFromJson(
        { strict: true, skipLibCheck: true, ...older, ...settings },
        folder,
      );
      return ts.getPreEmitDiagnostics(ts.createProgram([file], { ...options, noEmit: true })).map(({ code }) => code);
    });
    // The compiler says that the older setting is deprecated.
    expect(numbers).toEqual([[5107], [], []]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname } from "node:path";
import type TypeScript from "typescript";
import type { Compiled } from "./compiled-programs";

/** Compiles a file with the compiler of the program, without a check of its types. */
export function transpile(file: string, settings: string): Compiled {
  const { ts, versionFile } = compilerFor(file);
  const { options, files } = readOptions(ts, settings);
  const { outputText, sourceMapText, diagnostics } = ts.transpileModule(readFileSync(file, "utf8"), {
    fileName: file,
    reportDiagnostics: true,
    compilerOptions: { ...options, module: moduleOf(ts, options), sourceMap: true, inlineSourceMap: false },
  });
  // Those without a file are about settings that only a check of types needs.
  refuse(
    ts,
    (diagnostics ?? []).filter(({ file }) => file !== undefined),
  );
  const code = outputText.replace(/^\/\/# sourceMappingURL=.*$/m, "");
  const map = JSON.stringify({ ...JSON.parse(sourceMapText ?? "{}"), sourceRoot: "", sources: [basename(file)] });
  const inline = `//# sourceMappingURL=data:application/json;charset=utf-8;base64,${Buffer.from(map).toString("base64")}\n`;
  return { code: `${code}${inline}`, files: [file, versionFile, ...files] };
}

function compilerFor(file: string) {
  const require = createRequire(file);
  try {
    const versionFile = require.resolve("typescript/package.json");
    return { ts: require("typescript") as typeof TypeScript, versionFile };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "MODULE_NOT_FOUND") throw error;
    throw new Error(
      `${file} cannot be compiled, because the package typescript is not installed; run npm install --save-dev typescript@6`,
    );
  }
}

interface Options {
  readonly options: TypeScript.CompilerOptions;
  /** The files that they were read from. */
  readonly files: readonly string[];
}

function readOptions(ts: typeof TypeScript, settings: string): Options {
  const files: string[] = [settings];
  const readFile = (file: string) => {
    files.push(file);
    return ts.sys.readFile(file);
  };
  const defaults = { target: ts.ScriptTarget.ES2022 };
  if (!ts.sys.fileExists(settings)) return { options: defaults, files };
  const { config = {}, error } = ts.readConfigFile(settings, readFile);
  // The files of the project are not looked for: each is compiled when the program loads it.
  const host = { ...ts.sys, readFile, readDirectory: () => [] };
  const parsed = ts.parseJsonConfigFileContent(config, host, dirname(settings), defaults, settings);
  const noInputs = 18003;
  refuse(ts, [...(error ? [error] : []), ...parsed.errors.filter(({ code }) => code !== noInputs)]);
  return { options: { ...defaults, ...parsed.options }, files };
}

/** Programs are loaded with `require`, so `import` must become a call of it, as in a CommonJS file of a module setting of Node.js. */
function moduleOf({ ModuleKind }: typeof TypeScript, { module }: TypeScript.CompilerOptions): TypeScript.ModuleKind {
  const isOfNode = module !== undefined && module >= ModuleKind.Node16 && module <= ModuleKind.NodeNext;
  return isOfNode || module === ModuleKind.CommonJS ? module : ModuleKind.NodeNext;
}

function refuse(ts: typeof TypeScript, diagnostics: readonly TypeScript.Diagnostic[]): void {
  if (diagnostics.length === 0) return;
  const format = {
    getCanonicalFileName: (name: string) => name,
    getCurrentDirectory: () => process.cwd(),
    getNewLine: () => "\n",
  };
  // The SDK shows an error of this kind without a stack.
  throw new SyntaxError(ts.formatDiagnostics(diagnostics, format).trim());
}

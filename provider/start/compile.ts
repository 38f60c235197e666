import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import Module, { createRequire } from "node:module";
import { dirname, resolve } from "node:path";
import type TypeScript from "typescript";
import { UserCache } from "./user-cache";

interface Compiling extends NodeModule {
  _compile(code: string, file: string): unknown;
}

/** Lets `require` load TypeScript. Types are not checked, and what was compiled once is not compiled again. */
export function compileTypeScript(): void {
  const cache = new UserCache("programs", process.env);
  const codes = new Map<string, string>();
  const load = (module: Compiling, file: string) => {
    if (codes.size === 0) mapStacks(file, codes);
    const code = codeOf(file, cache);
    codes.set(file, code);
    module._compile(code, file);
  };
  const loaders = (Module as unknown as { _extensions: Record<string, typeof load> })._extensions;
  for (const extension of [".ts", ".tsx", ".cts"]) loaders[extension] = load;
}

interface SourceMapSupport {
  install(options: { readonly retrieveFile: (file: string) => string | null; handleUncaughtExceptions: false }): void;
}

/** The SDK shows stacks with the lines of the sources if it finds the source maps, which are at the end of the code. */
function mapStacks(file: string, codes: ReadonlyMap<string, string>): void {
  const sdk = createRequire(createRequire(file).resolve("@pulumi/pulumi/package.json"));
  const { install } = sdk("source-map-support") as SourceMapSupport;
  install({ retrieveFile: (name) => codes.get(name) ?? null, handleUncaughtExceptions: false });
}

interface Compiled {
  readonly code: string;
  /** Of each file that the code depends on: the source, the settings, and what says the version of the compiler. */
  readonly hashes: Readonly<Record<string, string>>;
}

function codeOf(file: string, cache: UserCache): string {
  // The SDK has changed to the folder of the program by now. It finds the settings for ts-node in the same way.
  const settings = resolve(process.env.PULUMI_NODEJS_TSCONFIG_PATH ?? "tsconfig.json");
  const name = `${sha256(`${file}\n${settings}`)}.json`;
  const cached = keptCode(cache.read(name));
  if (cached !== undefined) return cached;
  const compiled = transpile(file, settings);
  cache.write(name, JSON.stringify(compiled));
  return compiled.code;
}

/** The code that was kept, unless something that it depends on has changed. */
function keptCode(content: Buffer | undefined): string | undefined {
  try {
    const { code, hashes } = JSON.parse(String(content)) as Compiled;
    return Object.entries(hashes).every(([name, hash]) => hashOf(name) === hash) ? code : undefined;
  } catch {
    // Nothing was kept, or a full disk left a damaged file.
    return undefined;
  }
}

const sha256 = (content: string | Buffer): string => createHash("sha256").update(content).digest("hex");

/** The hash of a missing file is empty. */
function hashOf(file: string): string {
  try {
    return sha256(readFileSync(file));
  } catch {
    return "";
  }
}

/** Compiles a file with the compiler of the program, without a check of its types. */
function transpile(file: string, settings: string): Compiled {
  const { ts, versionFile } = compilerFor(file);
  const { options, files } = readOptions(ts, settings);
  // The map stands in the code, and names a source beside it.
  const maps = { inlineSourceMap: true, outDir: undefined, sourceRoot: undefined, mapRoot: undefined };
  const { outputText: code, diagnostics = [] } = ts.transpileModule(readFileSync(file, "utf8"), {
    fileName: file,
    reportDiagnostics: true,
    compilerOptions: { ...options, ...maps, sourceMap: false, module: moduleOf(ts, options) },
  });
  // Those without a file are about settings that only a check of types needs.
  const mistakes = diagnostics.filter((one) => one.file);
  refuse(ts, mistakes);
  const dependencies = [file, versionFile, __filename, ...files];
  return { code, hashes: Object.fromEntries(dependencies.map((name) => [name, hashOf(name)])) };
}

function compilerFor(file: string) {
  const require = createRequire(file);
  try {
    const versionFile = require.resolve("typescript/package.json");
    return { ts: require("typescript") as typeof TypeScript, versionFile };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "MODULE_NOT_FOUND") throw error;
    // With that code, the SDK would say that the program is missing.
    throw new Error(
      `${file} cannot be compiled, because the package typescript is not installed; run npm install --save-dev typescript@6`,
    );
  }
}

function readOptions(ts: typeof TypeScript, settings: string) {
  const files: string[] = [settings];
  const readFile = (file: string) => {
    files.push(file);
    return ts.sys.readFile(file);
  };
  const defaults: TypeScript.CompilerOptions = { target: ts.ScriptTarget.ES2022 };
  if (!ts.sys.fileExists(settings)) return { options: defaults, files };
  const { config = {}, error } = ts.readConfigFile(settings, readFile);
  // The files of the project are not looked for: each is compiled when the program loads it.
  const host = { ...ts.sys, readFile, readDirectory: () => [] };
  const parsed = ts.parseJsonConfigFileContent(config, host, dirname(settings), defaults, settings);
  const noInputs = 18003;
  refuse(ts, [...(error ? [error] : []), ...parsed.errors.filter(({ code }) => code !== noInputs)]);
  return { options: { ...defaults, ...parsed.options }, files };
}

/** Programs are loaded with `require`, so `import` must become a call of it. The settings for Node.js do that in CommonJS files. */
function moduleOf({ ModuleKind }: typeof TypeScript, { module }: TypeScript.CompilerOptions): TypeScript.ModuleKind {
  const isOfNode = module !== undefined && module >= ModuleKind.Node16 && module <= ModuleKind.NodeNext;
  return isOfNode || module === ModuleKind.CommonJS ? module : ModuleKind.NodeNext;
}

function refuse(ts: typeof TypeScript, diagnostics: readonly TypeScript.Diagnostic[]): void {
  if (diagnostics.length === 0) return;
  const format = { getCanonicalFileName: String, getCurrentDirectory: process.cwd, getNewLine: () => "\n" };
  // The SDK shows an error of this kind without a stack.
  throw new SyntaxError(ts.formatDiagnostics(diagnostics, format).trim());
}

import Module, { createRequire } from "node:module";
import { resolve } from "node:path";
import { CompiledPrograms } from "./compiled-programs";
import { transpile } from "./transpile";

const extensions = [".ts", ".tsx", ".cts"];

interface Compiling extends NodeModule {
  _compile(code: string, file: string): unknown;
}

/** Lets `require` load TypeScript. Types are not checked, and what was compiled once is not compiled again. */
export function compileTypeScript(): void {
  const programs = new CompiledPrograms(process.env);
  const codes = new Map<string, string>();
  const load = (module: Compiling, file: string) => {
    if (codes.size === 0) mapStacks(file, codes);
    // The SDK has changed to the folder of the program by now, and names the file for ts-node in the same way.
    const settings = resolve(process.env.PULUMI_NODEJS_TSCONFIG_PATH ?? "tsconfig.json");
    const code = programs.find(file, settings) ?? programs.keep(file, settings, transpile(file, settings));
    codes.set(file, code);
    module._compile(code, file);
  };
  const loaders = (Module as unknown as { _extensions: Record<string, typeof load> })._extensions;
  for (const extension of extensions) loaders[extension] = load;
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

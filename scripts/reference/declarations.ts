import path from "node:path";
import ts from "typescript";

export const root = path.resolve(__dirname, "..", "..");

/** Something that the package exports, with its doc comment. */
export interface Declaration {
  readonly name: string;
  readonly file: string;
  readonly kind: "class" | "function";
  readonly summary: string;
  /** Texts of `@remarks`, `@example`, ... */
  readonly tags: ReadonlyMap<string, string>;
}

export function compilerOptions(): ts.CompilerOptions {
  const file = path.join(root, "tsconfig.json");
  const { config } = ts.readConfigFile(file, ts.sys.readFile);
  return ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, root).options;
}

/** The classes and functions of the package, by name. */
export function declarations(): Declaration[] {
  const file = path.join(root, "provider", "index.ts");
  const program = ts.createProgram([file], compilerOptions());
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  if (!module) throw new Error(`${file} is no module`);
  const found = checker.getExportsOfModule(module).flatMap((symbol) => {
    const original = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    return declarationOf(symbol.name, original, checker);
  });
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function declarationOf(name: string, symbol: ts.Symbol, checker: ts.TypeChecker): Declaration[] {
  const kind =
    symbol.flags & ts.SymbolFlags.Class ? "class" : symbol.flags & ts.SymbolFlags.Function ? "function" : undefined;
  const file = symbol.declarations?.[0]?.getSourceFile().fileName;
  if (kind === undefined || file === undefined) return [];
  const comment = ts.displayPartsToString(symbol.getDocumentationComment(checker));
  const summary = oneLine(comment).replace(/\{@link (\w+)\}/g, "`$1`");
  const tags = symbol.getJsDocTags(checker).map(({ name, text }) => [name, ts.displayPartsToString(text)] as const);
  return [{ name, file, kind, summary, tags: new Map(tags) }];
}

export const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

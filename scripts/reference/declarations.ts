import path from "node:path";
import ts from "typescript";

export const root = path.resolve(__dirname, "..", "..");

/** An export of the package, with its doc comment. */
export interface Declaration {
  readonly name: string;
  /** The name in its own module. */
  readonly local: string;
  readonly file: string;
  readonly kind: "class" | "function" | "value";
  /** The whole doc comment, as written. */
  readonly comment: string;
  readonly summary: string;
  /** Texts of `@remarks`, `@example`, ... */
  readonly tags: ReadonlyMap<string, string>;
  /** Finds the doc comments of the properties of a class, inherited ones included, which takes seconds for all classes. */
  readonly members: () => ReadonlyMap<string, string>;
}

export function compilerOptions(): ts.CompilerOptions {
  const file = path.join(root, "tsconfig.json");
  const { config } = ts.readConfigFile(file, ts.sys.readFile);
  return ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, root).options;
}

/** The modules that the reference describes, and the one with the sources of types. */
const modules = [
  "provider/index.ts",
  "provider/definitions.ts",
  "provider/lookups/index.ts",
  "scripts/reference/plain-sources.ts",
] as const;
const fileOf = (name: string) => path.join(root, name);

/** Files that editors of a test have open, and that need not exist. */
export const opened = new Map<string, string>();

/** One for all modules and for editors, because reading the sources takes longest. */
export const service = ts.createLanguageService({
  ...ts.sys,
  useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
  getCompilationSettings: compilerOptions,
  getScriptFileNames: () => [...modules.map(fileOf), ...opened.keys()],
  getScriptVersion: () => "",
  getScriptSnapshot: (file) => {
    const content = opened.get(file) ?? ts.sys.readFile(file);
    return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content);
  },
  getDefaultLibFileName: ts.getDefaultLibFilePath,
});

/** A module with its exports. */
export function compiled(module: (typeof modules)[number]) {
  const program = service.getProgram();
  const checker = program?.getTypeChecker();
  const source = program?.getSourceFile(fileOf(module));
  const symbol = source && checker?.getSymbolAtLocation(source);
  if (!checker || !source || !symbol) throw new Error(`${module} is not a module`);
  return { checker, source, exports: checker.getExportsOfModule(symbol) };
}

/** Exports of a module that exist at run time, by name. */
export function declarations(module: (typeof modules)[number]): Declaration[] {
  const { checker, exports } = compiled(module);
  const found = exports.flatMap((exported) => {
    const original = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
    return declarationOf(exported.name, original, checker);
  });
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function declarationOf(name: string, symbol: ts.Symbol, checker: ts.TypeChecker): Declaration[] {
  const kind = kindOf(symbol.flags);
  const declaration = symbol.declarations?.[0];
  if (kind === undefined || declaration === undefined) return [];
  const file = declaration.getSourceFile().fileName;
  const comment = ts.getJSDocCommentsAndTags(declaration).find(ts.isJSDoc)?.getText() ?? "";
  const text = ts.displayPartsToString(symbol.getDocumentationComment(checker));
  const summary = oneLine(text).replace(/\{@link (\w+)\}/g, "`$1`");
  const tags = symbol.getJsDocTags(checker).map((tag) => [tag.name, ts.displayPartsToString(tag.text)] as const);
  return [
    {
      name,
      local: symbol.name,
      file,
      kind,
      comment,
      summary,
      tags: new Map(tags),
      members: () => membersOf(symbol, checker),
    },
  ];
}

function membersOf(symbol: ts.Symbol, checker: ts.TypeChecker): Map<string, string> {
  const members = checker.getDeclaredTypeOfSymbol(symbol).getProperties();
  const documented = members.map((member) => {
    return [member.name, oneLine(ts.displayPartsToString(member.getDocumentationComment(checker)))] as const;
  });
  return new Map(documented);
}

function kindOf(flags: ts.SymbolFlags): Declaration["kind"] | undefined {
  if (flags & ts.SymbolFlags.Class) return "class";
  if (flags & ts.SymbolFlags.Function) return "function";
  return flags & ts.SymbolFlags.Variable ? "value" : undefined;
}

export const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

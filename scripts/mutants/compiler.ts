import path from "node:path";
import ts from "typescript";
import { root } from "../stack";
import { type Mutant, sourceOf } from "./mutant";

/** Says whether the compiler refuses a mutant: types find such a fault before any test. Names without a use do not count. */
export function compilerOfMutants(): (mutant: Mutant) => boolean {
  const config = ts.readConfigFile(path.join(root, "tsconfig.json"), ts.sys.readFile).config;
  const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  let changed = { name: "", text: "" };
  let version = 0;
  const textOf = (name: string) => (name === changed.name ? changed.text : ts.sys.readFile(name));
  const service = ts.createLanguageService({
    ...ts.sys,
    useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
    getCompilationSettings: () => ({ ...options, noUnusedLocals: false, noUnusedParameters: false }),
    getScriptFileNames: () => fileNames.filter((name) => name.includes("/provider/")),
    getScriptVersion: (name) => (name === changed.name ? `${version}` : "0"),
    getScriptSnapshot: (name) => {
      const text = textOf(name);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getDefaultLibFileName: ts.getDefaultLibFilePath,
  });
  return ({ file, start, end, replacement }) => {
    const name = path.resolve(root, file);
    const text = sourceOf(file);
    changed = { name, text: text.slice(0, start) + replacement + text.slice(end) };
    version++;
    return service.getSyntacticDiagnostics(name).length + service.getSemanticDiagnostics(name).length > 0;
  };
}

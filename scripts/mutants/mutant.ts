import { readFileSync } from "node:fs";
import ts from "typescript";

/** A change of the code that a test must notice. */
export interface Mutant {
  readonly id: string;
  /** From the folder of the repository. */
  readonly file: string;
  readonly line: number;
  /** The place of what is replaced. */
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/** What all processes of vitest read. */
export interface Job {
  /** The sources with all of their mutants in them. */
  readonly sources: Readonly<Record<string, string>>;
  readonly tests: readonly string[];
}

/** What one of them judges. */
export interface Part {
  readonly ids: readonly string[];
  /** How the paths of the tests begin that are tried first. */
  readonly own: readonly string[];
}

/**
 * A mutant that only has begun did not end, or ended its process. No test runs what is `uncovered`, and only modules that load run
 * what is `loading`. A part is `spoilt` when a test fails without a mutant.
 */
export type MutantOutcome = "begun" | "killed" | "survived" | "uncovered" | "loading" | "spoilt" | "finished";

/** All mutants of the files, and the sources that contain them. */
export async function mutantsIn(files: readonly string[]): Promise<Pick<Job, "sources"> & { mutants: Mutant[] }> {
  // The package is an ECMAScript module.
  const { Instrumenter } = await import("@stryker-mutator/instrumenter");
  const silent = Object.fromEntries(["debug", "info", "isDebugEnabled"].map((name) => [name, () => false]));
  const contents = files.map((name) => ({ name, mutate: true, content: sourceOf(name) }));
  const settings = { plugins: null, excludedMutations: [], ignorers: [] };
  const made = await new Instrumenter(silent as never).instrument(contents, settings);
  const parsed = new Map(contents.map(({ name, content }) => [name, ts.createSourceFile(name, content, 99)]));
  const mutants = made.mutants.flatMap(({ id, fileName: file, location, mutatorName, replacement }) => {
    const source = parsed.get(file) as ts.SourceFile;
    const offsetOf = (at: typeof location.start) => source.getPositionOfLineAndCharacter(at.line, at.column);
    const [start, end] = [offsetOf(location.start), offsetOf(location.end)];
    // Sentences are for people, and `messages.txt` of the tests has them. Words without a space are compared.
    if (mutatorName === "StringLiteral" && /[\s`]/.test(source.text.slice(start, end))) return [];
    // An element that no list has changes nothing.
    if (mutatorName === "ArrayDeclaration" && replacement.includes("Stryker")) return [];
    // In its place, a condition of two parts stands for one.
    const inPlace = mutatorName === "LogicalOperator" ? `(${replacement})` : replacement;
    return { id, file, line: location.start.line + 1, start, end, replacement: inPlace };
  });
  return { sources: Object.fromEntries(made.files.map(({ name, content }) => [name, content])), mutants };
}

/** The files as they were when this began: somebody may edit them meanwhile. */
const texts = new Map<string, string>();

export function sourceOf(file: string): string {
  const text = texts.get(file) ?? readFileSync(file, "utf8");
  texts.set(file, text);
  return text;
}

/** The file, and its line before and after: a text that stays the same when other lines move. */
export function textOf({ file, start, end, replacement }: Mutant): string {
  const text = sourceOf(file);
  const [from, to] = [text.lastIndexOf("\n", start - 1) + 1, text.indexOf("\n", end)];
  const short = (lines: string) => {
    const line = lines.trim().replaceAll(/\s+/g, " ");
    return line.length > 160 ? `${line.slice(0, 100)} ... ${line.slice(-50)}` : line;
  };
  const after = text.slice(from, start) + replacement + text.slice(end, to);
  return `${file}: ${short(text.slice(from, to))} → ${short(after)}`;
}

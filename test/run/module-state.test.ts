import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";

/**
 * What lives as long as one run is kept by a `Run`: a variable of a module would be shared by every run of the process. These
 * modules keep something all the same, each for a reason.
 */
const allowed: Readonly<Record<string, string>> = {
  "hosts/dynamic/runtime.ts: run": "the process of dynamic providers is one run",
  "hosts/dynamic/runtime.ts: handlers": "the handlers of that run",
  "program/program-run.ts: runs": "the runs themselves, by the connection to the engine of each program",
  "text/masking.ts: tokens": "a token stays hidden for as long as the process prints anything",
  "text/masking.ts: pieces": "as for tokens",
  "text/masking.ts: beginnings": "as for tokens",
  "api/schema/tolerant.ts: cache": "schemas derived from schemas, the same for every run",
  "access-plan/release.ts: indexes": "facts about options, kept with them",
  "review/model/people.ts: links": "facts about a recorded resource, kept with it",
  "history/history.ts: indexes": "facts about a list, kept with the list",
  "access-plan/subjects.ts: matchers": "facts about a list, kept with the list",
  "start/late-modules.ts: internals": "Node.js has one loader of modules",
  "start/late-modules.ts: stop": "as for the loader",
  "organization/component.ts: declarations": "inputs of one constructor, on their way to its initialize()",
};

const root = path.resolve(__dirname, "../../provider");
const mutators = ["set", "add", "delete", "clear", "push", "unshift", "splice", "pop", "shift"];
/** Classes whose objects change over time. */
const stateful = [
  "Run",
  "Settings",
  "Connections",
  "Limiter",
  "Management",
  "Quorum",
  "BatchedReader",
  "WriteCoalescer",
  "Team",
  "TeamList",
  "Writes",
];

/** Names of the module's variables that keep something. */
function keptIn(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
  const changed = changedNames(source);
  const statements = source.statements.filter(ts.isVariableStatement);
  return statements.flatMap(({ declarationList: { flags, declarations } }) =>
    declarations.flatMap(({ name, initializer }) => {
      const text = name.getText();
      const isKept = !(flags & ts.NodeFlags.Const) || changed.has(text) || isStateful(initializer);
      return isKept ? [text] : [];
    }),
  );
}

const isStateful = (value: ts.Expression | undefined): boolean =>
  value !== undefined && ts.isNewExpression(value) && stateful.includes(value.expression.getText());

const isAssignment = (node: ts.Node): node is ts.BinaryExpression =>
  ts.isBinaryExpression(node) && /^(?:\*|\+|-|\/|%|&|\||\^|\?|<<|>>>?)*=$/.test(node.operatorToken.getText());

/** Names that the file changes: `name.set(…)`, `name[…] = …`, `name.property = …`, `Object.assign(name, …)`. */
function changedNames(source: ts.SourceFile): Set<string> {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const { expression, arguments: given } = node;
      if (ts.isPropertyAccessExpression(expression)) {
        if (mutators.includes(expression.name.text)) names.add(expression.expression.getText());
        if (expression.getText() === "Object.assign" && given[0]) names.add(given[0].getText());
      }
    }
    if (isAssignment(node) && (ts.isPropertyAccessExpression(node.left) || ts.isElementAccessExpression(node.left))) {
      names.add(node.left.expression.getText());
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return names;
}

it("module variables keep no data of a run", () => {
  const all = readdirSync(root, { recursive: true, encoding: "utf8" });
  const files = all.filter((file) => file.endsWith(".ts") && !file.startsWith("emulator/"));
  expect(files.length).toBeGreaterThan(200);
  const kept = files.flatMap((file) => keptIn(path.join(root, file)).map((name) => `${file}: ${name}`));
  expect(kept.sort()).toEqual(Object.keys(allowed).sort());
});

import ts from "typescript";

/** An example as data, from which the programs of all languages are written. */
export interface Example {
  /** As it stands in the doc comment: TypeScript, without the import of the package. */
  readonly typescript: string;
  readonly resources: readonly Declared[];
}

export interface Declared {
  readonly type: string;
  readonly name: string;
  /** The variable by which others refer to it. */
  readonly variable: string | undefined;
  readonly properties: Properties;
}

export type Properties = Readonly<Record<string, Value>>;
export type Value = string | number | boolean | readonly Value[] | Reference | FileText | NestedObject;
interface NestedObject {
  readonly object: Properties;
}
/** An output of another resource. */
interface Reference {
  readonly variable: string;
  readonly property: string;
}
interface FileText {
  readonly file: string;
}

export const isReference = (value: Value): value is Reference => typeof value === "object" && "variable" in value;
export const isFile = (value: Value): value is FileText => typeof value === "object" && "file" in value;
export const isObject = (value: Value): value is NestedObject => typeof value === "object" && "object" in value;
export const isList = (value: Value): value is readonly Value[] => Array.isArray(value);

/** Reads the example of a doc comment. Refuses code that cannot be written in the same way in the other languages. */
export function exampleIn(of: string, comment: string): Example {
  const typescript = comment.replace(/^```ts\n|\n```$/g, "");
  const source = ts.createSourceFile("example.ts", typescript, ts.ScriptTarget.ES2022);
  const resources = source.statements.flatMap((statement) => declaredIn(statement, source, of));
  if (!resources.some(({ type }) => type === of)) throw new Error(`the example of ${of} declares no ${of}`);
  return { typescript, resources };
}

function declaredIn(statement: ts.Statement, source: ts.SourceFile, of: string): Declared[] {
  if (ts.isImportDeclaration(statement)) return [];
  if (ts.isExpressionStatement(statement)) return [declaredBy(statement.expression, undefined, source, of)];
  const [variable] = ts.isVariableStatement(statement) ? statement.declarationList.declarations : [];
  if (!variable?.initializer) throw other(statement, source, of);
  return [declaredBy(variable.initializer, variable.name.getText(source), source, of)];
}

function declaredBy(made: ts.Expression, variable: string | undefined, source: ts.SourceFile, of: string): Declared {
  const [name, args] = ts.isNewExpression(made) ? (made.arguments ?? []) : [];
  if (!ts.isNewExpression(made) || !name || !args || !ts.isStringLiteral(name)) throw other(made, source, of);
  const read = (node: ts.Expression): Value => readValue(node, source, of);
  return {
    type: made.expression.getText(source).replace("docs.", ""),
    name: name.text,
    variable,
    properties: propertiesOf(args, read, () => other(args, source, of)),
  };
}

function readValue(node: ts.Expression, source: ts.SourceFile, of: string): Value {
  const read = (inner: ts.Expression): Value => readValue(inner, source, of);
  if (ts.isStringLiteral(node)) return node.text;
  if (ts.isNumericLiteral(node)) return Number(node.text);
  if (node.kind === ts.SyntaxKind.TrueKeyword) return true;
  if (node.kind === ts.SyntaxKind.FalseKeyword) return false;
  if (ts.isArrayLiteralExpression(node)) return node.elements.map(read);
  if (ts.isObjectLiteralExpression(node)) return { object: propertiesOf(node, read, () => other(node, source, of)) };
  if (ts.isPropertyAccessExpression(node)) {
    return { variable: node.expression.getText(source), property: node.name.text };
  }
  const [file] = ts.isCallExpression(node) && node.expression.getText(source) === "readFileSync" ? node.arguments : [];
  if (file && ts.isStringLiteral(file)) return { file: file.text };
  throw other(node, source, of);
}

function propertiesOf(node: ts.Expression, read: (node: ts.Expression) => Value, refuse: () => Error): Properties {
  if (!ts.isObjectLiteralExpression(node)) throw refuse();
  const entries = node.properties.map((property) => {
    if (!ts.isPropertyAssignment(property)) throw refuse();
    const { name, initializer } = property;
    if (!ts.isIdentifier(name) && !ts.isStringLiteral(name)) throw refuse();
    return [name.text, read(initializer)] as const;
  });
  return Object.fromEntries(entries);
}

const other = (node: ts.Node, source: ts.SourceFile, of: string): Error =>
  new Error(
    `the example of ${of} cannot be written in other languages because of "${node.getText(source)}"; use resources with ` +
      "plain values, outputs of other resources and readFileSync",
  );

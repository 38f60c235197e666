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
export function exampleIn(resource: string, comment: string): Example {
  const typescript = comment.replace(/^```ts\n|\n```$/g, "");
  const source = ts.createSourceFile("example.ts", typescript, ts.ScriptTarget.ES2022);
  const resources = source.statements.flatMap((statement) => declaredIn(statement, source, resource));
  if (!resources.some(({ type }) => type === resource))
    throw new Error(`the example of ${resource} declares no ${resource}`);
  return { typescript, resources };
}

function declaredIn(statement: ts.Statement, source: ts.SourceFile, resource: string): Declared[] {
  if (ts.isImportDeclaration(statement)) return [];
  if (ts.isExpressionStatement(statement)) return [declaredBy(statement.expression, undefined, source, resource)];
  const [variable] = ts.isVariableStatement(statement) ? statement.declarationList.declarations : [];
  if (!variable?.initializer) throw refusal(statement, source, resource);
  return [declaredBy(variable.initializer, variable.name.getText(source), source, resource)];
}

function declaredBy(
  made: ts.Expression,
  variable: string | undefined,
  source: ts.SourceFile,
  resource: string,
): Declared {
  const [name, args] = ts.isNewExpression(made) ? (made.arguments ?? []) : [];
  if (!ts.isNewExpression(made) || !name || !args || !ts.isStringLiteral(name)) throw refusal(made, source, resource);
  const read = (node: ts.Expression): Value => readValue(node, source, resource);
  return {
    type: made.expression.getText(source).replace("docs.", ""),
    name: name.text,
    variable,
    properties: propertiesOf(args, read, () => refusal(args, source, resource)),
  };
}

function readValue(node: ts.Expression, source: ts.SourceFile, resource: string): Value {
  const read = (inner: ts.Expression): Value => readValue(inner, source, resource);
  if (ts.isStringLiteral(node)) return node.text;
  if (ts.isNumericLiteral(node)) return Number(node.text);
  if (node.kind === ts.SyntaxKind.TrueKeyword) return true;
  if (node.kind === ts.SyntaxKind.FalseKeyword) return false;
  if (ts.isArrayLiteralExpression(node)) return node.elements.map(read);
  if (ts.isObjectLiteralExpression(node))
    return { object: propertiesOf(node, read, () => refusal(node, source, resource)) };
  if (ts.isPropertyAccessExpression(node)) {
    return { variable: node.expression.getText(source), property: node.name.text };
  }
  const [file] = ts.isCallExpression(node) && node.expression.getText(source) === "readFileSync" ? node.arguments : [];
  if (file && ts.isStringLiteral(file)) return { file: file.text };
  throw refusal(node, source, resource);
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

const refusal = (node: ts.Node, source: ts.SourceFile, resource: string): Error =>
  new Error(
    `the example of ${resource} cannot be written in other languages because of "${node.getText(source)}"; use resources with ` +
      "plain values, outputs of other resources and readFileSync",
  );

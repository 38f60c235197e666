import ts from "typescript";

/** An example as data, from which the programs of all languages are written. */
export interface Example {
  /** As it stands in the doc comment: TypeScript, without the import of the package. */
  readonly typescript: string;
  readonly resources: readonly ExampleResource[];
}

export interface ExampleResource {
  readonly type: string;
  readonly name: string;
  /** The variable by which others refer to it. */
  readonly variable: string | undefined;
  readonly properties: ExampleProperties;
}

export type ExampleProperties = Readonly<Record<string, Value>>;
export type Value = string | number | boolean | readonly Value[] | Reference | FileText | NestedObject;
interface NestedObject {
  readonly object: ExampleProperties;
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

/** The source of an example, and the resource that it is of. */
interface Origin {
  readonly source: ts.SourceFile;
  readonly resource: string;
}

/** Reads the example of a doc comment. Refuses code that cannot be written in the same way in the other languages. */
export function exampleIn(resource: string, comment: string): Example {
  const typescript = comment.replace(/^```ts\n|\n```$/g, "");
  const source = ts.createSourceFile("example.ts", typescript, ts.ScriptTarget.ES2022);
  const resources = source.statements.flatMap((statement) => declaredIn(statement, { source, resource }));
  if (!resources.some(({ type }) => type === resource))
    throw new Error(`the example of ${resource} declares no ${resource}`);
  return { typescript, resources };
}

function declaredIn(statement: ts.Statement, origin: Origin): ExampleResource[] {
  if (ts.isImportDeclaration(statement)) return [];
  if (ts.isExpressionStatement(statement)) return [declaredBy(statement.expression, undefined, origin)];
  const [variable] = ts.isVariableStatement(statement) ? statement.declarationList.declarations : [];
  if (!variable?.initializer) throw refusal(statement, origin);
  return [declaredBy(variable.initializer, variable.name.getText(origin.source), origin)];
}

function declaredBy(made: ts.Expression, variable: string | undefined, origin: Origin): ExampleResource {
  const [name, args] = ts.isNewExpression(made) ? (made.arguments ?? []) : [];
  if (!ts.isNewExpression(made) || !name || !args || !ts.isStringLiteral(name)) throw refusal(made, origin);
  return {
    type: made.expression.getText(origin.source).replace("docs.", ""),
    name: name.text,
    variable,
    properties: propertiesOf(args, origin),
  };
}

function readValue(node: ts.Expression, origin: Origin): Value {
  if (ts.isStringLiteral(node)) return node.text;
  if (ts.isNumericLiteral(node)) return Number(node.text);
  if (node.kind === ts.SyntaxKind.TrueKeyword) return true;
  if (node.kind === ts.SyntaxKind.FalseKeyword) return false;
  if (ts.isArrayLiteralExpression(node)) return node.elements.map((item) => readValue(item, origin));
  if (ts.isObjectLiteralExpression(node)) return { object: propertiesOf(node, origin) };
  if (ts.isPropertyAccessExpression(node)) {
    return { variable: node.expression.getText(origin.source), property: node.name.text };
  }
  const [file] =
    ts.isCallExpression(node) && node.expression.getText(origin.source) === "readFileSync" ? node.arguments : [];
  if (file && ts.isStringLiteral(file)) return { file: file.text };
  throw refusal(node, origin);
}

function propertiesOf(node: ts.Expression, origin: Origin): ExampleProperties {
  if (!ts.isObjectLiteralExpression(node)) throw refusal(node, origin);
  const entries = node.properties.map((property) => {
    if (!ts.isPropertyAssignment(property)) throw refusal(node, origin);
    const { name, initializer } = property;
    if (!ts.isIdentifier(name) && !ts.isStringLiteral(name)) throw refusal(node, origin);
    return [name.text, readValue(initializer, origin)] as const;
  });
  return Object.fromEntries(entries);
}

const refusal = (node: ts.Node, { source, resource }: Origin): Error =>
  new Error(
    `the example of ${resource} cannot be written in other languages because of "${node.getText(source)}"; use resources with ` +
      "plain values, outputs of other resources and readFileSync",
  );

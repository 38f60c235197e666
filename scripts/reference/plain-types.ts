import ts from "typescript";
import { compiled } from "./declarations";

/**
 * Source of the types of the API that programs use, expanded: a program that only declares resources must not load the types of the
 * schemas, which include those of zod and of every endpoint.
 */
export function plainTypes(): string {
  const { checker, source, exports } = compiled("scripts/reference/plain-sources.ts");
  const text = textIn(checker, source);
  const types = exports.map((symbol) => {
    return [symbol.name, text(checker.getDeclaredTypeOfSymbol(symbol))] as const;
  });
  const written = types.map(([name, type]) => `export type ${name} = ${shortened(name, type, types)};\n`);
  const flat =
    "/** The properties of both sides of an intersection. */\ntype Flat<T> = { [Name in keyof T]: T[Name] };\n";
  return ["// Made by `npm run reference` from the schemas of the API.\n", flat, ...written].join("\n");
}

type Text = (type: ts.Type) => string;

/** Expands a type, so that it uses no name of another module. Interfaces may be recursive, so they get a name here. */
function textIn(checker: ts.TypeChecker, source: ts.SourceFile): Text {
  const { NoTruncation, InTypeAlias } = ts.NodeBuilderFlags;
  const printer = ts.createPrinter({ removeComments: true });
  const plain: Text = (type) => {
    const node = checker.typeToTypeNode(type, source, NoTruncation | InTypeAlias);
    if (!node) throw new Error(`cannot write out the type ${checker.typeToString(type)}`);
    return printer
      .printNode(ts.EmitHint.Unspecified, inOrder(node), source)
      .replace(/\s+/g, " ")
      .replace(foreign, "$1");
  };
  const members: Text = (type) => {
    const properties = type.getProperties().map((property) => {
      const mark = property.flags & ts.SymbolFlags.Optional ? "?" : "";
      return `${property.name}${mark}: ${plain(checker.getTypeOfSymbol(property))}`;
    });
    const rest = checker.getIndexInfosOfType(type).map((info) => `[name: string]: ${plain(info.type)}`);
    return `{ ${[...properties, ...rest].join("; ")}; }`;
  };
  return (type) => (type.isClassOrInterface() ? members(type) : plain(type));
}

/** Sorts the members of unions, and the keys of records: the compiler's order depends on the order in which it loads files. */
function inOrder(node: ts.TypeNode): ts.TypeNode {
  const sortUnions = (context: ts.TransformationContext) => {
    const visit = (one: ts.Node): ts.Node => {
      const inner = ts.visitEachChild(one, visit, context);
      if (ts.isTypeLiteralNode(inner)) return withOptionalRest(withSortedKeys(inner, context.factory), context.factory);
      if (!ts.isUnionTypeNode(inner)) return inner;
      return context.factory.createUnionTypeNode([...inner.types].sort((a, b) => rank(a).localeCompare(rank(b))));
    };
    return (whole: ts.TypeNode) => ts.visitNode(whole, visit) as ts.TypeNode;
  };
  const [ordered = node] = ts.transform(node, [sortUnions]).transformed;
  return ordered;
}

/** A record of booleans over a union of names is printed as an object, whose properties have the order of the union: sorts them. */
function withSortedKeys(object: ts.TypeLiteralNode, factory: ts.NodeFactory): ts.TypeLiteralNode {
  const [first] = object.members.map((member) => ts.isPropertySignature(member) && member.type?.kind);
  const isRecord = object.members.every(
    (one) => ts.isPropertySignature(one) && one.type?.kind === first && !one.questionToken,
  );
  if (first !== ts.SyntaxKind.BooleanKeyword || !isRecord) return object;
  return factory.createTypeLiteralNode([...object.members].sort((a, b) => nameOf(a).localeCompare(nameOf(b))));
}

const nameOf = ({ name }: ts.TypeElement): string => (name && ts.isIdentifier(name) ? name.text : "");

/** zod's types combine optional properties with an index signature without undefined; expanded, this needs a mapped type. */
function withOptionalRest(object: ts.TypeLiteralNode, factory: ts.NodeFactory): ts.TypeNode {
  const isRest = (member: ts.TypeElement) =>
    ts.isIndexSignatureDeclaration(member) && member.type.kind !== ts.SyntaxKind.UnknownKeyword;
  const rest = object.members.filter(isRest);
  if (rest.length === 0 || !object.members.some((member) => member.questionToken)) return object;
  const others = object.members.filter((member) => !isRest(member));
  const parts = [others, rest].map((members) => factory.createTypeLiteralNode(members));
  return factory.createTypeReferenceNode("Flat", [factory.createIntersectionTypeNode(parts)]);
}

/** Sort key: strings first, alphabetically, and objects by their properties; `null` and `undefined` last. */
function rank(node: ts.TypeNode): string {
  if (node.kind === ts.SyntaxKind.UndefinedKeyword) return "3";
  if (ts.isTypeLiteralNode(node)) return `1 ${node.members.map(nameOf)}`;
  if (!ts.isLiteralTypeNode(node)) return "1";
  return ts.isStringLiteral(node.literal) ? `0 ${node.literal.text}` : "2";
}

/** A name such as `sites.Claim`, also if the compiler prints it with the path of its file. */
const foreign = /\b(?:import\("[^"]*"\)|[a-z]\w*)\.([A-Z]\w*)/g;

/** Replaces contained types by their names, except short ones; the longest first. */
function shortened(own: string, text: string, types: readonly (readonly [name: string, text: string])[]): string {
  const named = types.filter(([name, type]) => name !== own && type.length > 30 && type.length < text.length);
  const longestFirst = named.sort(([, a], [, b]) => b.length - a.length);
  return longestFirst.reduce((shorter, [name, type]) => shorter.replaceAll(type, name), text);
}

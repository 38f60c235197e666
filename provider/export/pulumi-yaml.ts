import { Document, Scalar, visit, type YAMLMap } from "yaml";
import { DocsError } from "../api/http/errors";
import { organizationYaml } from "../organization/file/loader";
import type { Child } from "../organization/sections/children";
import type { Properties } from "../run/properties";
import { commentOn, type Program, pluginPath } from "./program";
import { escapedYaml, hasUnseen } from "./text";

/** A program in Pulumi YAML, which is the project file as well. Its resources are those of the provider plugin. */
export function pulumiYaml(program: Program): string {
  const { name, target } = program;
  const declared = target.format === "file" ? componentIn(program) : resourcesIn(program);
  const project = {
    name,
    runtime: "yaml",
    plugins: { providers: [{ name: "docs", path: pluginPath }] },
    resources: Object.fromEntries(declared.map(({ key, resource }) => [key, resource])),
  };
  // Pulumi YAML has no aliases of YAML. In YAML 1.1, more texts need quotes, such as `yes`.
  const document = new Document(project, { version: "1.1", aliasDuplicateObjects: false });
  layOut(document, declared);
  return textOf(document);
}

interface Declared {
  readonly key: string;
  readonly resource: Properties;
  readonly comment?: string | undefined;
}

function componentIn({ name }: Program): Declared[] {
  const key = keysOf([{ name, resource: "Organization" }])[0] as string;
  const resource = { type: "docs:Organization", ...named(key, name), properties: { file: organizationYaml } };
  return [{ key, resource }];
}

function resourcesIn(program: Program): Declared[] {
  const { children } = program;
  const keys = keysOf(children);
  const siteKeys = new Map(
    children.flatMap(({ resource, key }, index) => (resource === "Site" ? [[key, keys[index] as string]] : [])),
  );
  return children.map((child, index) => {
    const key = keys[index] as string;
    const resource = {
      type: `docs:${child.resource}`,
      ...named(key, child.name),
      properties: propertiesOf(child, program, siteKeys),
      ...(child.protect && { options: { protect: true } }),
    };
    return { key, resource, comment: commentOn(child, program) };
  });
}

/** A resource whose key is not its name. */
const named = (key: string, name: string): { name?: string } => (key === name ? {} : { name });

/**
 * The keys of the resources: their names. Resources of several types may have one name, and `pulumi` is a variable of every
 * program, so these get their type as well.
 */
function keysOf(resources: readonly { readonly name: string; readonly resource: string }[]): string[] {
  const names = new Set(resources.map(({ name }) => name));
  const taken = new Set(["pulumi"]);
  return resources.map(({ name, resource }) => {
    const withType = `${name}${resource.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    let key = taken.has(name) ? withType : name;
    for (let number = 2; taken.has(key) || (key !== name && names.has(key)); number++) key = `${withType}-${number}`;
    taken.add(key);
    return key;
  });
}

function propertiesOf(child: Child, { texts }: Program, siteKeys: ReadonlyMap<string, string>): Properties {
  const { site, name, inputs } = child;
  const text = texts.get(name);
  const written = Object.entries(inputs).map(([property, value]) => {
    if (property === text?.input) return [property, { "fn::readFile": `./${text.file}` }];
    return [property, literal(value, name)];
  });
  const siteId = site === undefined ? {} : { siteId: reference(siteKeys.get(site) as string, "id") };
  return { ...Object.fromEntries(written), ...siteId };
}

/** A property of another resource. A key with dots must be quoted. */
function reference(key: string, property: string): string {
  return key.includes(".") ? `\${["${key}"].${property}}` : `\${${key}.${property}}`;
}

/** A value that Pulumi YAML reads as it is: it interpolates the keys of maps as well. */
function literal(value: unknown, resource: string): unknown {
  if (typeof value === "string") return escapeInterpolation(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => literal(one, resource));
  const entries = Object.entries(value).map(([key, inner]) => {
    if (/^fn::/i.test(key)) throw functionKey(key, resource);
    return [escapeInterpolation(key), literal(inner, resource)];
  });
  return Object.fromEntries(entries);
}

const escapeInterpolation = (text: string): string => text.replace(/\$(?=[${])/g, "$$$$");

const functionKey = (key: string, resource: string): DocsError =>
  new DocsError(
    `${resource}: Pulumi YAML takes the name ${JSON.stringify(key)} for a function; export with --language typescript`,
  );

/** Writes the comments above the resources, and an empty line between them. */
function layOut(document: Document, declared: readonly Declared[]): void {
  const root = document.contents as unknown as YAMLMap<Scalar>;
  for (const { key } of root.items.slice(2)) key.spaceBefore = true;
  const { items } = document.get("resources") as YAMLMap<Scalar>;
  for (const [index, { key }] of items.entries()) {
    const { comment } = declared[index] ?? {};
    key.spaceBefore = index > 0;
    if (comment !== undefined) key.commentBefore = ` ${comment}`;
  }
}

function textOf(document: Document): string {
  visit(document, { Scalar: (_key, node) => quote(node) });
  return escapedYaml(document.toString({ lineWidth: 0, blockQuote: false }));
}

/** Quotes every text that another version of YAML may read as something else. */
function quote(node: Scalar): void {
  const { value } = node;
  if (typeof value === "string" && (!/^[A-Za-z$]/.test(value) || hasUnseen(value))) node.type = Scalar.QUOTE_DOUBLE;
}

import type { Child } from "../organization/sections/children";
import type { ResourceName } from "../resources/names";
import type { Properties } from "../run/properties";
import { escapedLines } from "../text/visible";
import { commentOn, moduleFor, type Program } from "./program";

export function typescriptProgram(program: Program): string {
  const { organization, children, target, texts } = program;
  const variables = variablesOf(children);
  const head = [
    ...(texts.size > 0 ? ['import { readFileSync } from "node:fs";'] : []),
    `import * as docs from "${moduleFor(target)}";`,
    "",
    `const organizationId = ${JSON.stringify(organization.organization)};`,
  ];
  const statements = children.map((child) => statementOf(child, program, variables));
  return escapedLines(`${[head.join("\n"), ...statements].join("\n\n")}\n`);
}

/** Variables for the sites that other resources refer to. */
function variablesOf(children: readonly Child[]): Map<string, string> {
  const sites = new Set(children.flatMap(({ site }) => site ?? []));
  const taken = new Set<string>();
  return new Map([...sites].map((site) => [site, variableOf(site, taken)]));
}

function variableOf(site: string, taken: Set<string>): string {
  const words = site.split(/[^A-Za-z0-9]+/).filter(Boolean);
  const joined = ["site", ...words]
    .map((word, index) => (index === 0 ? word : word[0]?.toUpperCase() + word.slice(1)))
    .join("");
  let variable = joined;
  for (let number = 2; taken.has(variable); number++) variable = `${joined}_${number}`;
  taken.add(variable);
  return variable;
}

function statementOf(child: Child, program: Program, variables: ReadonlyMap<string, string>): string {
  const { resource, name, key, protect, site } = child;
  const text = program.texts.get(name);
  const given = Object.entries({ ...child.inputs, ...(site !== undefined && { siteId: site }) });
  const lines = given.map(([property, value]) => {
    if (property === "organizationId") return property;
    if (property === "siteId") return `siteId: ${variables.get(String(value))}.id`;
    if (property === text?.input) return `${keyOf(property)}: readFileSync(${JSON.stringify(text.file)}, "utf8")`;
    return `${keyOf(property)}: ${literal(value, 1)}`;
  });
  const variable = resource === "Site" ? variables.get(key) : undefined;
  const start = variable === undefined ? "" : `const ${variable} = `;
  const end = protect ? "}, { protect: true });" : "});";
  const body = lines.map((line) => `  ${line},\n`).join("");
  return `${commentAbove(child, program)}${start}new docs.${resource}(${JSON.stringify(name)}, {\n${body}${end}`;
}

function commentAbove(child: Child, program: Program): string {
  const text = commentOn(child, program);
  return text === undefined ? "" : `// ${text}\n`;
}

export function declarationOf(resource: ResourceName, name: string, inputs: Properties): string {
  const lines = Object.entries(inputs).map(([property, value]) => `  ${keyOf(property)}: ${literal(value, 1)},\n`);
  return escapedLines(`new docs.${resource}(${JSON.stringify(name)}, {\n${lines.join("")}});`);
}

const width = 100;

/** A value as code, in one line if that is short. */
function literal(value: unknown, depth: number): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((item) => literal(item, depth + 1))
    : Object.entries(value).map(([key, inner]) => `${keyOf(key)}: ${literal(inner, depth + 1)}`);
  const [open, close] = isList ? ["[", "]"] : ["{", "}"];
  if (parts.length === 0) return open + close;
  const line = isList ? `[${parts.join(", ")}]` : `{ ${parts.join(", ")} }`;
  if (parts.length <= 3 && line.length < width && !line.includes("\n")) return line;
  const margin = "  ".repeat(depth);
  return `${open}\n${parts.map((part) => `${margin}  ${part},\n`).join("")}${margin}${close}`;
}

const keyOf = (key: string): string => (/^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key));

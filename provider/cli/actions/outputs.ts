import { DocsError } from "../../api/http/errors";
import { readExported, type StackState } from "../../audit/state";
import { childName } from "../../organization/sections";
import { compareKeys } from "../../people/user";
import { valueAt } from "../../text/mistakes";
import { visible } from "../../text/visible";
import { print } from "../output";
import { openStack, type StackOptions } from "./deployment";

type Format = "text" | "json" | "shell";

interface Source {
  readonly section: string;
  readonly paths: Readonly<Record<string, readonly string[]>>;
}

/** What people outside this folder need: values that the service has chosen, as the stack has recorded them. */
const sources: Readonly<Record<string, Source>> = {
  Site: {
    section: "sites",
    paths: {
      published: ["urls", "published"],
      app: ["urls", "app"],
      hostname: ["hostname"],
      proxyTarget: ["proxyTarget"],
    },
  },
  SamlProvider: {
    section: "saml",
    paths: { acsURL: ["service", "acsURL"], entityID: ["service", "entityID"], startURL: ["service", "startURL"] },
  },
  Translation: { section: "translations", paths: {} },
};

export async function printOutputs(options: StackOptions & { readonly format: Format }): Promise<void> {
  const deployment = await openStack(options, { create: false });
  const state = readExported(await deployment.exportState(), options.stack);
  await print(stackOutputFormats[options.format](outputsIn(state, deployment.options.project.name)));
}

export interface Output {
  /** The section, the key in the file, and the name of the value. */
  readonly path: readonly [string, string, string];
  readonly value: string;
}

export function outputsIn({ resources }: StackState, organization: string): Output[] {
  const prefix = childName(organization, "");
  const all = resources.flatMap(({ type, name, id, operation, live }) => {
    const source = sources[type];
    if (source === undefined || operation === "delete" || !name.startsWith(prefix)) return [];
    const values = Object.entries(source.paths).map(([key, path]) => [key, valueAt(live?.outputs, path)]);
    return [["id", id], ...values].flatMap(([key, value]): Output[] =>
      typeof value === "string" ? [{ path: [source.section, name.slice(prefix.length), String(key)], value }] : [],
    );
  });
  // The state has them in the order in which they were made.
  return all.sort(({ path: [a, one] }, { path: [b, other] }) => compareKeys(a, b) || compareKeys(one, other));
}

export const stackOutputFormats: Readonly<Record<Format, (all: readonly Output[]) => string>> = {
  text: (all) => all.map(({ path, value }) => `${path.join(".")}: ${visible(value)}\n`).join(""),
  json: (all) => {
    const nested: Record<string, Record<string, Record<string, string>>> = {};
    for (const { path, value } of all) {
      const [section, key, name] = path;
      nested[section] = { ...nested[section], [key]: { ...nested[section]?.[key], [name]: value } };
    }
    return `${JSON.stringify(nested, undefined, 2)}\n`;
  },
  shell: (all) => {
    const lines = new Map<string, string>();
    for (const { path, value } of all) {
      const name = variableOf(path);
      if (lines.has(name)) throw new DocsError(`two values would be the variable ${name}; use --format json`);
      lines.set(name, `${name}='${value.replaceAll("'", "'\\''")}'\n`);
    }
    return [...lines.values()].join("");
  },
};

/** Such as `SITES_GUIDE_PROXY_TARGET`. */
const variableOf = (path: readonly string[]): string =>
  path
    .map((part) =>
      part
        .replace(/([a-z])([A-Z])/g, "$1_$2")
        .replace(/\W/g, "_")
        .toUpperCase(),
    )
    .join("_");

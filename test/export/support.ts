import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ModuleKind, ScriptTarget, transpileModule } from "typescript";
import { expect } from "vitest";
import * as definitions from "../../provider/definitions";
import { ResourceHandler } from "../../provider/lifecycle/handler";
import { loadOrganization } from "../../provider/organization/file/loader";
import { childrenOf } from "../../provider/organization/sections";
import type { ResourceName } from "../../provider/resources/names";
import { Run } from "../../provider/run/run";
import { docsOrg } from "../support/docs-org";

/** `docs-org export` in this process: its exit status, and what it says. */
export const exporting = (...args: string[]) => docsOrg("export", ...args);

/** What a folder holds, by path. */
export function readFiles(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name)).sort();
  return Object.fromEntries(paths.map((path) => [path.slice(folder.length + 1), readFileSync(path, "utf8")]));
}

/** A resource in an `import.json`. */
export interface ImportEntry {
  readonly type: string;
  readonly name: string;
  readonly id: string;
  readonly inputs: Record<string, unknown>;
  readonly outputs: Record<string, unknown>;
}

export const resourceOf = ({ type }: Pick<ImportEntry, "type">) => type.split(":").at(-1) as ResourceName;

/** The entries of an `import.json`, without the component. */
export function entriesIn(folder: string): ImportEntry[] {
  const { resources } = JSON.parse(readFileSync(join(folder, "import.json"), "utf8")) as { resources: ImportEntry[] };
  return resources.filter(({ id }) => id !== undefined);
}

/** What the component declares of the file: resource, name and inputs. */
export function declaredByFile(folder: string, name: string): unknown[] {
  const { organization } = loadOrganization(join(folder, "organization.yaml"));
  const entries = new Map(entriesIn(folder).map((entry) => [`${resourceOf(entry)} ${entry.name}`, entry]));
  return childrenOf(name, organization, new Date()).map(({ resource, name: child, inputs, site }) => {
    const siteId = entries.get(`Site ${name}-${site}`)?.id;
    return [resource, child, { ...inputs, ...(site !== undefined && { siteId }) }];
  });
}

/** What is imported: resource, name and inputs. */
export function importedIn(folder: string): [ResourceName, string, object][] {
  return entriesIn(folder).map((entry) => {
    const { __provider, ...inputs } = entry.inputs;
    return [resourceOf(entry), entry.name, inputs];
  });
}

/** Names of the entries that differ or are refused, checked, read and compared as the engine does. */
export async function changedEntries(folder: string): Promise<string[]> {
  const host = { run: new Run() };
  const changed = await Promise.all(
    entriesIn(folder).map(async (entry) => {
      const { name, id, inputs, outputs } = entry;
      const handler = new ResourceHandler(definitions[resourceOf(entry)], host);
      const checked = await handler.check({}, inputs);
      const read = await handler.read(id, outputs);
      const { changes } = await handler.diff(id, read.props, inputs);
      const isClean = read.id === id && checked.failures.length === 0 && changes === false;
      return isClean ? [] : [name];
    }),
  );
  return changed.flat();
}

/** What the program declares, run without the engine: class, name and arguments of each resource. */
export function declaredByProgram(folder: string): unknown[] {
  const files = readFiles(folder);
  const compilerOptions = { module: ModuleKind.CommonJS, target: ScriptTarget.ES2022 };
  const program = transpileModule(files["index.ts"] ?? "", { compilerOptions, reportDiagnostics: true });
  expect(program.diagnostics).toEqual([]);
  const entries = entriesIn(folder);
  const declared: unknown[] = [];
  const classOf = (resource: string) =>
    class {
      readonly id: string | undefined;
      constructor(...[name, inputs]: unknown[]) {
        declared.push([resource, name, inputs]);
        this.id = entries.find((entry) => entry.name === name && resourceOf(entry) === resource)?.id;
      }
    };
  const docs = new Proxy({}, { get: (_, resource) => classOf(String(resource)) });
  const fs = { readFileSync: (file: string) => files[file] };
  new Function("require", "exports", program.outputText)((name: string) => (name.endsWith("fs") ? fs : docs), {});
  return declared;
}

import { existsSync, writeFileSync } from "node:fs";
import { DocsError } from "../../api/http/errors";
import { declarationOf } from "../../export/typescript";
import { type ImportFile, importFile } from "../../hosts/dynamic/import-file";
import type { ExistingResource } from "../../hosts/import-list";
import { providerKey } from "../../lifecycle/state";
import type { Properties } from "../../run/properties";
import { Run } from "../../run/run";
import { visible } from "../../text/visible";
import { readText } from "../input";
import { print } from "../output";

export interface Options {
  readonly file: string;
}

/** The arguments of the command; the import list refuses a resource that does not exist. */
interface Arguments {
  readonly resource: string;
  readonly name: string;
  readonly id: string;
}

type Entry = ImportFile["resources"][number];

export async function importObject(given: Arguments, { file }: Options): Promise<void> {
  const before = existsSync(file) ? entriesIn(file) : [];
  new Run().settings.refuseMissing(undefined);
  const one = given as ExistingResource;
  const [entry] = (await importFile([one])).resources as [Entry & { readonly inputs: Properties }];
  const others = before.filter(({ type, name }) => type !== entry.type || name !== entry.name);
  write(file, { resources: [...others, entry] });
  const { [providerKey]: _, ...inputs } = entry.inputs;
  await print(`${declarationOf(one.resource, one.name, inputs)}\n`);
  process.stderr.write(
    `docs-org: wrote ${visible(file, 2000)}; add the declaration to the program, and run: pulumi import --file ${visible(file, 2000)} --protect=false --generate-code=false\n`,
  );
}

function entriesIn(file: string): readonly Entry[] {
  const text = readText(file, "import file");
  try {
    const { resources } = JSON.parse(text) as Partial<ImportFile>;
    if (Array.isArray(resources)) return resources;
  } catch {
    // Reported below, as any other content.
  }
  throw new DocsError(`${visible(file, 2000)} is not a file of pulumi import; use another --file, or remove it`);
}

function write(file: string, content: ImportFile): void {
  try {
    writeFileSync(file, `${JSON.stringify(content, undefined, 2)}\n`);
  } catch (error) {
    throw new DocsError(`could not write ${visible(file, 2000)}: ${(error as Error).message}`);
  }
}

import { existsSync, writeFileSync } from "node:fs";
import { DocsError } from "../../api/http/errors";
import { declarationOf } from "../../export/project";
import { importFile } from "../../hosts/dynamic/import-file";
import type { ExistingResource, ImportFile } from "../../hosts/import-list";
import { providerKey } from "../../lifecycle/state";
import { attemptToWrite, jsonIn } from "../../run/files";
import { type Properties, propertiesIn } from "../../run/properties";
import { Run } from "../../run/run";
import { visible } from "../../text/visible";
import { readText } from "../input";
import { print, tell } from "../output";

type Entry = ImportFile["resources"][number];

export async function importObject(
  resource: string,
  name: string,
  id: string,
  { file }: { readonly file: string },
): Promise<void> {
  const before = existsSync(file) ? entriesIn(file) : [];
  new Run().settings.requireFor(undefined);
  // The import list refuses a resource that does not exist.
  const one = { resource, name, id } as ExistingResource;
  const [entry] = (await importFile([one])).resources as [Entry & { readonly inputs: Properties }];
  const others = before.filter((other) => other.type !== entry.type || other.name !== entry.name);
  const content: ImportFile = { resources: [...others, entry] };
  attemptToWrite(visible(file, 2000), () => writeFileSync(file, `${JSON.stringify(content, undefined, 2)}\n`));
  const { [providerKey]: _, ...inputs } = entry.inputs;
  await print(`${declarationOf(one.resource, one.name, inputs)}\n`);
  tell(
    `wrote ${visible(file, 2000)}; add the declaration to the program, and run: pulumi import --file ${visible(file, 2000)} --protect=false --generate-code=false`,
  );
}

function entriesIn(file: string): readonly Entry[] {
  const { resources } = propertiesIn(jsonIn(readText(file, "import file")));
  if (Array.isArray(resources)) return resources;
  throw new DocsError(`${visible(file, 2000)} is not a file of pulumi import; use another --file, or remove it`);
}

import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { DocsError } from "../../api/http/errors";
import { isManagedFolder } from "../../deployment/project";
import { attemptToWrite, endOfPart } from "../../run/files";
import { packagePart } from "../../run/package";
import { tell } from "../output";

/** Writes the workflows and scripts of examples/github-actions into the repository of the current folder. */
export function initGithub({ force = false }: { readonly force?: boolean }): void {
  const folder = process.cwd();
  if (!isManagedFolder(folder))
    throw new DocsError(
      "the workflows are for a folder with organization.yaml and without a Pulumi.yaml; change to it, or write the file for a live organization with docs-org take-over",
    );
  // Without a repository, the folder itself becomes one.
  const repository = repositoryOf(folder) ?? folder;
  const files = [...filesFor(relative(repository, folder).split(sep).join("/"))].filter(
    ([name, text]) => textOf(join(repository, name)) !== text,
  );
  const existing = files.map(([name]) => name).filter((name) => existsSync(join(repository, name)));
  if (existing.length > 0 && !force)
    throw new DocsError(
      `nothing was written, because these files have another content: ${existing.join(", ")}; move your changes elsewhere, and overwrite the files with docs-org init github --force`,
    );
  for (const [name, text] of files) write(join(repository, name), text);
  const written = files.map(([name]) => name).filter((name) => !existing.includes(name));
  if (existing.length > 0) tell(`overwrote ${existing.join(", ")}`);
  if (written.length > 0) tell(`wrote ${written.join(", ")}`);
  ignore(join(folder, ".gitignore"));
  console.log(`Next: follow ${guide}, which says what to set up in the repository, and commit these files.`);
}

const guide = ".github/docs-org/README.md";

/** The folder of the repository that a folder is in; `undefined` if no folder above has one. */
function repositoryOf(folder: string): string | undefined {
  if (existsSync(join(folder, ".git"))) return folder;
  return dirname(folder) === folder ? undefined : repositoryOf(dirname(folder));
}

/** The files by their names in the repository. The jobs run in the folder of organization.yaml, which two lines of the example name. */
function* filesFor(folder: string): Generator<[name: string, text: string]> {
  const example = packagePart("examples/github-actions");
  for (const name of readdirSync(example, { recursive: true, encoding: "utf8" }).sort()) {
    if (statSync(join(example, name)).isDirectory()) continue;
    const text = readFileSync(join(example, name), "utf8");
    const inFolder = text
      .replaceAll("working-directory: . #", () => `working-directory: ${JSON.stringify(folder)} #`)
      .replaceAll("path: ./out/", () => `path: ${JSON.stringify(`${folder}/out/`)}`);
    yield [name.split(sep).join("/"), folder === "" ? text : inFolder];
  }
}

const textOf = (file: string): string | undefined => (existsSync(file) ? readFileSync(file, "utf8") : undefined);

function write(file: string, text: string): void {
  attemptToWrite(file, () => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  });
}

/** Adds what npm and the jobs write. The example has no .gitignore for this, because npm packs none. */
function ignore(file: string): void {
  const before = textOf(file) ?? "";
  const lines = before.split(/\r?\n/).map((line) => line.replace(/^\/|\/$/g, ""));
  const missing = ["node_modules/", "out/", `*${endOfPart}`].filter((line) => !lines.includes(line.replace(/\/$/, "")));
  if (missing.length === 0) return;
  write(file, `${before}${before === "" || before.endsWith("\n") ? "" : "\n"}${missing.join("\n")}\n`);
  tell(`added ${missing.join(", ")} to .gitignore`);
}

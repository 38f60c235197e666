import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { opened, root, service } from "../scripts/reference/declarations";
import { descriptionOf, unwrapped } from "../scripts/reference/description";
import { differencesPage, pages, referenceFiles } from "../scripts/reference/files";
import { pathsOf, propertiesOf, type Resource, readReference } from "../scripts/reference/resources";

const { resources } = readReference();
const named = resources.map((resource) => [resource.name, resource] as const);

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

/** An editor that has a program open, which is not on the disk. Places in it are marked by comments. */
class Editor {
  private readonly file = path.join(root, "test", `opened-program-${opened.size}.ts`);

  constructor(private readonly text: string) {
    opened.set(this.file, text);
  }

  mistakes(): string[] {
    const { file } = this;
    const found = [...service.getSyntacticDiagnostics(file), ...service.getSemanticDiagnostics(file)];
    return found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
  }

  /** What is offered at a place, each name with its documentation. */
  completions(mark: string): Record<string, string> {
    const at = this.placeOf(mark);
    const offered = service.getCompletionsAtPosition(this.file, at, undefined)?.entries ?? [];
    const documented = offered.map(({ name }) => {
      const details = service.getCompletionEntryDetails(this.file, at, name, {}, undefined, undefined, undefined);
      return [name, oneLine(ts.displayPartsToString(details?.documentation))];
    });
    return Object.fromEntries(documented);
  }

  /** What is shown for the word at a place. */
  hover(mark: string): { type: string; documentation: string } {
    const info = service.getQuickInfoAtPosition(this.file, this.placeOf(mark));
    return {
      type: ts.displayPartsToString(info?.displayParts),
      documentation: oneLine(ts.displayPartsToString(info?.documentation)),
    };
  }

  private placeOf(mark: string): number {
    const comment = `/*${mark}*/`;
    return this.text.indexOf(comment) + comment.length;
  }
}

const begun = resources.map(
  ({ name }) => `
new docs.${name}("${name}", { /*arguments of ${name}*/ });
declare const a${name}: docs.${name};
a${name}./*outputs of ${name}*/;`,
);
const shown = `
import * as docs from "../provider";
new docs.Site("a", { /*title*/title: "Guide" });
const named: docs.SiteArgs = { /*named*/title: "Guide" };
new docs.Translation("a", { language: "fr", source: { /*space*/space: "guides", language: "en" } });
${begun.join("\n")}`;

/** Names and descriptions as the schemas have them. */
function descriptions(...objects: Resource["definition"]["inputs"][]): Record<string, string> {
  const properties = objects.flatMap(propertiesOf);
  return Object.fromEntries(properties.map(([name, property]) => [name, oneLine(descriptionOf(property))]));
}

describe("an editor", { timeout: 300_000 }, () => {
  const editor = new Editor(shown);

  it.each(named)("offers the arguments of %s with their descriptions", (name, { definition: { inputs } }) => {
    expect(editor.completions(`arguments of ${name}`)).toEqual(descriptions(inputs));
  });

  it.each(named)("offers the outputs of %s with their descriptions", (name, { definition: { inputs, outputs } }) => {
    expect(editor.completions(`outputs of ${name}`)).toMatchObject(descriptions(inputs, outputs));
  });

  it("shows the description of a property, wherever it is used", () => {
    const title = {
      type: "(property) title?: Input<string | undefined>",
      documentation: "Title of the site, 2 to 128 characters.",
    };
    expect(editor.hover("title")).toEqual(title);
    expect(editor.hover("named")).toEqual(title);
    expect(editor.hover("space").documentation).toBe("Id of the space to translate.");
  });
});

/** Types are the same if each can be the other and the names are equal: an optional property of one side would go unnoticed. */
const helpers = `
type Both<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
type Same<A, B> = Both<A, B> extends true ? Both<keyof A, keyof B> : false;
`;

function comparisonOf({ name, file }: Resource): string {
  const module = `import("../${path.relative(root, file).replace(/\.ts$/, "")}")`;
  const definition = `(typeof ${module}.${name.replace(/^./, (first) => first.toLowerCase())})`;
  const inputs = `import("zod").output<${definition}["inputs"]>`;
  const outputs = `import("zod").output<${definition}["outputs"]>`;
  const args = `import("../provider/program/types").Arguments<${inputs}>`;
  return `
export const ${name}: [
  Same<docs.${name}Inputs, ${inputs}>,
  Same<docs.${name}Args, ${args}>,
  Same<ConstructorParameters<typeof docs.${name}>[1], ${args}>,
  Both<docs.${name}Outputs, ${outputs}>,
] = [true, true, true, true];`;
}

describe("a program", { timeout: 300_000 }, () => {
  const examples = resources.map(({ tags }) => tags.get("example") ?? "");
  const blocks = examples.map((text) => `{\n${text.replace(/^```.*$/gm, "").replace(/^import .*$/gm, "")}\n}`);
  const imports = ['import { readFileSync } from "node:fs";', 'import * as docs from "../provider";'];
  const editor = new Editor([...imports, helpers, ...resources.map(comparisonOf), ...blocks].join("\n"));

  it("finds the types of the schemas in the interfaces, and no mistake in the examples", () => {
    expect(editor.mistakes()).toEqual([]);
  });
});

// After the editors, which then share all types with the reference.
const files = referenceFiles();

describe("the reference", () => {
  it.each([...files])("is up to date with `npm run reference`: %s", (file, text) => {
    expect(readFileSync(path.join(root, file), "utf8")).toBe(text);
  });

  it("has no page of a removed resource", () => {
    const found = readdirSync(path.join(root, pages)).map((name) => path.join(pages, name));
    expect(found.filter((file) => !files.has(file))).toEqual([differencesPage]);
  });

  it.each(named)("describes every property of %s", (_name, { definition: { inputs, outputs } }) => {
    const all = [...propertiesOf(inputs), ...propertiesOf(outputs)];
    expect(all.filter(([, property]) => descriptionOf(property) === "").map(([name]) => name)).toEqual([]);
  });

  // The type of zod allows any key.
  it("has no mistyped key in what describes a property", () => {
    const schemas = resources.flatMap(({ definition: { inputs, outputs } }) => [
      ...pathsOf(inputs),
      ...pathsOf(outputs),
    ]);
    const keys = schemas.flatMap(([, property]) => Object.keys(unwrapped(property).meta() ?? {}));
    const known = ["concealed", "description", "none", "option", "replacesUnlessLive", "selection", "unread"];
    expect([...new Set(keys)].sort()).toEqual(known);
  });
});

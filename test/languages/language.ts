import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Client, createClient } from "../../provider/api/client";
import { type Emulator, startEmulator } from "../../provider/emulator";
import { isCi } from "../../scripts/ci";
import { type InstalledLanguage, missingTools } from "../../scripts/language-tools";
import { blocksOf } from "../../scripts/pages/page";
import { filesOfExample } from "./examples";
import { Project } from "./project";

const organizationId = "acme";

/** What a section of the page tells the reader to write and to run. */
function sectionOf(title: string): { files: Readonly<Record<string, string>>; commands: readonly string[] } {
  const blocks = blocksOf("docs/languages.md").filter(({ section }) => section === title);
  const files = blocks.flatMap(({ file, content }) => (file === undefined ? [] : [[file, content]]));
  const commands = blocks.flatMap(({ language, content }) => (language === "sh" ? [content] : []));
  if (files.length + commands.length === 0)
    throw new Error(`the page has no section "${title}" with files or commands`);
  return { files: Object.fromEntries(files), commands };
}

/** What differs between languages when the code of an import is added to the program. */
export interface Tested {
  readonly language: InstalledLanguage;
  /** The section of the page. */
  readonly title: string;
  /** Commands before those of the section. */
  readonly before?: string;
  /** The changed files, with the code that the engine wrote for the imported site. */
  added(files: Readonly<Record<string, string>>, code: string): Record<string, string>;
  /** The folder of an example in this language, which has the same program in each. */
  readonly example?: string;
  /** More tests in the same project. */
  more?(project: () => Project): void;
}

/** Follows `docs/languages.md` from an empty folder, through the real engine. */
export function testLanguage({ language, title, before = "", added, example, more }: Tested): void {
  const missing = missingTools(language);
  const skipped = missing.length > 0 && !isCi();
  describe.skipIf(skipped)(`a program in ${title}`, () => {
    const { files, commands } = sectionOf(title);
    const [stack = "", preview = ""] = sectionOf("Run it").commands;
    const [importing = ""] = sectionOf("Import a second site").commands;
    // Programs of several languages can be tried at the same service.
    const handbook = `Handbook for ${title}`;
    let emulator: Emulator;
    let client: Client;
    let project: Project;

    beforeAll(async () => {
      if (missing.length > 0) throw new Error(`${title} needs ${missing.join(" and ")} on PATH`);
      emulator = await startEmulator();
      client = createClient({ baseUrl: emulator.url, token: emulator.token });
      project = await Project.create(emulator);
      await project.write(files);
      if (before) await project.run(before);
      for (const command of commands) await project.run(command);
    });
    afterAll(async () => {
      await project?.remove();
      await client?.close();
      await emulator?.close();
    });
    const site = (id: string) => client.getSite({ organizationId, siteId: id });

    it("creates a site, and finds its drift with a plain preview", async () => {
      const created = await project.run(stack);
      const id = /\bid\s*: "(\w+)"/.exec(created)?.[1] ?? "";
      expect(await site(id)).toMatchObject({ title: handbook, visibility: "unlisted" });
      await client.updateSite({ organizationId, siteId: id, body: { title: "Changed by hand" } });
      const shown = await project.run(`${preview.trim()} --diff`);
      expect(shown).toMatch(/~ title *: "Changed by hand" => "Handbook for /);
      await client.updateSite({ organizationId, siteId: id, body: { title: handbook } });
    });

    it("imports a second site by its id, with the code to add", async () => {
      const second = await client.createSite({ organizationId, body: { title: "Second" } });
      await project.run(importing.replace("site_second", second.id));
      await project.write(added(files, await project.read("second.txt")));
      await project.run("pulumi preview --expect-no-changes");
      await project.write(files);
    });

    if (example !== undefined) {
      it("runs the example, which takes a site over, creates one and reads another", async () => {
        const seeded = await startEmulator();
        const taken = project.at(seeded);
        await taken.write(filesOfExample(example));
        const output = await taken.run("pulumi stack init example\npulumi up --yes --skip-preview");
        // The stack is created, too.
        expect(output).toMatch(/\+ 2 created\s+= 1 imported/);
        const outputs = await taken.run("pulumi stack output --json");
        expect(outputs).toMatch(/"guide": "https:.*"product": "https:\/\/sites\.docs\.example\/acme\/product\/"/s);
        expect(outputs).toMatch(/Bea Berg/);
        await project.write(files);
        await seeded.close();
      });
    }

    more?.(() => project);
  });
}

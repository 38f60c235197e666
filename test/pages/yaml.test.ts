import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { parseDocument } from "yaml";
import { loadOrganization } from "../../provider/organization/file/loader";
import { blocksOf, pagesIn } from "../../scripts/pages/page";

const blocks = pagesIn("README.md", "docs")
  .filter((page) => !page.startsWith("docs/reference/"))
  .flatMap((page) => blocksOf(page))
  .filter(({ notRun }) => notRun === undefined);
const yaml = blocks.filter(({ language }) => language === "yaml");

describe("YAML of the pages", () => {
  it.each(
    yaml
      .filter(({ file }) => file === "organization.yaml")
      .map((block) => [`${block.page}:${block.line}`, block] as const),
  )("has no mistake in an organization: %s", async (_place, block) => {
    const file = path.join(await mkdtemp(path.join(tmpdir(), "docs-org-page-")), "organization.yaml");
    await writeFile(file, block.content);
    expect(loadOrganization(file, { now: new Date("2026-11-20") }).organization.organization).toBe("acme");
    await rm(path.dirname(file), { recursive: true });
  });

  it.each(yaml.map((block) => [`${block.page}:${block.line}`, block] as const))("is YAML: %s", (_place, block) => {
    expect(parseDocument(block.content, { customTags: [{ tag: "!include", resolve: String }] }).errors).toEqual([]);
  });
});

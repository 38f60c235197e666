import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { docsOrg, emulate, freshFolder } from "../support/docs-org";

const newFile = () => path.join(freshFolder(), "import.json");

test("adds an object to the import file, and prints its declaration", async () => {
  const emulator = await emulate();
  const file = newFile();
  const { stdout, stderr, status } = await docsOrg("import", "Site", "handbook", "site_handbook", "--file", file);
  expect(status).toBe(0);
  expect(stdout).toBe(`new docs.Site("handbook", {
  title: "Handbook",
  type: "basic",
  visibility: "unlisted",
  basename: "handbook",
  agentsContext: "included",
  published: false,
});
`);
  expect(stderr).toContain(`run: pulumi import --file ${file} --protect=false --generate-code=false\n`);
  await docsOrg("import", "TeamMembers", "writers", "team_writers", "--file", file);
  await docsOrg("import", "Site", "handbook", "site_product", "--file", file);
  const { resources } = JSON.parse(readFileSync(file, "utf8"));
  expect(resources).toMatchObject([
    { type: "pulumi-nodejs:dynamic/docs:TeamMembers", name: "writers", id: "team_writers" },
    { type: "pulumi-nodejs:dynamic/docs:Site", name: "handbook", id: "site_product" },
  ]);
  expect(emulator.log.filter(({ method }) => method !== "GET")).toEqual([]);
});

test("refuses what is not there, and a file of something else, which it leaves as it is", async () => {
  await emulate();
  const file = newFile();
  const site = ["import", "Site", "handbook", "site_handbook", "--file", file];
  writeFileSync(file, "[]");
  const refusal = await docsOrg(...site);
  expect(refusal.status).toBe(1);
  expect(refusal.stderr.replace(file, "FILE")).toHaveWording("an import file of something else");
  expect(readFileSync(file, "utf8")).toBe("[]");
  rmSync(file);
  expect((await docsOrg("import", "Sites", "one", "x", "--file", file)).stderr).toContain('did you mean "Site"?');
  expect((await docsOrg("import", "Site", "one", "x", "--file", file)).stderr).toHaveWording("an unknown site");
  expect(() => readFileSync(file)).toThrow("ENOENT");
});

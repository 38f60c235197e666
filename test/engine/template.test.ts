import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { root } from "../../scripts/stack";

/** As `pulumi new typescript` writes it; with TypeScript 6, `node` needs `ignoreDeprecations`. */
const template = {
  strict: true,
  outDir: "bin",
  target: "es2020",
  module: "commonjs",
  moduleResolution: "node",
  sourceMap: true,
  experimentalDecorators: true,
  pretty: true,
  noFallthroughCasesInSwitch: true,
  noImplicitReturns: true,
  forceConsistentCasingInFileNames: true,
};

const program = `
import * as pulumi from "@pulumi/pulumi";
import * as docs from "pulumi-docs-org";

const site = new docs.Site("guide", { title: "Guide", visibility: "unlisted", published: true });
const schema: docs.SiteAdaptiveSchemaArgs = { siteId: site.siteId, claims: { plan: { type: "string", description: "Plan" } } };
new docs.SiteAdaptiveSchema("guide", schema);
new docs.MemberRole("lead", { user: "lead@acme.test", role: "admin" });
const file: docs.OrganizationFile = { organization: "acme", members: { "ops@acme.test": "admin" } };
const acme = new docs.Organization("acme", file);
const member: pulumi.Output<docs.GetMemberResult> = docs.getMemberOutput({ user: "lead@acme.test" });
export const url: pulumi.Output<string | undefined> = site.urls.apply((urls) => urls.published);
export const role = member.apply(({ role, user }) => [role, user.email]);
export const spaces = docs.getPublishedSiteOutput({ siteId: site.siteId }).apply(({ structure }) => structure.type);
export const now: Promise<Date> = docs.client().then((client) => client.now());
export const changes = docs.getChangeRequestChangesOutput({ spaceId: "guides", changeRequestId: "1" }).length;
export const ids: pulumi.Output<Record<string, string>> = acme.siteIds;
// @ts-expect-error there is no such property
new docs.Site("wrong", { titel: "Guide" });
`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "docs-org-template-"));
  await mkdir(path.join(folder, "node_modules"));
  for (const name of ["@pulumi", "@types"]) {
    await symlink(path.join(root, "node_modules", name), path.join(folder, "node_modules", name));
  }
  await symlink(root, path.join(folder, "node_modules", "pulumi-docs-org"));
  await writeFile(path.join(folder, "index.ts"), program);
});
afterAll(() => rm(folder, { recursive: true }));

/** What the compiler says of the program, and the files that it read for it. */
async function compiled(options: Record<string, unknown>): Promise<{ output: string; files: string[] }> {
  await writeFile(
    path.join(folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions: options, files: ["index.ts"] }),
  );
  const tsc = path.join(root, "node_modules", "typescript", "bin", "tsc");
  const args = [tsc, "--noEmit", "--pretty", "false", "--listFiles", "--project", folder];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 1e8 }).catch((error) => error);
  const lines = String(stdout).trim().split("\n");
  return { output: lines.filter((line) => !line.startsWith("/")).join("\n"), files: lines };
}

it("type-checks a project of Pulumi's TypeScript template without an error, with only our types and those of the SDK", async () => {
  const { output, files } = await compiled({ ...template, ignoreDeprecations: "6.0", types: ["node"] });
  expect(output).toBe("");
  const own = files.filter((file) => file.startsWith(path.join(root, "dist")));
  expect(own).toContain(path.join(root, "dist", "index.d.ts"));
  expect(own.filter((file) => file.includes("/api/"))).toEqual([]);
  expect(files.filter((file) => /node_modules\/(zod|undici|yaml)\//.test(file))).toEqual([]);
  const sizes = await Promise.all(own.map(async (file) => (await readFile(file)).length));
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(150_000);
});

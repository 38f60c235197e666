import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";

const run = promisify(execFile);
const root = path.join(__dirname, "..");

/** The package in a folder of its own, where compiling is nothing: the real `dist` belongs to other tests. */
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "docs-org-packed-"));
  const { scripts, ...manifest } = await manifestIn(root);
  await mkdir(path.join(folder, "dist"));
  await cp(path.join(root, "organization.schema.json"), path.join(folder, "organization.schema.json"));
  const stub = { ...manifest, scripts: { ...scripts, build: "node -e 0" } };
  await writeFile(path.join(folder, "package.json"), `${JSON.stringify(stub, undefined, 2)}\n`);
});
afterAll(() => rm(folder, { recursive: true }));

type Manifest = { readonly scripts: Record<string, string> } & Record<string, unknown>;
const manifestIn = async (place: string): Promise<Manifest> =>
  JSON.parse(await readFile(path.join(place, "package.json"), "utf8"));

it("runs nothing at its installation, without a warning of npm; a clone and an installation from git compile", async () => {
  const before = await readFile(path.join(folder, "package.json"), "utf8");
  const { stdout } = await run("npm", ["pack", "--json", "--loglevel", "error"], { cwd: folder });
  const [packed] = JSON.parse(stdout.slice(stdout.indexOf("[\n")));
  await run("tar", ["xzf", packed.filename], { cwd: folder });
  const { scripts } = await manifestIn(path.join(folder, "package"));
  const ofInstallation = ["preinstall", "install", "postinstall", "prepublish", "preprepare", "prepare", "postprepare"];
  expect(Object.keys(scripts).filter((name) => ofInstallation.includes(name))).toEqual([]);
  // The folder that was packed is as it was.
  expect(await readFile(path.join(folder, "package.json"), "utf8")).toBe(before);
  expect((await manifestIn(root)).scripts.prepare).toBe("npm run build");
});

import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";

const run = promisify(execFile);
const root = path.join(__dirname, "..");

/** The package in a folder of its own, where compiling is nothing: the real `dist` belongs to other tests. */
let folder: string;
/** What npm installs of it. */
let packed: string;
let before: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "docs-org-packed-"));
  const { scripts, ...manifest } = await manifestIn(root);
  await mkdir(path.join(folder, "dist"));
  for (const name of ["organization.schema.json", "examples"])
    await cp(path.join(root, name), path.join(folder, name), { recursive: true });
  const stub = { ...manifest, scripts: { ...scripts, build: "node -e 0" } };
  before = `${JSON.stringify(stub, undefined, 2)}\n`;
  await writeFile(path.join(folder, "package.json"), before);
  const { stdout } = await run("npm", ["pack", "--json", "--loglevel", "error"], { cwd: folder });
  const [{ filename }] = JSON.parse(stdout.slice(stdout.indexOf("[\n")));
  await run("tar", ["xzf", filename], { cwd: folder });
  packed = path.join(folder, "package");
});
afterAll(() => rm(folder, { recursive: true }));

type Manifest = { readonly scripts: Record<string, string> } & Record<string, unknown>;
const manifestIn = async (place: string): Promise<Manifest> =>
  JSON.parse(await readFile(path.join(place, "package.json"), "utf8"));

it("runs nothing at its installation; a clone and an installation from git compile", async () => {
  const { scripts } = await manifestIn(packed);
  const ofInstallation = ["preinstall", "install", "postinstall", "prepublish", "preprepare", "prepare", "postprepare"];
  expect(Object.keys(scripts).filter((name) => ofInstallation.includes(name))).toEqual([]);
  // The folder that was packed is as it was.
  expect(await readFile(path.join(folder, "package.json"), "utf8")).toBe(before);
  expect((await manifestIn(root)).scripts.prepare).toBe("npm run build");
});

it("contains every file of the examples", async () => {
  const filesIn = (place: string) => readdir(path.join(place, "examples"), { recursive: true });
  expect((await filesIn(packed)).sort()).toEqual((await filesIn(folder)).sort());
});

type Lock = { readonly packages: Readonly<Record<string, { dependencies?: object; optionalDependencies?: object }>> };

/** The packages of the lock file that npm installs for the named ones, found as Node.js finds them. */
function installed({ packages }: Lock, names: readonly string[], from = "", found = new Set<string>()): Set<string> {
  for (const name of names) {
    const levels = from
      .split(/(?<=[^/])\/(?=node_modules\/)/)
      .map((_, index, parts) => parts.slice(0, index + 1).join("/"));
    const places = ["", ...levels].reverse().map((level) => path.posix.join(level, "node_modules", name));
    const place = places.find((one) => one in packages);
    if (place === undefined || found.has(place)) continue;
    found.add(place);
    const { dependencies, optionalDependencies } = packages[place] ?? {};
    installed({ packages }, Object.keys({ ...dependencies, ...optionalDependencies }), place, found);
  }
  return found;
}

it("adds at most 15 packages beside the SDK and what that installs", async () => {
  const lock: Lock = JSON.parse(await readFile(path.join(root, "package-lock.json"), "utf8"));
  const ofSdk = installed(lock, ["@pulumi/pulumi"]);
  expect(ofSdk.size).toBeGreaterThan(100);
  const all = [...installed(lock, Object.keys(lock.packages[""]?.dependencies ?? {}))];
  expect(all).toContain("node_modules/zod");
  expect(all.filter((place) => !ofSdk.has(place)).length).toBeLessThanOrEqual(15);
});

import { copyFile, readFile } from "node:fs/promises";
import path from "node:path";
import { runProcess } from "../../provider/engine/child";
import { CLI, LANGUAGE_HOST } from "../../provider/engine/find";
import { ENGINE_VERSION, isAtLeast } from "../../provider/engine/version";
import { LANGUAGE_HOST_VERSION, type ModuleFolder, moduleFolder } from "./version";

export const MINIMUM_GO = "1.26";
const DEADLINE = 30 * 60_000;
const VERSION_VARIABLE = "github.com/pulumi/pulumi/sdk/v3/go/common/version.Version";

export interface BuildSite {
  /** A folder for the programs, and one for temporary files. */
  readonly folder: string;
  readonly scratch: string;
  readonly environment: NodeJS.ProcessEnv;
  log(line: string): void;
}

export interface GoProgram {
  module: ModuleFolder;
  /** Import path, or "." for the code of the module itself. */
  package: string;
  /** Relative to the folder of the engine. */
  file: string;
  version: string;
}

const languageHost: GoProgram = {
  module: "language-host",
  package: "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs",
  file: LANGUAGE_HOST,
  version: LANGUAGE_HOST_VERSION,
};

const cli: GoProgram = {
  module: "engine",
  package: "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi",
  file: CLI,
  version: ENGINE_VERSION,
};

/** Builds from source, for networks that only reach package registries: none has the CLI, but Go modules have its code. */
export async function buildEngine(site: BuildSite): Promise<void> {
  site.log("building the engine from Go modules (once; about 5 minutes on 2 cores, and 4 GB in Go's own caches)");
  site.log(`  ${await goVersion(site)}`);
  site.log(`  1 of 2: ${LANGUAGE_HOST} ${LANGUAGE_HOST_VERSION}, about a minute`);
  await build(languageHost, site);
  site.log(`  2 of 2: pulumi ${ENGINE_VERSION}, about 4 minutes`);
  await build(cli, site);
}

/** Asks outside a module and with GOTOOLCHAIN=local: otherwise an old Go reports the version of the toolchain that it would download. */
export async function goVersion({ scratch, environment }: BuildSite): Promise<string> {
  const env = { ...environment, GOTOOLCHAIN: "local" };
  const asked = runProcess("go", ["version"], { cwd: scratch, env, deadline: 20_000 });
  const stdout = await asked.catch((error: NodeJS.ErrnoException) => {
    throw error.code === "ENOENT" ? new Error("go is not on PATH") : error;
  });
  const version = /\bgo\d+\.\d+\S*/.exec(stdout)?.[0] ?? "go of an unknown version";
  if (!isAtLeast(version, MINIMUM_GO)) throw new Error(`${version} on PATH is too old`);
  return version;
}

export async function build(program: GoProgram, { folder, scratch, environment }: BuildSite): Promise<void> {
  const flags = [...(await moduleFlags(program.module, scratch)), "-trimpath", "-buildvcs=false"];
  const link = `-s -w -X ${VERSION_VARIABLE}=v${program.version}`;
  await runProcess(
    "go",
    ["build", ...flags, "-ldflags", link, "-o", path.join(folder, program.file), program.package],
    {
      cwd: moduleFolder(program.module),
      // Builds for this machine even if the user's shell cross-compiles, and ignores a workspace file above the checkout.
      env: { ...environment, CGO_ENABLED: "0", GOOS: "", GOARCH: "", GOWORK: "off", GOTMPDIR: scratch },
      deadline: DEADLINE,
    },
  );
  await refuseNewChecksums(program.module, scratch);
}

/**
 * The committed go.mod has only the direct requirements. Go writes the indirect ones, which follow from them, into a copy;
 * go.sum has the checksums of all modules.
 */
export async function moduleFlags(module: ModuleFolder, scratch: string): Promise<string[]> {
  const copy = path.join(scratch, module);
  for (const end of ["mod", "sum"]) await copyFile(path.join(moduleFolder(module), `go.${end}`), `${copy}.${end}`);
  return ["-mod=mod", `-modfile=${copy}.mod`];
}

async function refuseNewChecksums(module: ModuleFolder, scratch: string): Promise<void> {
  const committed = path.join(moduleFolder(module), "go.sum");
  const [before, after] = [
    await readFile(committed, "utf8"),
    await readFile(path.join(scratch, `${module}.sum`), "utf8"),
  ];
  if (before !== after) throw new Error(`${committed} lacks checksums; run go mod tidy`);
}

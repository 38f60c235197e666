import { createHash } from "node:crypto";
import { existsSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { defineConfig, type Plugin, type TestProjectInlineConfiguration } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Tests of programs in every language, with the packed package. */
const languages = ["test/languages/**/*.test.ts"];
/** Tests that run the compiled package, in the engine's own processes. */
const engine = ["test/engine/**/*.test.ts"];
/** A few of them for every change: one stack of each host, a site from its creation to its end, an import and a move. */
const smoke = ["site", "organization", "import", "plugin/host", "plugin/moving", "plugin/organization"].map(
  (name) => `test/engine/${name}.test.ts`,
);
/** Tests of what users run: the commands of the package, the examples, and everything that a page says. */
const commands = ["engine/commands", "engine/examples", "engine/pages", "recipes"].map(
  (folder) => `test/${folder}/**/*.test.ts`,
);
/** Every fault at every request, and generated organizations. */
const faults = ["test/faults/**/*.test.ts"];
/** Those with the engine: interrupted commands, and the search for the token in everything that they write. */
const engineFaults = ["crashes*", "secrets"].map((name) => `test/faults/${name}.test.ts`);
/** Tests without the engine that start a browser, scripts or other processes: they take most of the time. */
const processes = ["**/*.browser", "emulator/cli", "github-*", "engine-install", "api/limits"].map(
  (name) => `test/${name}.test.ts`,
);
/** Whether generated files are as their sources say. The compiler checks all of these, which takes longer than any unit test. */
const generated = ["test/reference.test.ts"];
/** Tests of what the engine calls, without the engine. */
const lifecycle = ["test/lifecycle/**/*.test.ts"];
/** Those that call the handlers themselves, so that no host takes part. */
const withoutHost = ["create-once", "lies", "old-lists", "restored-service", "side-effects"].map(
  (name) => `test/lifecycle/${name}.test.ts`,
);

/** The order of projects. Files that wait for processes begin; those of languages come after their setup, and small ones fill the end. */
const first = ["all", "faults-engine", "commands", "engine", "smoke", "languages", "processes"];
/** The same in `all`, which has files of each kind. */
const waiting = /test\/(engine|recipes|faults\/(crashes|secrets)[^/]*$)/;
/** Vitest begins with the files that took longest, or in a new checkout with the largest ones. These take longer than they are large. */
const longest = /test\/(engine\/pages\/guides|faults\/secrets|languages\/typescript)\.test\.ts$/;
/** It checks only the types of what a recipe changes, if those of all other files have been checked by then. */
const last = /test\/recipes\//;

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // A worker ends when the next file is one of another project, so the files of a project stay together.
    const placeOf = ({ project: { name } }: TestSpecification) =>
      first.includes(name) ? first.indexOf(name) : first.length;
    const rank = ({ moduleId }: TestSpecification) => {
      if (longest.test(moduleId)) return 0;
      if (last.test(moduleId)) return 2;
      return waiting.test(moduleId) ? 1 : 3;
    };
    const sorted = await super.sort(files);
    return sorted.sort((one, other) => {
      if (one.project !== other.project) return placeOf(one) - placeOf(other);
      return rank(one) - rank(other);
    });
  }
}

/**
 * What one project has compiled, the others read, and so do later runs until a file comes, goes or moves: a result names the places of
 * what it imports.
 */
const compiled = path.resolve("node_modules/.cache/pulumi-docs-org/tests", hashOfPlaces());

function hashOfPlaces(): string {
  const hash = createHash("sha256");
  for (const folder of ["provider", "test", "scripts", "examples"])
    hash.update(readdirSync(folder, { recursive: true }).sort().join("\n"));
  return hash.digest("hex").slice(0, 16);
}

const compiledBefore = existsSync(path.dirname(compiled)) ? readdirSync(path.dirname(compiled)) : [];
for (const name of compiledBefore)
  if (name !== path.basename(compiled))
    rmSync(path.join(path.dirname(compiled), name), { recursive: true, force: true });

/**
 * As many files at once as keep two cores busy: tests wait for deadlines and for a service that is slow, and a command of the engine
 * waits for its other processes. Projects with as many workers share them.
 */
const maxWorkers = 4;

/** Files share a worker's modules, because loading them would take a third of the time. They leave much garbage, and little else. */
const sharing = {
  maxWorkers,
  isolate: false,
  setupFiles: ["test/support/begin-file.ts"],
  execArgv: ["--max-semi-space-size=64"],
};

/**
 * Every process of Node.js reads this file, which with the certificates of a whole system takes longer than all else of its start. Only
 * npm, in the tests of languages, speaks to anything but an emulator.
 */
const { NODE_EXTRA_CA_CERTS = "" } = process.env;
delete process.env.NODE_EXTRA_CA_CERTS;

type Options = NonNullable<TestProjectInlineConfiguration["test"]>;

/** The same files with the provider plugin instead of dynamic providers; those of `once` need no host. */
const withPlugin = (name: string, options: Options, once: string[] = []) => ({
  test: {
    name,
    env: { DOCS_TEST_HOST: "plugin" },
    ...options,
    exclude: [...(options.exclude ?? []), ...once],
    ...sharing,
  },
});
const withBothHosts = ([dynamic, plugin]: readonly [string, string], options: Options, once: string[] = []) => [
  { test: { name: dynamic, ...options, ...sharing } },
  withPlugin(plugin, options, once),
];
/** Tests with the engine, whose commands share resident processes. */
const withEngine = (name: string, options: Options) => ({
  test: {
    name,
    globalSetup: "test/support/setup.ts",
    testTimeout: 400_000,
    hookTimeout: 400_000,
    ...options,
    ...sharing,
    setupFiles: [...sharing.setupFiles, "test/support/use-engine-node.ts"],
  },
});

/** For all faults of an operation, or for one of each. */
const timeOfFaults = process.env.EVERY_FAULT ? 3_600_000 : 600_000;
const anything = { testTimeout: timeOfFaults, hookTimeout: timeOfFaults, maxConcurrency: 40 };

/** All of the projects above but the one of languages in two, because each worker of a project starts a process and loads the modules. */
const inOneRun = [
  withEngine("all", { include: ["test/**/*.test.ts"], exclude: languages, ...anything }),
  withPlugin("all-plugin", { include: [...lifecycle, ...faults], exclude: engineFaults, ...anything }, [
    ...withoutHost,
    "test/faults/files/**",
    "test/faults/nights/**",
  ]),
];

/**
 * Modules that the sources load late are instances of their own for Node.js, which cannot load TypeScript either. In tests, they
 * are imported like all others.
 */
export const importLateModules: Plugin = {
  name: "import late modules",
  enforce: "pre",
  transform(code, id) {
    if (!id.startsWith(path.resolve("provider"))) return undefined;
    const modules: string[] = [];
    const text = code.replace(/\brequire\("(\.[^"]+)"\)/g, (_, module) => `lateModule${modules.push(module)}`);
    // At the end, so that every line keeps its number.
    const imports = modules.map((module, index) => `import * as lateModule${index + 1} from "${module}";\n`);
    return modules.length === 0 ? undefined : { code: `${text}\n${imports.join("")}`, map: null };
  },
};

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    experimental: { fsModuleCache: true, fsModuleCachePath: compiled },
    projects: (
      [
        {
          test: {
            name: "unit",
            include: ["test/**/*.test.ts"],
            exclude: [...engine, ...commands, ...processes, ...generated, ...lifecycle, ...languages, ...faults],
            testTimeout: 20_000,
            hookTimeout: 60_000,
            ...sharing,
          },
        },
        { test: { name: "generated", include: generated, testTimeout: 20_000, hookTimeout: 60_000, ...sharing } },
        { test: { name: "processes", include: processes, testTimeout: 20_000, ...sharing } },
        ...withBothHosts(
          ["lifecycle", "plugin"],
          { include: lifecycle, testTimeout: 60_000, hookTimeout: 60_000 },
          withoutHost,
        ),
        ...withBothHosts(
          ["faults", "faults-plugin"],
          {
            include: faults,
            exclude: engineFaults,
            testTimeout: timeOfFaults,
            maxConcurrency: 40,
          },
          ["test/faults/files/**", "test/faults/nights/**"],
        ),
        withEngine("smoke", { include: smoke }),
        withEngine("engine", { include: engine, exclude: [...commands, ...smoke] }),
        withEngine("commands", { include: commands }),
        withEngine("faults-engine", { include: engineFaults, testTimeout: 3_600_000 }),
        ...inOneRun,
        {
          test: {
            name: "languages",
            include: languages,
            globalSetup: "test/languages/setup.ts",
            testTimeout: 400_000,
            hookTimeout: 600_000,
            maxWorkers,
            env: { NODE_EXTRA_CA_CERTS },
          },
        },
      ] satisfies TestProjectInlineConfiguration[]
    ).map((project) => ({ ...project, plugins: [importLateModules] })),
  },
});

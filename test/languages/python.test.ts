import { expect, it } from "vitest";
import { parse } from "yaml";
import { startEmulator } from "../../provider/emulator";
import { seedOfVersion, versions } from "../states/everything";
import { stateOf } from "../states/exported";
import { declaredInState } from "../states/written-by";
import { examplesIn, read } from "./examples";
import { testLanguage } from "./language";

/** Runs every example with mocks in place of the engine, and prints what each resource was declared with. */
const runner = `
import glob, json, os, runpy
import pulumi

declared = []

class Recorded(pulumi.runtime.Mocks):
    def new_resource(self, args):
        declared.append({"type": args.typ, "name": args.name, "inputs": args.inputs})
        return [f"{args.typ}/{args.name}", args.inputs]

    def call(self, args):
        raise Exception(f"{args.token} is not mocked")

@pulumi.runtime.test
def run(example):
    runpy.run_path(example)

found = {}
for example in sorted(glob.glob("examples/*.py")):
    declared.clear()
    pulumi.runtime.set_mocks(Recorded())
    run(example)
    found[os.path.basename(example)[:-3]] = list(declared)
print("DECLARED" + json.dumps(found))
`;

interface Declared {
  readonly type: string;
  readonly name: string;
  readonly inputs: unknown;
}

/** What the example in YAML declares, with the ids that the mocks give. */
function inYaml(text: string): Declared[] {
  const resources: Record<string, { type: string; name?: string; properties: unknown }> = parse(text).resources;
  const tokenOf = (type: string) => type.replace("docs:", "docs:index:");
  const idOf = (key: string) => `${tokenOf(resources[key]?.type ?? "")}/${resources[key]?.name ?? key}`;
  return Object.entries(resources).map(([key, { type, name = key, properties }]) => {
    const resolved = JSON.stringify(properties)
      .replace(/\$\{(\w+)\.id\}/g, (_, other: string) => idOf(other))
      .replace(/\{"fn::readFile":"\.\/([^"]+)"\}/g, (_, file: keyof typeof read) => JSON.stringify(read[file]));
    return { type: tokenOf(type), name, inputs: JSON.parse(resolved) };
  });
}

/** Declares what stands in a file, below the component that a state has. */
const declaring = `
import json, re
import pulumi
import pulumi_docs_org as docs

above = pulumi.ComponentResource("docs:index:Organization", "acme")
for one in json.load(open("declared.json")):
    options = pulumi.ResourceOptions(parent=above if "parent" in one else None)
    inputs = {re.sub("(?<=[a-z])(?=[A-Z])", "_", name).lower(): value for name, value in one["declares"].items()}
    getattr(docs, one["resource"])(one["name"], opts=options, **inputs)
`;

/** Names the project as the states do. */
const ofTheStates = "name: docs-org-test\nruntime: python\n";

const byName = (declared: readonly Declared[]) =>
  [...declared].sort((one, other) => (one.type + one.name < other.type + other.name ? -1 : 1));

testLanguage({
  language: "python",
  example: "plugin-python",
  title: "Python",
  added: (files, code) => ({ "__main__.py": `${files["__main__.py"]}\n${code}` }),
  more: (project) => {
    it("declares with each example of the reference what the example in YAML declares", async () => {
      const examples = examplesIn("Python");
      await project().write({ "run.py": runner, ...read });
      await project().write(Object.fromEntries([...examples].map(([name, text]) => [`examples/${name}.py`, text])));
      const output = await project().run("python run.py");
      const found: Record<string, Declared[]> = JSON.parse(output.split("DECLARED")[1] ?? "");
      expect(examples.size).toBeGreaterThan(8);
      for (const [name, text] of examplesIn("YAML")) {
        expect(byName(found[name] ?? []), name).toEqual(byName(inYaml(text)));
      }
    });

    it.each(versions)("takes over a stack of the dynamic host with the state %s without a write", async (version) => {
      const emulator = await startEmulator({ seed: await seedOfVersion(version) });
      const state = await stateOf(version, emulator);
      const moved = project().at(emulator);
      await moved.write({
        "Pulumi.yaml": ofTheStates,
        "__main__.py": declaring,
        "declared.json": JSON.stringify(declaredInState(state)),
        "state.json": state,
      });
      await moved.run("pulumi stack init test\npulumi stack import --file state.json");
      await moved.run("pulumi up --yes --skip-preview --expect-no-changes");
      await moved.run("pulumi up --yes --skip-preview --refresh --expect-no-changes");
      expect(await moved.run("pulumi stack export")).not.toContain("pulumi-nodejs:dynamic");
      expect(emulator.log.filter(({ method }) => method !== "GET")).toEqual([]);
      await emulator.close();
    });
  },
});

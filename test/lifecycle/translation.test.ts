import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { richTextOf, sameMeaning } from "../../provider/api/groups/rich-text";
import { lifecycleContract, startBench } from "./contract";

const at = (translationId: string) => ({ organizationId: "acme", translationId });
const path = "/v1/orgs/acme/translations/{id}";
const inputs = { source: { space: "guides", language: "en" }, language: "es", instructions: "Keep product names." };

lifecycleContract({
  resource: "Translation",
  inputs,
  properties: [
    {
      name: "instructions",
      to: "Be brief.",
      writes: [["PUT", path, { instructions: richTextOf("Be brief.") }]],
      corrects: [["PUT", path, { instructions: richTextOf("Keep product names.") }]],
      drift: (client, id) =>
        client.updateTranslation({ ...at(id), body: { instructions: richTextOf("Something else.") } }),
    },
  ],
  vanish: (client, id) => client.deleteTranslation(at(id)),
});

describe("Translation", () => {
  let bench: Awaited<ReturnType<typeof startBench>>;
  beforeAll(async () => {
    bench = await startBench("Translation");
  });
  afterAll(() => bench.stop());

  it("runs again if rerun changes, and not if it is declared for the first time", async () => {
    const { id, properties } = await bench.provider.create(inputs);
    const runs = async () => (await bench.client.getTranslation(at(id))).stats.runs;
    bench.takeWrites();
    const declared = { ...inputs, rerun: { glossary: 1 } };
    const first = await bench.provider.update(id, properties, declared);
    expect(bench.takeWrites()).toEqual([]);
    expect(first).toMatchObject({ rerun: { glossary: 1 } });
    const changed = { ...inputs, rerun: { glossary: 2 } };
    expect((await bench.provider.diff(id, first, changed)).changes).toBe(true);
    const before = await runs();
    const second = await bench.provider.update(id, first, changed);
    expect(bench.takeWrites()).toEqual([["POST", `/v1/orgs/acme/translations/${id}/run`]]);
    expect((await bench.provider.read(id, second))?.inputs).toEqual(changed);
    expect(await runs()).toBeGreaterThanOrEqual(before);
    await bench.provider.delete(id, second);
  });

  it("returns its status, whose change is no difference", async () => {
    const { id, properties } = await bench.provider.create(inputs);
    expect(properties.status).toMatch(/^(pending|running|completed)$/);
    const { status: _, ...older } = properties;
    const read = await bench.provider.read(id, older);
    expect(read?.properties.status).toBe((await bench.client.getTranslation(at(id))).status);
    expect((await bench.provider.diff(id, older, inputs)).changes).toBe(false);
    await bench.provider.delete(id, properties);
  });

  it("runs once if it is created with rerun", async () => {
    bench.takeWrites();
    const { id, properties } = await bench.provider.create({ ...inputs, rerun: 1 });
    expect(bench.takeWrites().map(([method]) => method)).toEqual(["POST"]);
    await bench.provider.delete(id, properties);
  });

  it("is replaced if its source or language changes", async () => {
    const { id, properties } = await bench.provider.create(inputs);
    const other = { ...inputs, source: { space: "reference", language: "en" }, language: "it" };
    expect((await bench.provider.diff(id, properties, other)).replaces.sort()).toEqual(["language", "source"]);
    await bench.provider.delete(id, properties);
  });

  it("leaves the check of an unknown language to the service", async () => {
    const strange = { ...inputs, language: "tlh" };
    expect((await bench.provider.check({}, strange)).failures).toEqual([]);
    await expect(bench.provider.create(strange)).rejects.toThrow(/the service answered 400 ".*tlh/);
  });
});

describe("the comparison of instructions", () => {
  const rich = {
    ...richTextOf(""),
    nodes: [
      {
        object: "block" as const,
        type: "paragraph",
        key: "k1",
        isVoid: false,
        nodes: [
          {
            object: "text" as const,
            leaves: [
              { object: "leaf" as const, text: "Keep ", marks: [] },
              { object: "leaf" as const, text: "product names.", marks: [{ object: "mark", type: "bold" }] },
            ],
          },
        ],
      },
    ],
  };

  it.each([
    ["Keep product names.", rich, true],
    ["Keep product names.\n", rich, true],
    ["Keep other names.", rich, false],
    ["A\nB", "A\n\nB", true],
    ["A\nB", "A B", false],
    ["", richTextOf(""), true],
    // A service may send null for what is absent.
    ["A", { ...rich, nodes: [{ object: "block", type: "divider", nodes: null, leaves: null }] }, false],
  ])("tells whether %j and %j mean the same: %s", (a, b, same) => {
    expect(sameMeaning(a, b)).toBe(same);
  });
});

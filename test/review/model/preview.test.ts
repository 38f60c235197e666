import { describe, expect, it } from "vitest";
import { readPreview } from "../../../provider/review/model/preview";
import { previews, unknown } from "../previews";
import { type PreviewStep, print, printedWithTarget, urnOfStep } from "../support";

describe("an invalid preview", () => {
  const refresh = {
    steps: [{ op: "refresh", urn: "urn:pulumi:a::b::c:d:E::f" }],
    changeSummary: { update: 1, same: 2 },
  };
  it.each([
    ["an empty preview", ""],
    ["an empty preview", " \n"],
    ["something that is no preview", "[]"],
    ["something that is no preview", '{"version":3,"deployment":{}}'],
    ["a preview without a stack", '{"steps":[]}'],
    ["a preview of a refresh", JSON.stringify(refresh)],
  ])("is refused in one sentence: %s", (name, text) => {
    expect(() => readPreview(text, "p.json")).toThrow(expect.toHaveWording(name));
  });
  it("may be something else than JSON", () => {
    expect(() => readPreview("Previewing update", "p.json")).toThrow(
      /^p\.json is not JSON \(Unexpected token 'P'.*\); use /,
    );
  });
});

const counted = ["create", "update", "replace", "delete", "import"];
it.each(counted)("a preview from which a step was cut is refused: %s", (op) => {
  const content = JSON.parse(previews.change);
  const changeSummary = { ...content.changeSummary, [op]: (content.changeSummary[op] ?? 0) + 1 };
  expect(() => readPreview(JSON.stringify({ ...content, changeSummary }), "p.json")).toThrow(
    new RegExp(`^p\\.json was cut or edited: .*changeSummary .* \\d .* ${op}, .* \\d;`),
  );
});

describe("a preview", () => {
  it("is read without the engine's own properties", () => {
    const { resources, project, stack } = readPreview(printedWithTarget, "");
    expect([project, stack, resources.length]).toEqual(["docs-org-test", "test", 1]);
    expect(JSON.stringify(resources)).not.toMatch(/__provider|exports\.handler|__version/);
  });

  it("may begin with a mark of its encoding, and be empty, or without a stack if it failed", () => {
    const printed = (changeSummary: object) => {
      const site = { title: "a\uFEFFb" };
      return readPreview(
        `\uFEFF${print([{ op: "same", type: "Site", live: site, declared: site }], { changeSummary })}`,
        "",
      );
    };
    expect(printed({ same: 1, import: 0 })).toMatchObject({
      isEmpty: true,
      resources: [{ declared: { title: "a\uFEFFb" } }],
    });
    expect(printed({ same: 1, refresh: 1 }).isEmpty).toBe(false);
    const failed = readPreview(print([], { diagnostics: [{ message: "no", severity: "error" }] }), "");
    expect(failed).toMatchObject({ project: "", stack: "", failed: true });
    // Nor has it counted what it has not reached.
    const error = { diagnostics: [{ message: "no", severity: "error" }], changeSummary: { create: 2 } };
    expect(readPreview(print([{ op: "create", type: "Site" }], error), "").resources).toHaveLength(1);
  });

  it("says how to delete a protected resource in the words of our pages", () => {
    const urn = "urn:pulumi:main::acme::docs:index:Organization$docs:index:Site::acme-guide";
    const message = `resource "${urn}" cannot be deleted\nbecause it is protected. To unprotect the resource, either remove the \`protect\` flag from the resource in your Pulumi program and run \`pulumi up\`, or use the command:\n\`pulumi state unprotect '${urn}'\``;
    const refused = [urn.replace("guide", "notes"), urn].map((one) => {
      return { urn: one, message: message.replaceAll(urn, one), severity: "error" };
    });
    const other = { urn: urn.replace("guide", "a"), message: "no title", severity: "error" };
    const { diagnostics } = readPreview(JSON.stringify({ diagnostics: [other, ...refused] }), "");
    expect(diagnostics).toMatchObject([
      { severity: "error", text: expect.toHaveWording("the deletion of a protected resource") },
      { text: "no title" },
    ]);
  });

  const said = (...messages: (string | object)[]) => {
    const all = messages.map((one) => (typeof one === "string" ? { message: one, severity: "error" } : one));
    return readPreview(JSON.stringify({ diagnostics: all }), "").diagnostics.map(({ text }) => text);
  };
  it.each([
    ["error: docs:index:Site resource 'a' has a problem: no title", "no title"],
    ["docs:index:Site resource 'a': no title", "no title"],
    ["Preview failed: no plugin", "no plugin"],
    [
      "docs:index:Site resource 'a' has a problem: property title value {map[\n]} has a problem: no text",
      "title: no text",
    ],
    [
      "TypeError: no foo\r\n    at run (/a/b.ts:1:2)\nlook at it: line 1\n  at noon",
      "TypeError: no foo\nlook at it: line 1\n  at noon",
    ],
    ["of an error: it failed", "of an error: it failed"],
    ["a Preview failed: no plugin", "a Preview failed: no plugin"],
    [
      "a docs:index:Site resource 'a' has a problem: no title",
      "a docs:index:Site resource 'a' has a problem: no title",
    ],
    ["a property title value {1} has a problem: no text", "a property title value {1} has a problem: no text"],
  ])("says what happened, and leaves out only what begins a message of the engine: %j", (message, text) => {
    expect(said(message)).toEqual([text]);
  });

  it.each([
    "preview failed",
    "update failed",
    "failed to register new resource a [docs:index:Site]: rpc error: resource monitor shut down",
    "failed to register new resource a [docs:index:Site]: RST_STREAM",
    "Running program failed\nUnhandled exception: Error: resource a [docs:index:Site] failed to register",
    "error: grpc: the client connection is closing  \n  grpc: the client connection is closing",
  ])("leaves out an echo beside a reason, not without one: %j", (echo) => {
    expect(said(echo, "no title")).toEqual(["no title"]);
    expect(said(echo, { message: "a grant ends", severity: "warning" })).toHaveLength(2);
  });

  it.each([
    "the preview failed",
    "update failed: quota",
    "Unhandled exception: Error: resource a failed to register twice",
    "an Unhandled exception: Error: resource a failed to register",
    "no title\ngrpc: the client connection is closing",
    "grpc: the client connection is closing soon",
    "no grpc: the client connection is closing",
  ])("keeps a reason that only looks like an echo: %j", (reason) => {
    expect(said("no title", reason)).toEqual(["no title", reason]);
  });

  it("has its messages in the order of their resources, none without a text, and each of a resource once", () => {
    const of = (name: string, message: string) => ({
      urn: urnOfStep({ type: "Site", name }),
      message,
      severity: "error",
    });
    const messages = [
      of("b", "no title of b"),
      of("a", "no title of a"),
      of("c", ""),
      { message: "", severity: "info" },
      "one",
      "one",
      "no title",
    ];
    expect(said(...messages)).toEqual(["one", "one", "no title of a", "no title of b"]);
    expect(said("second", "first")).toEqual(["second", "first"]);
    expect(readPreview('{"diagnostics":[]}', "")).toMatchObject({
      failed: true,
      diagnostics: [{ severity: "error", text: expect.toHaveWording("a preview that says nothing") }],
    });
  });

  it("hides secrets, even if the engine was told to show them", () => {
    const title = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", plaintext: '"Hush"' };
    const asset = { "4dabf18193072939515e22adb298388d": "c44067f5952c0a294b673a41bacd8c17" };
    const declared = { title, nested: { kept: 1, title }, list: ["a", title], asset };
    const [site] = readPreview(print([{ op: "create", type: "Site", declared }]), "").resources;
    expect(site?.declared).toEqual({
      title: "[secret]",
      nested: { kept: 1, title: "[secret]" },
      list: ["a", "[secret]"],
      asset: unknown,
    });
  });

  it.each(["replace", "create-replacement", "delete-replaced", "import-replacement"])(
    "has a step of a replacement: %s",
    (op) => {
      const { resources } = readPreview(print([{ op, type: "Site", live: {}, declared: {} }]), "");
      expect(resources).toMatchObject([{ operation: "replace" }]);
    },
  );

  it("has a resource that is deleted and created as replaced", () => {
    const site = { type: "Site", live: { title: "A" } };
    const steps = [
      { ...site, op: "delete" },
      { op: "create", type: "Site", declared: { title: "B" } },
    ];
    expect(readPreview(print(steps), "").resources).toMatchObject([{ operation: "replace" }]);
  });

  it("has the deletion of an object that an interrupted replacement has left behind", () => {
    const [urn, space] = ["Site", "Space"].map((type) => urnOfStep({ type }));
    const oldState = { inputs: { title: "A" }, delete: true, deletedWith: space };
    const refresh = { op: "refresh", urn, oldState, newState: oldState };
    const read = (...steps: object[]) =>
      readPreview(JSON.stringify({ steps: [refresh, ...steps], changeSummary: { same: 1 } }), "");
    expect(read()).toMatchObject({ resources: [{ operation: "delete" }], isEmpty: false });
    expect(read().resources[0]?.retained).toBeUndefined();
  });

  it.each([
    [{ create: 1 }, true],
    [{ create: 1, update: 0 }, true],
    [{ create: 1, same: 2 }, false],
  ])("without a refresh has looked for drift only if the stack was empty: %j", (changeSummary, refreshed) => {
    const site = { op: "create", type: "Site", declared: { title: "A" } };
    expect(readPreview(print([site], { changeSummary }), "")).toMatchObject({ refreshed });
  });

  it("tells the resources of both hosts from components", () => {
    const types = ["Site", "docs:index:Site", "docs:index:Organization", "random:index:Site"];
    const { resources } = readPreview(print(types.map((type) => ({ op: "create", type, declared: {} }))), "");
    expect(resources.map(({ type, isOwn, component }) => [type, isOwn, component])).toEqual([
      ["Organization", true, true],
      ["Site", true, false],
      ["Site", true, false],
      ["Site", false, false],
    ]);
  });

  it("reads the steps of a replacement as one replacement", () => {
    const site = { type: "Site", name: "a::b", live: { title: "A" } };
    const [created, replaced] = ["create-replacement", "replace"].map((op) => ({ op, declared: { title: "B" } }));
    const steps = [
      { ...site, ...created },
      { ...site, ...replaced },
      { ...site, op: "delete-replaced" },
    ];
    expect(readPreview(print(steps), "").resources).toMatchObject([
      { name: "a::b", operation: "replace", live: { inputs: { title: "A" } }, declared: { title: "B" } },
    ]);
  });

  it("has its resources in one order, whichever the engine finished first", () => {
    const names = ["site-10", "site-2", "team"];
    for (const some of [names, names.toReversed()]) {
      const steps = some.map((name) => ({ op: "create", type: "Site", name, declared: {} }));
      const { resources } = readPreview(print(steps), "");
      expect(resources.map(({ name }) => name)).toEqual(["site-2", "site-10", "team"]);
    }
  });

  it("leaves out resources that are neither live nor declared, if --show-sames shows the others", () => {
    const role = { user: "user_a", role: "read" };
    const steps = ["kept", "gone"].map((name) => ({ op: "refresh", type: "MemberRole", name, recorded: role }));
    const names = (...more: PreviewStep[]) =>
      readPreview(print([...steps, ...more]), "").resources.map(({ name }) => name);
    expect(names({ op: "same", type: "MemberRole", name: "kept", live: role, declared: role })).toEqual(["kept"]);
    expect(names()).toEqual(["gone", "kept"]);
  });
});

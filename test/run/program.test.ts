import * as pulumi from "@pulumi/pulumi";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import * as docs from "../../provider";
import { startEmulator } from "../../provider/emulator";
import { isKnown } from "../support/outputs";

/** Unit tests of a program: mocks stand in the place of the engine. */
let warnings: string[];

const newResource = ({ name, inputs }: pulumi.runtime.MockResourceArgs) => ({ id: `${name}-id`, state: inputs });
const mocks = () => pulumi.runtime.setMocks({ newResource, call: ({ inputs }) => inputs });

beforeEach(async () => {
  warnings = [];
  vi.spyOn(console, "warn").mockImplementation((text) => void warnings.push(String(text)));
  await mocks();
});
afterEach(() => vi.restoreAllMocks());

const known = <T>(output: pulumi.Output<T>) => new Promise<T>((resolve) => void output.apply(resolve));

describe("a program that is built twice in one process", () => {
  const build = async (prefix = "") => {
    const { id } = new docs.MemberRole(`${prefix}ines`, { user: "ines@acme.test", role: "read" });
    const later = new docs.TeamMembers(`${prefix}support`, {
      teamId: id.apply(() => "team_support"),
      members: { "ines@acme.test": "owner" },
    });
    await known(later.id);
  };

  it("manages the same in each run, under any name", async () => {
    await build();
    await mocks();
    await build();
    await mocks();
    await build("renamed-");
  });

  it("can be built again with the same mocks", async () => {
    await build();
    await build();
  });

  it("can have docs.Organization, but only one of an organization in each run", async () => {
    const emulator = await startEmulator();
    onTestFinished(() => emulator.close());
    onTestFinished(() => void vi.unstubAllEnvs());
    vi.stubEnv("DOCS_BASE_URL", emulator.url);
    vi.stubEnv("DOCS_TOKEN", emulator.token);
    const withUrls = ({ name, inputs }: pulumi.runtime.MockResourceArgs) => ({
      id: `${name}-id`,
      state: { ...inputs, urls: {} },
    });
    const runAgain = ({ isPreview = false } = {}) =>
      pulumi.runtime.setMocks(
        { newResource: withUrls, call: () => ({ outputs: {} }) },
        "project",
        "stack",
        isPreview,
        "organization",
      );
    const declare = (prefix = "") =>
      new docs.Organization(`${prefix}acme`, {
        organization: "acme",
        members: { "ada@acme.test": "admin" },
        sites: { guide: { title: "Guide" } },
      });
    await runAgain();
    expect(await known(declare().siteIds)).toEqual({ guide: "acme-guide-id" });
    expect(await known(declare().siteIds)).toEqual({ guide: "acme-guide-id" });
    await runAgain();
    expect(await known(declare("renamed-").siteIds)).toEqual({ guide: "renamed-acme-guide-id" });
    expect(() => declare("other-")).toThrow(expect.toHaveWording("a second component for an organization"));

    // A preview knows the ids of what exists, and no hostname yet.
    await runAgain({ isPreview: true });
    const { siteIds, siteHostnames } = declare("previewed-");
    expect([await isKnown(siteIds), await isKnown(siteHostnames)]).toEqual([true, false]);
  });
});

describe("two resources for the same access in one run", () => {
  it("are refused", async () => {
    new docs.MemberRole("one", { user: "ines@acme.test", role: "read" });
    expect(() => new docs.MemberRole("two", { user: "Ines@acme.test", role: "edit" })).toThrow(
      expect.toHaveWording("a second manager"),
    );
    const parent = new pulumi.ComponentResource("test:index:Group", "group");
    expect(() => new docs.MemberRole("one", { user: "ines@acme.test", role: "edit" }, { parent })).toThrow(
      "both manage",
    );
    const all = { roles: {}, others: { members: "guest" } } as const;
    new docs.MemberRoles("others", all);
    new docs.MemberRole("beside", { user: "jun@acme.test", role: "read" });
    expect(() => new docs.MemberRoles("again", all)).toThrow("both manage undeclared members (others)");
  });
});

describe("a mistake", () => {
  it("is an error of the constructor, which names the resource and each property", () => {
    const args = { title: "a", visibility: "hidden", tilte: "b" } as unknown as docs.SiteArgs;
    const make = () => new docs.Site("bad", args);
    expect(make).toThrow(expect.toHaveWording("three mistakes of a Site"));
  });

  it("is found beside unknown values, which are no mistake", () => {
    const later = pulumi.output("x");
    expect(() => new docs.TeamMembership("bad", { teamId: later, user: "a b" })).toThrow(
      /^TeamMembership "bad": user: [^\n]*$/,
    );
    new docs.TeamMembership("good", { teamId: pulumi.secret(""), user: Promise.resolve("a b") });
  });

  it("that a transformation corrects is not reported", () => {
    const mend: pulumi.ResourceTransformation = ({ props, opts }) => ({ props: { ...props, title: "Mended" }, opts });
    new docs.Site("mended", { title: "a" }, { transformations: [mend] });
  });
});

class Provider extends pulumi.ProviderResource {}

describe("an option that a dynamic resource does not have", () => {
  it.each([
    [
      "import",
      { import: "site_1" },
      /^Site "guide": option import: the engine cannot import a dynamic resource by its id; use pulumi import --file/,
    ],
    [
      "id",
      { id: "site_1" },
      /^Site "guide": option id: the engine cannot read a dynamic resource by its id; use pulumi import --file/,
    ],
  ])("%s is refused", (_, options, text) => {
    expect(() => new docs.Site("guide", { title: "Guide" }, options)).toThrow(text);
  });

  it.each([
    ["replaceOnChanges", { replaceOnChanges: ["title"] }, /option replaceOnChanges has no effect/],
    ["provider", { provider: new Provider("aws", "aws", {}) }, /option provider has no effect.*DOCS_TOKEN_/],
  ])("%s causes a warning", async (_, options, text) => {
    const { urn } = new docs.Site("guide", { title: "Guide" }, options as pulumi.CustomResourceOptions);
    await known(urn);
    await vi.waitFor(() => expect(warnings).toEqual([expect.stringMatching(text)]));
  });

  it("that the engine applies causes none", async () => {
    const provider = new Provider("pulumi-nodejs", "own", {});
    const { urn } = new docs.Site("guide", { title: "Guide" }, { provider, protect: true, replaceOnChanges: [] });
    await known(urn);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(warnings).toEqual([]);
  });
});

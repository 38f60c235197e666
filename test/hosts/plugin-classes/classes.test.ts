import * as pulumi from "@pulumi/pulumi";
import { beforeEach, describe, expect, it } from "vitest";
import * as definitions from "../../../provider/definitions";
import * as classes from "../../../provider/hosts/plugin-classes/classes";
import { Organization } from "../../../provider/organization/remote-component";
import * as docs from "../../../provider/plugin-program";
import { isKnown, resolved } from "../../support/outputs";

let registered: pulumi.runtime.MockResourceArgs[];
beforeEach(async () => {
  registered = [];
  const newResource = (args: pulumi.runtime.MockResourceArgs) => {
    registered.push(args);
    return { id: args.id || undefined, state: { ...args.inputs, ...(args.id && { title: "Live" }) } };
  };
  // A preview.
  await pulumi.runtime.setMocks({ newResource, call: () => ({}) }, "project", "stack", true);
});

describe("the classes for programs of the plugin", () => {
  it("are those of the other entry, with the types that the plugin serves", async () => {
    expect(Object.keys(classes).sort()).toEqual(Object.keys(definitions).sort());
    const made = Object.entries(classes).map(([name, made]) => new made(name, {} as never));
    await Promise.all(made.map(({ urn }) => resolved(urn)));
    expect(registered.map(({ type }) => type).sort()).toEqual(
      Object.keys(definitions)
        .map((name) => `docs:index:${name}`)
        .sort(),
    );
  });

  it.each(Object.values(definitions))("have every property of $name", async (definition) => {
    const resource = new classes[definition.name as keyof typeof classes]("a", {} as never);
    await resolved(resource.urn);
    const properties = [...Object.keys(definition.inputs.shape), ...Object.keys(definition.outputs.shape)];
    expect(properties.filter((name) => !pulumi.Output.isInstance(Reflect.get(resource, name)))).toEqual([]);
  });

  it("know at a preview that an omitted input is undefined, and do not know outputs yet", async () => {
    const site = new docs.Site("a", { title: "Guide", proxy: undefined });
    const title: string | undefined = (await resolved(site.title)) as string | undefined;
    expect(title).toBe("Guide");
    expect([await isKnown(site.proxy), await resolved(site.proxy)]).toEqual([true, undefined]);
    expect(await isKnown(site.siteId)).toBe(false);
    expect(await isKnown(site.organizationId)).toBe(false);
    expect(registered[0]?.inputs).toEqual({ title: "Guide" });
  });

  it("read an object by its id, and know at a preview what it does not have", async () => {
    const site = docs.Site.get("a", "site_guide", { organizationId: "acme" });
    expect(await resolved(site.id)).toBe("site_guide");
    expect(await resolved(site.title)).toBe("Live");
    expect([await isKnown(site.proxy), await resolved(site.proxy)]).toEqual([true, undefined]);
    expect(site).toBeInstanceOf(docs.Site);
    expect(registered[0]).toMatchObject({ id: "site_guide", inputs: { organizationId: "acme" } });
  });

  it("take the options of other resources", async () => {
    const provider = new docs.Provider("other", {});
    const site = new docs.Site("a", { title: "Guide" }, { provider, protect: true, version: "1.2.3" });
    await resolved(site.urn);
    expect(registered.find(({ type }) => type === "docs:index:Site")?.provider).toMatch(
      /pulumi:providers:docs::other::/,
    );
  });
});

describe("a provider object", () => {
  it("makes its tokens secret, and passes them as the engine takes them", async () => {
    const provider = new docs.Provider("other", {
      organizationId: "acme",
      token: "plain",
      tokens: { globex: pulumi.output("of globex") },
    });
    await resolved(provider.urn);
    const secret = (value: unknown) => ({ "4dabf18193072939515e22adb298388d": expect.any(String), value });
    expect(registered).toMatchObject([
      {
        type: "pulumi:providers:docs",
        inputs: { organizationId: "acme", token: secret("plain"), tokens: secret('{"globex":"of globex"}') },
      },
    ]);
  });

  it("needs no settings", async () => {
    await resolved(new docs.Provider("empty").urn);
    expect(registered.map(({ inputs }) => inputs)).toEqual([{}]);
  });
});

describe("Organization", () => {
  it("passes its arguments to the plugin and has its outputs", async () => {
    const organization = new Organization("acme", { file: "organization.yaml" });
    await resolved(organization.urn);
    expect(registered).toMatchObject([{ type: "docs:index:Organization", inputs: { file: "organization.yaml" } }]);
    const { siteIds, publishedUrls, translationIds, samlProviderIds } = organization;
    for (const output of [siteIds, publishedUrls, translationIds, samlProviderIds]) {
      expect(await isKnown(output)).toBe(false);
    }
  });
});

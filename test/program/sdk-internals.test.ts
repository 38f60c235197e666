import type { AsyncLocalStorage } from "node:async_hooks";
import * as pulumi from "@pulumi/pulumi";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  aliasesOf,
  childResources,
  currentRun,
  failInlineRun,
  isConfigSecret,
  isTransformed,
  resourcesOf,
  typesTo,
  unknownOutput,
  untilDrained,
} from "../../provider/program/sdk-internals";
import { isKnown, resolved } from "../support/outputs";

class Child extends pulumi.CustomResource {
  constructor(name: string, options?: pulumi.CustomResourceOptions) {
    super("test:index:Child", name, {}, options);
  }
}
class Component extends pulumi.ComponentResource {
  constructor(name: string, options?: pulumi.ComponentResourceOptions) {
    super("test:index:Component", name, {}, options);
    this.registerOutputs({});
  }
}

describe("the use of undocumented parts of the SDK", () => {
  beforeAll(() =>
    pulumi.runtime.setMocks({
      newResource: ({ name, inputs }) => ({ id: `${name}-id`, state: inputs }),
      call: () => ({}),
    }),
  );
  afterEach(() => pulumi.runtime.setAllConfig({}));

  it("finds the types of a resource and of the components above it", () => {
    const above = new Component("above");
    const inner = new Component("inner", { parent: above });
    expect(typesTo(new Child("child", { parent: inner }))).toEqual([
      "test:index:Component",
      "test:index:Component",
      "test:index:Child",
    ]);
    expect(typesTo(undefined)).toEqual([]);
  });

  it("makes an output unknown in a preview", async () => {
    const unknown = pulumi.output("known").apply(() => unknownOutput);
    expect(await isKnown(unknown)).toBe(false);
  });

  it("finds the former URNs of a resource", async () => {
    const renamed = new Child("renamed", { aliases: [{ name: "former" }] });
    const aliases = await Promise.all(aliasesOf(renamed).map((one) => resolved(pulumi.output(one))));
    expect(aliases).toEqual([expect.stringMatching(/::test:index:Child::former$/)]);
    expect(aliasesOf(new Child("never-renamed"))).toEqual([]);
  });

  it("finds out whether a transformation may change a resource", () => {
    const transformed = new Component("transformed", { transformations: [() => undefined] });
    expect(isTransformed(transformed)).toBe(true);
    expect(isTransformed(new Child("inherits", { parent: transformed }))).toBe(true);
    expect(isTransformed(new Component("plain"))).toBe(false);
  });

  it("finds the resources of a component", async () => {
    const component = new Component("parent");
    const child = new Child("only", { parent: component });
    expect(await resolved(childResources(component).apply((children) => children.length))).toBe(1);
    expect(typesTo(child)).toHaveLength(2);
  });

  it("finds the resources that an output comes from", async () => {
    const child = new Child("source");
    expect([...(await resourcesOf(child.id))]).toEqual([child]);
    expect([...(await resourcesOf(pulumi.output("nothing")))]).toEqual([]);
  });

  it("tells secrets of the configuration from plain values", () => {
    pulumi.runtime.setAllConfig({ "docs:token": "a", "docs:baseUrl": "b" }, ["docs:token"]);
    expect([isConfigSecret("docs:token"), isConfigSecret("docs:baseUrl")]).toEqual([true, false]);
  });

  it("lets an inline program fail", async () => {
    const { LocalStore } = require("@pulumi/pulumi/runtime/state");
    const inline = new LocalStore();
    const { asyncLocalStorage } = globalThis as unknown as { asyncLocalStorage: AsyncLocalStorage<unknown> };
    await asyncLocalStorage.run(inline, async () => {
      failInlineRun(new Error("refused"));
      await expect(untilDrained()).rejects.toThrow("refused");
    });
    failInlineRun(new Error("no inline program runs"));
    await untilDrained();
  });

  it("says when no request to the engine is pending", async () => {
    const done = pulumi.runtime.rpcKeepAlive();
    let isDrained = false;
    const waiting = untilDrained().then(() => {
      isDrained = true;
    });
    await new Promise(setImmediate);
    expect(isDrained).toBe(false);
    done();
    await waiting;
  });

  it("tells one run of a program from the next one", () => {
    const first = currentRun();
    expect(first).toBeDefined();
    pulumi.runtime.setMocks({ newResource: ({ name }) => ({ id: name, state: {} }), call: () => ({}) });
    expect(currentRun()).not.toBe(first);
  });
});

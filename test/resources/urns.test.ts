import { expect, it } from "vitest";
import * as definitions from "../../provider/definitions";
import { resourceNames } from "../../provider/resources/names";
import { ownTypeOf, resourceAt } from "../../provider/resources/urns";
import { typeIn } from "../../provider/run/urn";

it("tells the resources of both hosts, components, and other packages apart", () => {
  for (const host of ["dynamic", "plugin"] as const) {
    expect(ownTypeOf(typeIn(host, "Site"))).toEqual({ name: "Site", isComponent: false });
    expect(resourceAt(`urn:pulumi:prod::docs::docs:index:Organization$${typeIn(host, "Site")}::a::b`)).toBe("Site");
  }
  expect(ownTypeOf("docs:index:Organization")).toEqual({ name: "Organization", isComponent: true });
  expect(ownTypeOf("docs:index:Group")).toEqual({ name: "Group", isComponent: true });
  expect(resourceAt("urn:pulumi:prod::docs::docs:index:Organization::acme")).toBeUndefined();
  expect(ownTypeOf("random:index:Site")).toBeUndefined();
  expect(resourceAt("urn:pulumi:prod::docs::random:index:Site::docs:index:Site::a")).toBeUndefined();
});

it("knows every resource", () => {
  expect([...resourceNames].sort()).toEqual(Object.keys(definitions).sort());
});

import { expect, it } from "vitest";
import { childrenIn } from "../../provider/organization/recorded";

const component = (name: string, above = "") => `urn:pulumi:prod::docs::${above}docs:index:Organization::${name}`;
const child = (resource: string, name: string, above = "") =>
  `urn:pulumi:prod::docs::${above}docs:index:Organization$pulumi-nodejs:dynamic/docs:${resource}::${name}`;

const resources = (...urns: string[]) => Object.fromEntries(urns.map((urn) => [urn, { outputs: { urn } }]));
const found = (...[urn, all, aliases]: Parameters<typeof childrenIn>) =>
  childrenIn(urn, all, aliases).map(({ resource, name, outputs }) => [resource, name, outputs.urn]);

it("are those of one component, also where another one's name begins with its name", () => {
  const own = [child("MemberRoles", "acme-members"), child("Site", "acme-guide")];
  const others = [child("MemberRoles", "acme-eu-members"), child("Site", "acme-eu-guide")];
  const elsewhere = child("Site", "acme-inner", "docs:index:Group$");
  const all = resources(component("acme"), component("acme-eu"), ...own, ...others, elsewhere);
  expect(found(component("acme"), all)).toEqual([
    ["MemberRoles", "acme-members", own[0]],
    ["Site", "acme-guide", own[1]],
  ]);
  expect(found(component("acme-eu"), all).map(([, name]) => name)).toEqual(["acme-eu-members", "acme-eu-guide"]);
  expect(found(component("acme"), resources(component("acme"), child("Site", "acme-eu-guide")))).toHaveLength(1);
});

it("are those of the component under a name that it had before, as it calls them now", () => {
  const before = [child("MemberRoles", "acme-members"), child("Site", "acme-guide")];
  const all = resources(component("acme"), ...before);
  expect(found(component("docs"), all)).toEqual([]);
  expect(found(component("docs"), all, [component("acme")])).toEqual([
    ["MemberRoles", "docs-members", before[0]],
    ["Site", "docs-guide", before[1]],
  ]);
  const after = child("Site", "docs-guide");
  const both = { ...all, ...resources(component("docs"), after) };
  expect(found(component("docs"), both, [component("acme")])).toContainEqual(["Site", "docs-guide", after]);
});

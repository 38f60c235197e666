import { expect, it } from "vitest";
import { childrenIn } from "../../provider/organization/recorded";

const component = (name: string, above = "") => `urn:pulumi:prod::docs::${above}docs:index:Organization::${name}`;
const child = (resource: string, name: string, above = "") =>
  `urn:pulumi:prod::docs::${above}docs:index:Organization$pulumi-nodejs:dynamic/docs:${resource}::${name}`;

const of = (organizationId: string, ...urns: string[]) =>
  Object.fromEntries(urns.map((urn) => [urn, { outputs: { urn, organizationId } }]));
const found = (urn: string, all: ReturnType<typeof of>, aliases: string[] = [], organizationId = "org_1") =>
  childrenIn(urn, aliases, organizationId, all).map(({ resource, name, outputs, givenUp }) => {
    return [resource, name, outputs.urn, ...(givenUp ? ["given up"] : [])];
  });

it("are those of one organization, also where names of another one begin with its name", () => {
  const own = [child("MemberRoles", "acme-members"), child("Site", "acme-eu-guide")];
  const others = [child("MemberRoles", "acme-eu-members"), child("Site", "acme-eu-handbook")];
  const all = { ...of("org_1", component("acme"), ...own), ...of("org_2", component("acme-eu"), ...others) };
  expect(found(component("acme"), all)).toEqual([
    ["MemberRoles", "acme-members", own[0]],
    ["Site", "acme-eu-guide", own[1]],
  ]);
  expect(found(component("acme-eu"), all, [], "org_2").map(([, name]) => name)).toEqual([
    "acme-eu-members",
    "acme-eu-handbook",
  ]);
});

it("tell which organization it was until now", () => {
  const roles = child("MemberRoles", "acme-members");
  const all = of("org_1", component("acme"), roles, child("Site", "acme-guide"));
  expect(found(component("acme"), all, [], "org_2")).toEqual([["MemberRoles", "acme-members", roles]]);
});

it("are those of the component under a name that it had before, as it calls them now", () => {
  const before = [child("MemberRoles", "acme-members"), child("Site", "acme-guide")];
  const all = of("org_1", component("acme"), ...before);
  expect(found(component("docs"), all, [component("acme")])).toEqual([
    ["MemberRoles", "docs-members", before[0]],
    ["Site", "docs-guide", before[1]],
  ]);
  const after = child("Site", "docs-guide");
  const both = { ...all, ...of("org_1", component("docs"), after) };
  expect(found(component("docs"), both, [component("acme")])).toContainEqual(["Site", "docs-guide", after]);
});

it("are also those of a component that the program has no more, in the same organization", () => {
  const [roles, team] = [
    child("MemberRoles", "acme-members"),
    child("TeamMembers", "acme-team_1", "docs:index:Group$"),
  ];
  const all = {
    ...of("org_1", component("acme"), roles, team),
    ...of("org_2", child("MemberRoles", "globex-members")),
    ...of("org_1", "urn:pulumi:prod::docs::pulumi-nodejs:dynamic/docs:MemberRoles::alone"),
  };
  const moved = ["TeamMembers", "acme-team_1", team, "given up"];
  expect(found(component("docs"), all)).toEqual([["MemberRoles", "acme-members", roles, "given up"], moved]);
  expect(found(component("acme"), all)).toEqual([moved, ["MemberRoles", "acme-members", roles]]);
  expect(found(component("docs"), all, [component("acme")])[0]).toEqual(moved);
});

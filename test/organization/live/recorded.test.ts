import { expect, it } from "vitest";
import { recordedIn } from "../../../provider/organization/live/recorded";

const component = (name: string, above = "") => `urn:pulumi:prod::docs::${above}docs:index:Organization::${name}`;
const child = (resource: string, name: string, above = "") =>
  `urn:pulumi:prod::docs::${above}docs:index:Organization$pulumi-nodejs:dynamic/docs:${resource}::${name}`;

const recordedFor = (organizationId: string, ...urns: string[]) =>
  Object.fromEntries(urns.map((urn) => [urn, { outputs: { urn, organizationId } }]));
const foundFor = (urn: string, all: ReturnType<typeof recordedFor>, aliases: string[] = [], organizationId = "org_1") =>
  recordedIn(all, [urn, ...aliases], organizationId).recorded.map(({ resource, name, outputs }) => [
    resource,
    name,
    outputs.urn,
  ]);

it("recorded children are those of one organization, even if a name begins like that of another one", () => {
  const own = [child("MemberRoles", "acme-members"), child("Site", "acme-eu-guide")];
  const others = [child("MemberRoles", "acme-eu-members"), child("Site", "acme-eu-handbook")];
  const all = {
    ...recordedFor("org_1", component("acme"), ...own),
    ...recordedFor("org_2", component("acme-eu"), ...others),
  };
  expect(foundFor(component("acme"), all)).toEqual([
    ["MemberRoles", "acme-members", own[0]],
    ["Site", "acme-eu-guide", own[1]],
  ]);
  expect(foundFor(component("acme-eu"), all, [], "org_2").map(([, name]) => name)).toEqual([
    "acme-eu-members",
    "acme-eu-handbook",
  ]);
});

it("children of the component are recorded children, although they are of the organization that was declared before", () => {
  const roles = child("MemberRoles", "acme-members");
  const all = recordedFor("org_1", component("acme"), roles, child("Site", "acme-guide"));
  expect(foundFor(component("acme"), all, [], "org_2")).toEqual([["MemberRoles", "acme-members", roles]]);
});

it("recorded children are also those of the component under its former names, with their present names", () => {
  const before = [child("MemberRoles", "acme-members"), child("Site", "acme-guide")];
  const all = recordedFor("org_1", component("acme"), ...before);
  expect(foundFor(component("docs"), all, [component("acme")])).toEqual([
    ["MemberRoles", "docs-members", before[0]],
    ["Site", "docs-guide", before[1]],
  ]);
  const after = child("Site", "docs-guide");
  const both = { ...all, ...recordedFor("org_1", component("docs"), after) };
  expect(foundFor(component("docs"), both, [component("acme")])).toContainEqual(["Site", "docs-guide", after]);
});

it("a component of another name that has declared the organization is a former component, unless it is an alias", () => {
  const all = {
    ...recordedFor(
      "org_1",
      component("acme", "docs:index:Group$"),
      child("MemberRoles", "acme-members", "docs:index:Group$"),
    ),
    ...recordedFor("org_2", component("globex"), child("MemberRoles", "globex-members")),
    ...recordedFor("org_1", "urn:pulumi:prod::docs::pulumi-nodejs:dynamic/docs:MemberRoles::alone-members"),
  };
  const before = component("acme", "docs:index:Group$");
  expect(recordedIn(all, [component("acme")], "org_1").formerComponents).toEqual([before]);
  expect(recordedIn(all, [component("docs"), before], "org_1").formerComponents).toEqual([]);
  expect(recordedIn(all, [component("globex")], "org_2").formerComponents).toEqual([]);
});

it("people whose roles other resources of the stack manage are listed", () => {
  const own = child("MemberRoles", "acme-members");
  const outside = (resource: string) => `urn:pulumi:prod::docs::pulumi-nodejs:dynamic/docs:${resource}::other`;
  const managing = (urn: string, outputs: object, organizationId = "org_1") => ({
    [urn]: { outputs: { organizationId, ...outputs } },
  });
  const roles = {
    roles: { user_a: "admin", "b@acme.test": "admin", user_x: "read", "y@acme.test": "read" },
    userIds: { "b@acme.test": "user_b", "y@acme.test": "user_y" },
    // Nobody declares these two.
    found: ["user_x", "user_y"],
  };
  const all = {
    ...managing(own, { roles: { user_own: "admin" }, userIds: {} }),
    ...managing(outside("MemberRoles"), roles),
    ...managing(outside("MemberRole"), { user: "c@acme.test", userId: "user_c" }),
    ...managing(outside("TeamMembership"), { user: "d@acme.test", userId: "user_d" }),
  };
  expect(recordedIn(all, [component("acme")], "org_1").rolesManagedElsewhere).toEqual(["user_a", "user_b", "user_c"]);
  expect(recordedIn(all, [component("acme")], "org_2").rolesManagedElsewhere).toEqual([]);
  expect(recordedIn(all, [component("docs"), component("acme")], "org_1").rolesManagedElsewhere).toEqual([
    "user_a",
    "user_b",
    "user_c",
  ]);
});

it("recorded children are the same under the types of both hosts, between which a stack may have moved in part", () => {
  const ofPlugin = (resource: string, name: string) =>
    `urn:pulumi:prod::docs::docs:index:Organization$docs:index:${resource}::${name}`;
  const roles = ofPlugin("MemberRoles", "acme-members");
  const own = [roles, child("Site", "acme-guide"), ofPlugin("Site", "acme-drafts")];
  const notes = "urn:pulumi:prod::docs::docs:index:Organization$docs:index:OrganizationNotes::acme-notes";
  const all = recordedFor("org_1", component("acme"), notes, ...own);
  expect(foundFor(component("acme"), all)).toEqual([
    ["MemberRoles", "acme-members", own[0]],
    ["Site", "acme-guide", own[1]],
    ["Site", "acme-drafts", own[2]],
  ]);
  expect(recordedIn(all, [component("docs")], "org_1").formerComponents).toEqual([component("acme")]);
  const managing = { [roles]: { outputs: { organizationId: "org_1", roles: { user_a: "admin" } } } };
  expect(recordedIn(managing, [component("docs")], "org_1").rolesManagedElsewhere).toEqual(["user_a"]);
  expect(recordedIn(managing, [component("acme")], "org_1").rolesManagedElsewhere).toEqual([]);
});

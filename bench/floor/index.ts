import * as pulumi from "@pulumi/pulumi";
import { keepSourceFrames } from "../../provider/hosts/dynamic/source-frames";
import { stubOf, typeOf } from "../../provider/hosts/dynamic/stub";
import { providerKey } from "../../provider/lifecycle/state";

/** Outputs that the real classes have, beside the id of the organization: the SDK makes promises for each of them. */
export const outputs = {
  MemberRole: ["userId", "previousRole", "email", "displayName", "releasing"],
  MemberRoles: ["userIds", "previousRoles"],
  Site: [
    "siteId",
    "liveType",
    "liveSpaces",
    "siteSpaces",
    "siteSpaceIds",
    "features",
    "proxyTarget",
    "hostname",
    "urls",
    "createdAt",
  ],
  TeamMembers: ["userIds", "pending", "found"],
  TeamMembership: ["userId", "pending", "releasing"],
};

/** As long as the name of the module that the real text loads; relative to the program's folder. */
const calls = "../../bench/floor/calls";

type FloorClass = new (
  name: string,
  args: pulumi.Inputs,
  options?: pulumi.CustomResourceOptions,
) => pulumi.CustomResource;

function floorClass(resource: keyof typeof outputs): FloorClass {
  const later = Object.fromEntries(["organizationId", ...outputs[resource]].map((name) => [name, undefined]));
  const text = stubOf(resource).replace("pulumi-docs-org/runtime", calls);
  return class extends pulumi.CustomResource {
    constructor(name: string, args: pulumi.Inputs, options?: pulumi.CustomResourceOptions) {
      const restore = keepSourceFrames(__filename);
      try {
        super(typeOf(resource), name, { ...later, ...args, [providerKey]: text }, options);
      } finally {
        restore();
      }
    }
  };
}

/** Resources of the same types, inputs and outputs as the real ones, that do nothing: what the engine itself costs. */
export class MemberRole extends floorClass("MemberRole") {}
export class MemberRoles extends floorClass("MemberRoles") {}
export class Site extends floorClass("Site") {}
export class TeamMembers extends floorClass("TeamMembers") {}
export class TeamMembership extends floorClass("TeamMembership") {}

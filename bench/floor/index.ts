import * as pulumi from "@pulumi/pulumi";
import { stubOf } from "../../provider/hosts/dynamic/stub";
import { providerKey } from "../../provider/lifecycle/state";
import { keepSourceFrames } from "../../provider/program/source-frames";
import { typeIn } from "../../provider/run/urn";

/** Outputs of the real classes apart from the id of the organization. The floor has them, too, because the SDK creates promises for each. */
export const outputs = {
  MemberRole: ["userId", "previousRole", "email", "displayName", "pending", "absent", "releasing"],
  MemberRoles: ["userIds", "previousRoles", "pending", "absent", "found"],
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
  TeamMembers: ["userIds", "pending", "absent", "found"],
  TeamMembership: ["userId", "pending", "absent", "releasing"],
};

/** Path relative to the program's folder. As long as "pulumi-docs-org/runtime", so that the states of both sides are as large. */
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
        super(typeIn("dynamic", resource), name, { ...later, ...args, [providerKey]: text }, options);
      } finally {
        restore();
      }
    }
  };
}

/** Resources that do nothing, with the types, inputs and outputs of the real ones: they show the cost of the engine itself. */
for (const resource of Object.keys(outputs) as (keyof typeof outputs)[]) {
  Object.assign(exports, { [resource]: floorClass(resource) });
}

import * as pulumi from "@pulumi/pulumi";
import { packageVersion } from "../run/package";
import type { OrganizationArgs } from "./arguments";
import { OrganizationComponent } from "./component-outputs";
import { outputPaths } from "./output-paths";

/**
 * A whole organization in one reviewed file: roles, teams, SAML, sites and translations, with guards that refuse dangerous
 * changes. The provider plugin reads the file, judges the change, and registers the resources.
 *
 * @example
 * ```ts
 * new docs.Organization("acme", { file: "organization.yaml" });
 * ```
 */
export class Organization extends OrganizationComponent {
  constructor(name: string, args: OrganizationArgs, options?: pulumi.ComponentResourceOptions) {
    const outputs = Object.fromEntries(Object.keys(outputPaths).map((output) => [output, undefined]));
    const ownOptions = pulumi.mergeOptions({ version: packageVersion }, options);
    super("docs:index:Organization", name, { ...args, ...outputs }, ownOptions, true);
  }
}

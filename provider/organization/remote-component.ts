import * as pulumi from "@pulumi/pulumi";
import { packageVersion } from "../run/package";
import type { OrganizationArgs } from "./arguments";

/**
 * A whole organization in one reviewed file: roles, teams, SAML, sites and translations, with guards that refuse dangerous
 * changes. The provider plugin reads the file, judges the change, and registers the resources.
 *
 * @example
 * ```ts
 * new docs.Organization("acme", { file: "organization.yaml" });
 * ```
 */
export class Organization extends pulumi.ComponentResource {
  /** Ids of the sites by name. */
  declare readonly siteIds: pulumi.Output<Record<string, string>>;
  /** Public addresses of the sites that are published, by name. */
  declare readonly publishedUrls: pulumi.Output<Record<string, string | undefined>>;
  /** Ids of the translations by name. */
  declare readonly translationIds: pulumi.Output<Record<string, string>>;
  /** Ids of the SAML providers by name. */
  declare readonly samlProviderIds: pulumi.Output<Record<string, string>>;
  /** Addresses for assertions (`acsURL`) of the SAML providers by name. */
  declare readonly samlAcsUrls: pulumi.Output<Record<string, string>>;
  /** Entity ids of the service for the SAML providers by name. */
  declare readonly samlEntityIds: pulumi.Output<Record<string, string>>;
  /** Custom hostnames of the sites that have one, by name. */
  declare readonly siteHostnames: pulumi.Output<Record<string, string | undefined>>;
  /** Targets for a reverse proxy of the sites that have one, by name. */
  declare readonly siteProxyTargets: pulumi.Output<Record<string, string | undefined>>;

  constructor(name: string, args: OrganizationArgs, options?: pulumi.ComponentResourceOptions) {
    const outputs = {
      siteIds: undefined,
      publishedUrls: undefined,
      translationIds: undefined,
      samlProviderIds: undefined,
      samlAcsUrls: undefined,
      samlEntityIds: undefined,
      siteHostnames: undefined,
      siteProxyTargets: undefined,
    };
    const own = pulumi.mergeOptions({ version: packageVersion }, options);
    super("docs:index:Organization", name, { ...args, ...outputs }, own, true);
  }
}

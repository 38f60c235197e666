import * as pulumi from "@pulumi/pulumi";

/** The outputs of an organization, by the names of the resources in the file (see `outputPaths`). */
export class OrganizationComponent<Made = undefined> extends pulumi.ComponentResource<Made> {
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
}

import type { ChildName } from "./sections/section";

export type OutputPath = readonly [string, ...string[]];

/** The outputs of the component, by the keys in the file: for each, the class of the resources, and the path of the value. */
export const outputPaths: Readonly<Record<string, readonly [ChildName, ...OutputPath]>> = {
  samlProviderIds: ["SamlProvider", "id"],
  siteIds: ["Site", "id"],
  publishedUrls: ["Site", "urls", "published"],
  translationIds: ["Translation", "id"],
  samlAcsUrls: ["SamlProvider", "service", "acsURL"],
  samlEntityIds: ["SamlProvider", "service", "entityID"],
  siteHostnames: ["Site", "hostname"],
  siteProxyTargets: ["Site", "proxyTarget"],
};

import type { OrganizationFile } from "./file/types";
import type { ChildName } from "./sections/section";

/** The file that declares an organization, relative to the folder of the program. */
export interface OrganizationFromFile {
  readonly file: string;
}

/** The file, or its content as an object. Outputs are refused: an access review must know all values at preview. */
export type OrganizationArgs = OrganizationFromFile | OrganizationFile;

/** The path of an output in the outputs of a resource. */
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

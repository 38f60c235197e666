import { z } from "zod";
import { dateTime, identifier } from "../../api/groups/shared";
import { siteSettings } from "../../api/groups/sites";
import type { Properties } from "../../run/properties";
import { allowReplace, allowTwin, organizationId } from "../shared/common";

/** What a site has: inputs and outputs. */

const unpublished =
  "read from the published profile; while the site is not published, it stands as declared or last seen, and has no drift.";

const properties = z.strictObject({
  organizationId: organizationId.optional(),
  title: siteSettings.title.optional(),
  type: siteSettings.type
    .meta({
      replaces: "liveType",
      unread: "stays as declared, so a change of the site's plan is no drift; `liveType` shows it.",
    })
    .optional(),
  visibility: siteSettings.visibility.optional(),
  spaces: siteSettings.spaces
    .meta({
      replaces: "liveSpaces",
      unread:
        "stays as declared, so spaces that come or go are no drift; while the site is published, `liveSpaces` shows them.",
    })
    .optional(),
  basename: siteSettings.basename.optional(),
  proxy: siteSettings.proxy.optional(),
  agentsContext: siteSettings.agentsContext
    .meta({
      unread:
        "newer versions of the service lack it: it stays as declared, without drift, and changing it is an error.",
    })
    .optional(),
  adaptiveContent: siteSettings.adaptiveContent.optional(),
  defaultSiteSpace: siteSettings.defaultSiteSpace.meta({ unread: unpublished }).optional(),
  defaultSpace: identifier
    .describe(
      "Id of the space that opens at the root: in place of `defaultSiteSpace`, if the id of the site space is not known yet. The site must be published.",
    )
    .meta({ unread: unpublished })
    .optional(),
  defaultSiteSection: siteSettings.defaultSiteSection.meta({ unread: unpublished }).optional(),
  published: z.boolean().describe("Whether the site is open to those whom `visibility` names.").optional(),
  allowReplace: allowReplace.optional(),
  allowTwin: allowTwin.optional(),
});

/** Why a declaration makes no sense as a whole, by the property that is wrong; an organization's file asks as well. */
export function siteMistake(declared: Properties): { readonly property: string; readonly message: string } | undefined {
  const { defaultSpace, defaultSiteSpace, published } = declared;
  if (defaultSpace === undefined) return undefined;
  if (defaultSiteSpace !== undefined) {
    return { property: "defaultSpace", message: "use either defaultSpace or defaultSiteSpace" };
  }
  if (published !== false) return undefined;
  const message = "use it on a site that is published: no other site tells its site spaces; or leave it out until then";
  return { property: "defaultSpace", message };
}

export const inputs = properties.superRefine((declared, context) => {
  const { property, message } = siteMistake(declared) ?? {};
  if (property !== undefined) context.addIssue({ code: "custom", path: [property], message: String(message) });
});
export type Inputs = z.output<typeof inputs>;

export const outputs = z.object({
  siteId: identifier.describe("Id of the site."),
  liveType: z.string().describe("Plan that the site has now, whatever it was created with."),
  liveSpaces: z
    .array(identifier)
    .nullable()
    .describe("Ids of the spaces that the site holds now; null unless `spaces` is declared and the site is published."),
  siteSpaces: z.number().describe("Number of site spaces."),
  siteSpaceIds: z
    .record(identifier, identifier)
    .describe(
      "Ids of the site spaces, by the id of the space that each of them shows. Only the published profile has them, which is a request of its own: empty unless `spaces` or one of the defaults is declared and the site is published.",
    ),
  features: z.array(z.string()).describe("Ids of the features that the site has now, without those that are frozen."),
  proxyTarget: z.string().nullable().describe("Where the proxy has to send requests; null if the site has no `proxy`."),
  hostname: z.string().nullable().describe("Custom hostname; null where the site has none."),
  urls: z
    .object({ location: z.string().optional(), app: z.string().optional(), published: z.string().optional() })
    .describe(
      "Addresses of the site in the API and in the app, and its public one while it is published, as far as the service shows them.",
    ),
  createdAt: dateTime.describe("When the site was created."),
});

/** A site in a unit test of a program. */
export function mockedOutputs(id: string, { type = "basic", spaces = null, published }: Properties): Properties {
  const urls = { location: `https://api.docs.test/v1/sites/${id}`, app: `https://app.docs.test/sites/${id}` };
  return {
    liveType: type,
    liveSpaces: spaces,
    urls: published === true ? { ...urls, published: `https://${id}.docs.test/` } : urls,
  };
}

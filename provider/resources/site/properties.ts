import { z } from "zod";
import { dateTime, identifier } from "../../api/groups/shared";
import { proxyOrNone, siteSettings } from "../../api/groups/sites";
import type { Properties } from "../../run/properties";
import { allowDuplicate, allowReplace, organizationId } from "../shared/common";

const unpublished =
  "read from the published profile. While the site is not published, it stays as declared or last read, without drift.";

const properties = z.strictObject({
  organizationId: organizationId.optional(),
  title: siteSettings.title.optional(),
  type: siteSettings.type
    .meta({
      replacesUnlessLive: "liveType",
      unread: "stays as declared, so a change of the site's plan is not drift; `liveType` shows the live plan.",
    })
    .optional(),
  visibility: siteSettings.visibility.optional(),
  spaces: siteSettings.spaces
    .meta({
      replacesUnlessLive: "liveSpaces",
      unread:
        "stays as declared, so added or removed spaces are not drift; while the site is published, `liveSpaces` shows the live ones.",
    })
    .optional(),
  basename: siteSettings.basename.optional(),
  proxy: proxyOrNone
    .nullable()
    .describe(
      'Host and path under which the site is served, such as "www.acme.test/docs"; null and an empty text remove the proxy.',
    )
    .meta({ none: "" })
    .optional(),
  agentsContext: siteSettings.agentsContext
    .meta({
      unread:
        "newer versions of the service do not have this property. There, it stays as declared, without drift, and changing it is an error.",
    })
    .optional(),
  adaptiveContent: siteSettings.adaptiveContent.optional(),
  defaultSiteSpace: siteSettings.defaultSiteSpace.meta({ unread: unpublished }).optional(),
  defaultSpace: identifier
    .describe(
      "Id of the space that opens at the root. Use it instead of `defaultSiteSpace` if the id of the site space is not known yet. The site must be published.",
    )
    .meta({ unread: unpublished })
    .optional(),
  defaultSiteSection: siteSettings.defaultSiteSection.meta({ unread: unpublished }).optional(),
  published: z
    .boolean()
    .describe(
      "Whether the site is published. Only a published site can be opened, by the people that `visibility` allows.",
    )
    .optional(),
  allowReplace: allowReplace.optional(),
  allowDuplicate: allowDuplicate.optional(),
});

/** Checks properties against each other, also in a file of an organization. */
export function refuseSiteMistakes(declared: Properties, context: z.RefinementCtx): void {
  const { defaultSpace, defaultSiteSpace, published } = declared;
  const refuse = (message: string) => context.addIssue({ code: "custom", path: ["defaultSpace"], message });
  if (defaultSpace === undefined) return;
  if (defaultSiteSpace !== undefined) refuse("use either defaultSpace or defaultSiteSpace");
  else if (published === false) {
    refuse(
      "declare published: true, or omit defaultSpace: the service returns the site spaces only of a published site",
    );
  }
}

export const siteInputs = properties.superRefine(refuseSiteMistakes);
export type SiteInputs = z.output<typeof siteInputs>;

export const siteOutputs = z.object({
  siteId: identifier.describe("Id of the site."),
  liveType: z.string().describe("Live plan of the site, which may differ from the one that it was created with."),
  liveSpaces: z
    .array(identifier)
    .nullable()
    .describe("Live ids of the spaces of the site; null unless `spaces` is declared and the site is published."),
  siteSpaces: z.number().describe("Number of site spaces."),
  siteSpaceIds: z
    .record(identifier, identifier)
    .describe(
      "Ids of the site spaces by the id of the space that they show. Empty unless the site is published and `spaces`, `defaultSpace`, `defaultSiteSpace` or `defaultSiteSection` is declared, because reading them takes a separate request.",
    ),
  features: z.array(z.string()).describe("Ids of the live features of the site, without those that are frozen."),
  proxyTarget: z
    .string()
    .nullable()
    .describe("Address to which the proxy must send requests; null if the site has no `proxy`."),
  hostname: z.string().nullable().describe("Custom hostname; null if the site has none."),
  urls: z
    .object({
      location: z.string().optional().describe("URL of the site in the API."),
      app: z.string().optional().describe("URL of the site in the app."),
      published: z.string().optional().describe("URL for visitors, while the site is published."),
    })
    .describe(
      "Addresses of the site, as far as the service returns them: in the API, in the app, and, while the site is published, for visitors.",
    ),
  createdAt: dateTime.describe("When the site was created."),
});

export function mockedOutputs(id: string, { type = "basic", spaces = null, published }: Properties): Properties {
  const urls = { location: `https://api.docs.test/v1/sites/${id}`, app: `https://app.docs.test/sites/${id}` };
  return {
    liveType: type,
    liveSpaces: spaces,
    urls: published === true ? { ...urls, published: `https://${id}.docs.test/` } : urls,
  };
}

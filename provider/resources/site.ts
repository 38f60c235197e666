import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { DocsError } from "../api/errors";
import { dateTime, identifier } from "../api/shared";
import { type Site as LiveSite, siteSettings } from "../api/sites";
import { Collection } from "../collection";
import { type Context, oncePerProcess } from "../context";
import { createOnce } from "../creation";
import { outOfDate, pick } from "../declaration";
import { defineResource } from "../resource";
import { resourceClass } from "../resource-class";
import type { SiteInputs, SiteOutputs } from "./arguments";
import { allowReplace, allowTwin, identitiesIn, organization, organizationId } from "./common";
import { type Profile, profileNames, readProfile } from "./site-profile";

const unpublished =
  "read from the published profile; while the site is not published, it stands as declared or last seen, and has no drift.";

const inputs = z.strictObject({
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
  defaultSiteSection: siteSettings.defaultSiteSection.meta({ unread: unpublished }).optional(),
  published: z.boolean().describe("Whether the site is open to those whom `visibility` names.").optional(),
  allowReplace: allowReplace.optional(),
  allowTwin: allowTwin.optional(),
});
type Inputs = z.output<typeof inputs>;

const outputs = z.object({
  siteId: identifier.describe("Id of the site."),
  liveType: z.string().describe("Plan that the site has now, whatever it was created with."),
  liveSpaces: z
    .array(identifier)
    .nullable()
    .describe("Ids of the spaces that the site holds now; null unless `spaces` is declared and the site is published."),
  siteSpaces: z.number().describe("Number of site spaces."),
  hostname: z.string().nullable().describe("Custom hostname; null where the site has none."),
  urls: z
    .object({ location: z.string(), app: z.string(), published: z.string().optional() })
    .describe("Addresses of the site in the API and in the app, and its public one while it is published."),
  createdAt: dateTime.describe("When the site was created."),
});

interface Live {
  readonly site: LiveSite;
  /** What the site itself does not tell: from its published profile, else as recorded. */
  readonly profile: Profile;
  /** As recorded, for a service that had this property and has it no longer. */
  readonly agentsContext: Inputs["agentsContext"];
}

const lost = "its sections, links, customization and everything else that was set up in it would be lost";

/** The properties that creation takes, and those that an update takes. */
const posted = ["title", "type", "visibility", "spaces"] as const;
const patched = [
  "title",
  "visibility",
  "basename",
  "proxy",
  "adaptiveContent",
  "agentsContext",
  "defaultSiteSpace",
  "defaultSiteSection",
] as const;

/** @internal */
export const site = defineResource({
  name: "Site",
  inputs,
  outputs,
  deletionLoses: lost,
  identities: (properties) => identitiesIn(properties, ["title"]),
  replaceLoses: lost,
  // A name or an address that only one site can have: the old one must let go of it first.
  deleteBeforeReplace: ({ basename, proxy }) => basename !== undefined || typeof proxy === "string",
  equal: { spaces: sameMembers },
  // A site has them without anybody's declaration: what is off, and what newer versions of the service do not have.
  importable: ({ site }: Live) => ({
    agentsContext: undefined,
    ...(site.adaptiveContent?.enabled ? {} : { adaptiveContent: undefined }),
  }),

  lifecycle: {
    create(context, declared) {
      return createOnce({
        what: declared.title === undefined ? "a site" : `a site "${declared.title}"`,
        context,
        candidates: (maxAge) => lookalikes(context, declared, maxAge),
        create: () =>
          sitesOf(context).write(() =>
            context.client.createSite({ ...organization(context), body: pick(declared, posted) }),
          ),
        liveOf: (site): Live => ({ site, profile: {}, agentsContext: undefined }),
        recognizable: declared.title !== undefined,
        allowTwin: declared.allowTwin === true,
      });
    },

    async observe(context, siteId, recorded, declared) {
      const site = await sitesOf(context).find(siteId);
      if (!site) return undefined;
      const needed = profileNames.some((name) => declared[name] !== undefined);
      const profile = needed ? await readProfile(context, siteId, recorded) : {};
      return { site, profile, agentsContext: recorded.agentsContext };
    },

    async *sync(context, siteId, before, declared) {
      let live = before;
      const path = { ...organization(context), siteId };
      const changed = pick(declared, outOfDate(valuesOf(live), declared, patched));
      const { agentsContext, ...possible } = changed;
      const lacking = agentsContext !== undefined && live.site.agentsContext === undefined;
      const body = lacking ? possible : changed;
      if (Object.keys(body).length > 0) {
        const site = await sitesOf(context).write(() => context.client.updateSite({ ...path, body }));
        live = { ...live, site, profile: { ...live.profile, ...pick(body, profileNames) } };
        yield live;
      }
      if (declared.published !== undefined && declared.published !== live.site.published) {
        live = { ...live, site: await setPublished(context, live.site, declared.published) };
        yield live;
      }
      if (lacking) throw noAgentsContext(live.site);
      if (declared.spaces && live.site.published && !live.profile.spaces) {
        yield { ...live, profile: await readProfile(context, siteId, live.profile) };
      }
    },

    values: valuesOf,

    outputs: ({ site, profile }) => ({
      siteId: site.id,
      liveType: site.type,
      liveSpaces: profile.spaces ?? null,
      siteSpaces: site.siteSpaces,
      hostname: site.hostname ?? null,
      urls: { location: site.urls.location, app: site.urls.app, published: site.urls.published },
      createdAt: site.createdAt,
    }),

    remove(context, siteId) {
      const remove = () => context.client.deleteSite({ ...organization(context), siteId });
      return sitesOf(context).delete(siteId, remove);
    },
  },
});

/**
 * A docs site: its title, who can open it, where it is served, and whether it is published.
 *
 * @remarks
 * Its id is that of the site.
 *
 * A destroy deletes the site, with its sections, links, customization and everything else that was set up in it.
 *
 * @example
 * ```ts
 * new docs.Site("handbook", {
 *   title: "Handbook",
 *   visibility: "visitor-auth",
 *   spaces: ["guides"],
 *   adaptiveContent: { enabled: true },
 *   published: true,
 * });
 * ```
 */
export class Site extends resourceClass<SiteInputs, SiteOutputs>(site) {}

/** @internal */
export const sitesOf = oncePerProcess(({ client, organizationId }) => {
  return new Collection<LiveSite>({
    name: `the sites of organization ${organizationId}`,
    list: (page) => client.listSites({ organizationId, query: { limit: 1000, ...(page && { page }) } }),
    read: (siteId) => client.getSite({ organizationId, siteId }),
  });
});

/** Sites that the creation of this declaration could have made. */
async function lookalikes(context: Context, declared: Inputs, maxAge: number): Promise<LiveSite[]> {
  const { title, visibility, type } = declared;
  const sites = await sitesOf(context).all(maxAge);
  return sites.filter(
    (site) =>
      (title === undefined || site.title === title) &&
      (visibility === undefined || site.visibility === visibility) &&
      (type === undefined || site.type === type),
  );
}

function valuesOf({ site, profile, agentsContext }: Live) {
  return {
    title: site.title,
    visibility: site.visibility as Inputs["visibility"],
    basename: site.basename ?? undefined,
    proxy: site.proxy?.origin ?? null,
    adaptiveContent: { enabled: site.adaptiveContent?.enabled ?? false },
    agentsContext: (site.agentsContext ?? agentsContext) as Inputs["agentsContext"],
    defaultSiteSpace: profile.defaultSiteSpace,
    defaultSiteSection: profile.defaultSiteSection,
    published: site.published,
  };
}

async function setPublished(context: Context, site: LiveSite, published: boolean): Promise<LiveSite> {
  const path = { ...organization(context), siteId: site.id };
  const { client } = context;
  const answer = await sitesOf(context).write(async () => {
    const given = published ? await client.publishSite(path) : await client.unpublishSite(path);
    if ("sessionId" in given) throw needsCheckout(site);
    return given;
  });
  if (answer.published === published) return answer;
  throw new DocsError(
    `site ${site.id} "${site.title}": the service took the request to ${published ? "publish" : "unpublish"} it, and it is ` +
      `${answer.published ? "still" : "still not"} published; look at the site in the service`,
  );
}

function needsCheckout({ id, title, type }: LiveSite): DocsError {
  return new DocsError(
    `site ${id} "${title}" is not published: its plan ("${type}") does not include this, and the service asks ` +
      "for a checkout; upgrade the site in the service and run pulumi up again, or declare published: false",
  );
}

function noAgentsContext(site: LiveSite): DocsError {
  return new DocsError(
    `site ${site.id} "${site.title}": this version of the service has no agentsContext; remove it from the declaration`,
  );
}

function sameMembers(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(new Set(a as string[]), new Set(b as string[]));
}

import { isDeepStrictEqual } from "node:util";
import { listNames } from "../../access/carry-out";
import type { Site as LiveSite } from "../../api/groups/sites";
import { DocsError } from "../../api/http/errors";
import { createOnce } from "../../lifecycle/create-once";
import { defineResource, type Recognition } from "../../lifecycle/definition";
import { collectionOf } from "../../run/collection";
import type { Context } from "../../run/context";
import { outOfDate, pick } from "../../run/properties";
import { visible } from "../../text/visible";
import { identitiesIn } from "../shared/common";
import { noteProfile, type Profile, profileNames, readProfile, readWholeProfile, recordedDefaults } from "./profile";
import { mockedOutputs, type SiteInputs, siteInputs, siteOutputs } from "./properties";
import { siteReview } from "./review";

interface Live {
  readonly site: LiveSite;
  /** Values that are not in the site's own answer: from its published profile, or else as recorded. */
  readonly profile: Profile;
  /** The recorded value, for a service that no longer has this property. */
  readonly agentsContext: SiteInputs["agentsContext"];
}

const lost = "its sections, links, customization and everything else that was set up in it would be lost";

/** The properties that a creation accepts, and those that an update accepts. */
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

const equal = { spaces: sameTexts, proxy: (a: unknown, b: unknown) => a === b || (!isSet(a) && !isSet(b)) };

/** Only one site can have an address; a title is not unique, but a second site with it is rarely wanted. */
const recognition: Recognition<LiveSite, SiteInputs> = {
  what: ({ title }) => (title === undefined ? "a site" : `a site "${title}"`),
  collection: (context) => sitesOf(context),
  sameBy: {
    basename: (site, { basename }) => basename !== undefined && site.basename === basename,
    proxy: (site, { proxy }) => isSet(proxy) && site.proxy?.origin === proxy,
    title: (site, { title }) => title !== undefined && site.title === title,
  },
};

/**
 * A docs site: its title, who can open it, where it is served, and whether it is published.
 *
 * @remarks
 * Its id is the id of the site.
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
export const site = defineResource({
  name: "Site",
  inputs: siteInputs,
  outputs: siteOutputs,
  deletionLoses: lost,
  identities: (properties) => identitiesIn(properties, ["title", "basename", "proxy"]),
  recognition,
  replaceLoses: lost,
  // Only one site can have the name or address, so the old site must be deleted first.
  deleteBeforeReplace: ({ basename, proxy }) => basename !== undefined || isSet(proxy),
  equal,
  changesWith: {
    siteId: [],
    liveType: [],
    liveSpaces: [...profileNames, "published"],
    siteSpaces: [],
    siteSpaceIds: [...profileNames, "published"],
    features: ["adaptiveContent"],
    proxyTarget: ["proxy"],
    hostname: [],
    urls: ["visibility", "basename", "proxy", "published"],
    createdAt: [],
  },
  review: siteReview,
  audited: "site",
  mocked: mockedOutputs,
  async readImportable(context, siteId, leaveOut) {
    const site = await sitesOf(context).find(siteId);
    if (!site) return undefined;
    const { profile = {}, unread } = await readWholeProfile(context, site);
    if (unread !== undefined && site.siteSpaces > 0)
      leaveOut(`spaces, defaultSiteSpace and defaultSiteSection are left out: ${unread}`);
    return { site, profile, agentsContext: undefined };
  },
  importable: ({ site, profile: { spaces = [] } }: Live) => ({
    type: site.type,
    spaces: spaces.length > 0 ? [...new Set(spaces)] : undefined,
    agentsContext: site.agentsContext,
    // An import declares defaultSiteSpace instead, which is exact even if a site has a space twice.
    defaultSpace: undefined,
    // Adaptive content is disabled by default.
    ...(site.adaptiveContent?.enabled ? {} : { adaptiveContent: undefined }),
  }),

  lifecycle: {
    async create(context, declared): Promise<{ id: string; live: Live }> {
      const site = await createOnce({
        context,
        recognition,
        matches: declared.title === undefined ? undefined : (site) => looksLike(site, declared),
        create: () =>
          context.client.createSite({ organizationId: context.organizationId, body: pick(declared, posted) }),
        declared,
      });
      // A site that was taken over may be published, and may have the declared defaults already.
      const isReadable = site.published && needsProfile(declared);
      const profile = isReadable ? await readProfile(context, site.id, {}) : {};
      return { id: site.id, live: { site, profile, agentsContext: undefined } };
    },

    async observe(context, siteId, recorded, declared) {
      const site = await sitesOf(context).find(siteId, recorded);
      if (!site) return undefined;
      const profile = needsProfile(declared) ? await readProfile(context, siteId, recorded) : {};
      return { site, profile, agentsContext: recorded.agentsContext };
    },

    async *sync(context, siteId, before, declared) {
      let live = before;
      const path = { organizationId: context.organizationId, siteId };
      const changed = bodyOf(pick(declared, outOfDate(valuesOf(live), declared, patched, equal)));
      // If the service has no agentsContext, the other properties are changed first, and then the update fails.
      const { agentsContext, ...supported } = changed;
      const isUnsupported = agentsContext !== undefined && live.site.agentsContext === undefined;
      const body = isUnsupported ? supported : changed;
      if (Object.keys(body).length > 0) {
        const site = await sitesOf(context).write(() => context.client.updateSite({ ...path, body }));
        live = { ...live, site, profile: { ...live.profile, ...pick(body, profileNames) } };
        if (site.published) noteProfile(context, siteId, before.profile, live.profile);
        yield live;
      }
      if (declared.published !== undefined && declared.published !== live.site.published) {
        const site = await setPublished(context, live.site, declared.published);
        // Drops `spaces`, so that the profile of a site that was published now is read below.
        live = { ...live, site, profile: recordedDefaults(live.profile) };
        yield live;
      }
      if (isUnsupported)
        throw new DocsError(
          `${nameOf(live.site)}: this version of the service has no agentsContext; remove it from the declaration`,
        );
      // The profile was not read yet, or a new default section has changed the default site space.
      const isOutdated = !live.profile.spaces || body.defaultSiteSection !== undefined;
      if (needsProfile(declared) && live.site.published && isOutdated) {
        live = { ...live, profile: await readProfile(context, siteId, live.profile) };
        yield live;
      }
      if (declared.defaultSpace === undefined || declared.defaultSpace === live.profile.defaultSpace) return;
      yield await setDefaultSpace(context, live, declared.defaultSpace);
    },

    values: valuesOf,

    outputs: ({ site, profile }) => ({
      siteId: site.id,
      liveType: site.type,
      liveSpaces: profile.spaces ?? null,
      siteSpaces: site.siteSpaces,
      siteSpaceIds: { ...profile.siteSpaceIds },
      features: (site.features ?? []).filter(({ frozen }) => !frozen).map(({ id }) => id),
      proxyTarget: site.proxy?.target ?? null,
      hostname: site.hostname ?? null,
      urls: { location: site.urls?.location, app: site.urls?.app, published: site.urls?.published },
      createdAt: site.createdAt,
    }),

    remove: (context, siteId, recorded) => sitesOf(context).delete(siteId, recorded),
  },
});

const needsProfile = (declared: Partial<SiteInputs>): boolean =>
  profileNames.some((name) => declared[name] !== undefined);

export const sitesOf = collectionOf<LiveSite, Partial<SiteInputs>>(({ client, organizationId }) => ({
  name: `the sites of organization ${organizationId}`,
  list: (query) => client.listSites({ organizationId, query }),
  read: (siteId) => client.getSite({ organizationId, siteId }),
  remove: (siteId) => client.deleteSite({ organizationId, siteId }),
  kind: "site",
  nameOf: ({ title }) => title,
  written: ({ title, visibility, basename, proxy, adaptiveContent, agentsContext, published }) => [
    [title, visibility, basename, proxy?.origin, adaptiveContent?.enabled, agentsContext, published],
  ],
}));

export function noSite({ organizationId }: Context, siteId: string): DocsError {
  return new DocsError(
    `organization ${organizationId} has no site ${siteId}; correct siteId, or pass the siteId of a Site`,
  );
}

/** Whether a creation with this declaration could have created the site. */
const looksLike = (site: LiveSite, declared: SiteInputs): boolean =>
  (["title", "visibility", "type"] as const).every(
    (name) => declared[name] === undefined || declared[name] === site[name],
  );

function valuesOf({ site, profile, agentsContext }: Live) {
  return {
    title: site.title,
    visibility: site.visibility as SiteInputs["visibility"],
    basename: site.basename ?? undefined,
    proxy: site.proxy?.origin ?? "",
    adaptiveContent: { enabled: site.adaptiveContent?.enabled ?? false },
    agentsContext: (site.agentsContext ?? agentsContext) as SiteInputs["agentsContext"],
    defaultSiteSpace: profile.defaultSiteSpace,
    defaultSpace: profile.defaultSpace,
    defaultSiteSection: profile.defaultSiteSection,
    published: site.published,
  };
}

async function setPublished(context: Context, site: LiveSite, published: boolean): Promise<LiveSite> {
  const path = { organizationId: context.organizationId, siteId: site.id };
  const { client } = context;
  const answer = await sitesOf(context).write(async () => {
    const reply = published ? await client.publishSite(path) : await client.unpublishSite(path);
    if ("sessionId" in reply) throw needsCheckout(site);
    return reply;
  });
  // For a while, reads may still answer that the site has no profile.
  if (answer.published && published) noteProfile(context, site.id, undefined, {});
  if (answer.published === published) return answer;
  const [request, state] = published ? ["publish", "still not published"] : ["unpublish", "still published"];
  throw new DocsError(
    `${nameOf(site)}: the service accepted the request to ${request} it, but it is ${state}; check the site in the service`,
  );
}

/** Finds the site space of `defaultSpace`: the service requires its id, which is not known before the site exists. */
async function setDefaultSpace(context: Context, live: Live, defaultSpace: string): Promise<Live> {
  const { site, profile } = live;
  const defaultSiteSpace = profile.siteSpaceIds?.[defaultSpace];
  if (defaultSiteSpace === undefined) throw noSiteSpace(live, defaultSpace);
  const path = { organizationId: context.organizationId, siteId: site.id };
  const update = () => context.client.updateSite({ ...path, body: { defaultSiteSpace } });
  const after = { ...profile, defaultSiteSpace, defaultSpace };
  const updated = await sitesOf(context).write(update);
  noteProfile(context, site.id, profile, after);
  return { ...live, site: updated, profile: after };
}

function noSiteSpace({ site, profile }: Live, defaultSpace: string): DocsError {
  const spaces = Object.keys(profile.siteSpaceIds ?? {});
  const spacesText = spaces.length === 0 ? "has no spaces" : `has only ${listNames(spaces)}`;
  const reason = site.published
    ? `the site ${spacesText}; correct defaultSpace`
    : "it is not published, so the service does not return its site spaces; declare published: true, or defaultSiteSpace";
  return new DocsError(`site ${site.id} "${site.title}" does not get space ${defaultSpace} as its default: ${reason}`);
}

function needsCheckout(site: LiveSite): DocsError {
  return new DocsError(
    `${nameOf(site)} is not published: its plan ("${visible(site.type)}") does not include publication, and the service asks ` +
      "for a checkout; upgrade the site in the service and run pulumi up again, or declare published: false",
  );
}

const nameOf = ({ id, title }: LiveSite): string => visible(`site ${id} "${title}"`);

/** Null and an empty text both mean no proxy. */
const isSet = (proxy: unknown): boolean => typeof proxy === "string" && proxy !== "";

/** The values as the API takes them: null stands for no proxy. */
function bodyOf(changed: Partial<SiteInputs>): Partial<SiteInputs> {
  return changed.proxy === "" ? { ...changed, proxy: null } : changed;
}

function sameTexts(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(new Set(a as string[]), new Set(b as string[]));
}

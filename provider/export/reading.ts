import { roles } from "../api/groups/shared";
import type { AdaptiveJsonSchema, Site } from "../api/groups/sites";
import { ApiError, ConnectionError, DocsError, isForbidden, isNotFound } from "../api/http/errors";
import { type LiveOrganization, type ReadOptions, readOrganization } from "../organization/live/live";
import { readWhole } from "../resources/site/profile";
import { readAdaptiveSchema } from "../resources/site-adaptive-schema/site-adaptive-schema";
import type { Context } from "../run/context";

/** Everything that an export says, as it is live. */
export interface LiveEverything extends LiveOrganization {
  /** By the id of the site. */
  readonly schemas: ReadonlyMap<string, AdaptiveJsonSchema>;
  /** By the id of the site: what its published profile tells, or why nobody knows. */
  readonly profiles?: ReadonlyMap<string, LiveProfile>;
  /** Titles of the spaces that are translated, by id, as far as they are told. */
  readonly spaceTitles: ReadonlyMap<string, string>;
}

export type LiveProfile = Partial<NonNullable<Awaited<ReturnType<typeof readWhole>>>> & { readonly unread?: string };

/** Reads the whole organization, and changes nothing. */
export async function readEverything(context: Context, options: ReadOptions): Promise<LiveEverything> {
  const live = await readOrganization(context, options);
  const schemas = await readSchemas(context, live.sites, options);
  const profiles = await readProfiles(context, live.sites);
  return { ...live, schemas, profiles, spaceTitles: await readSpaceTitles(context, live) };
}

/** A site may have a schema while its adaptive content is off, so each is asked. */
async function readSchemas(context: Context, sites: readonly Site[], { progress }: ReadOptions) {
  let done = 0;
  const found = await Promise.all(
    sites.map(async ({ id }): Promise<[string, AdaptiveJsonSchema][]> => {
      const schema = await readAdaptiveSchema(context, id);
      progress?.(++done, sites.length, "sites");
      return schema ? [[id, schema]] : [];
    }),
  );
  return new Map(found.flat());
}

async function readProfiles(context: Context, sites: readonly Site[]) {
  const found = sites.map(
    async ({ id, published }): Promise<[string, LiveProfile]> => [
      id,
      published ? await readProfile(context, id) : { unread: onlyPublished },
    ],
  );
  return new Map(await Promise.all(found));
}

const onlyPublished = "only a published site tells them";

/** A profile that this version cannot read, or may not, keeps nobody from taking over the rest. */
async function readProfile(context: Context, siteId: string): Promise<LiveProfile> {
  try {
    return (await readWhole(context, siteId)) ?? { unread: onlyPublished };
  } catch (error) {
    const unreadable = error instanceof DocsError && !(error instanceof ApiError || error instanceof ConnectionError);
    if (!unreadable && !isForbidden(error)) throw error;
    return { unread: error.message };
  }
}

/** No operation lists spaces; an administrator's are as good as all of them. Only names depend on it. */
async function readSpaceTitles({ client, organizationId }: Context, { members, translations }: LiveOrganization) {
  const wanted = new Set(translations.map(({ source }) => source.space));
  const titles = new Map<string, string>();
  const [userId] = members
    .filter(({ role }) => role === roles[0])
    .map(({ user }) => user.id)
    .sort();
  if (wanted.size === 0 || userId === undefined) return titles;
  try {
    for await (const { space } of client.listMemberSpaces({ organizationId, userId, query: { limit: 1000 } })) {
      if (wanted.has(space.id)) titles.set(space.id, space.title);
      if (titles.size === wanted.size) break;
    }
  } catch (error) {
    if (!isForbidden(error) && !isNotFound(error)) throw error;
    return new Map<string, string>();
  }
  return titles;
}

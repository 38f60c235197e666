import type { AdaptiveJsonSchema, Site } from "../../../api/groups/sites";
import { ApiError, ConnectionError, DocsError, isForbidden } from "../../../api/http/errors";
import { readWhole } from "../../../resources/site/profile";
import { readAdaptiveSchema } from "../../../resources/site-adaptive-schema/site-adaptive-schema";
import type { Context } from "../../../run/context";
import type { ReadOptions } from "../../live/discovery";

/** Properties of sites that a list of sites does not have. */
export interface SiteDetails {
  /** Adaptive schemas by the id of the site. */
  readonly schemas: ReadonlyMap<string, AdaptiveJsonSchema>;
  /** By the id of the site: the content of its published profile, or the reason why it is unknown. */
  readonly profiles?: ReadonlyMap<string, LiveProfile>;
}

type LiveProfile = Partial<NonNullable<Awaited<ReturnType<typeof readWhole>>>> & { readonly unread?: string };

export async function readSiteDetails(
  context: Context,
  sites: readonly Site[],
  options: ReadOptions,
): Promise<SiteDetails> {
  const schemas = await readSchemas(context, sites, options);
  return { schemas, profiles: await readProfiles(context, sites) };
}

/** Asks every site: a site may have a schema although its adaptive content is off. */
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

const onlyPublished = "only published sites have them";

/** If a profile cannot be read, the site is exported without it. */
async function readProfile(context: Context, siteId: string): Promise<LiveProfile> {
  try {
    return (await readWhole(context, siteId)) ?? { unread: onlyPublished };
  } catch (error) {
    const unreadable = error instanceof DocsError && !(error instanceof ApiError || error instanceof ConnectionError);
    if (!unreadable && !isForbidden(error)) throw error;
    return { unread: error.message };
  }
}

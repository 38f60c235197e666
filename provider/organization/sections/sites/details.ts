import type { ReadOptions } from "../../../access/discovery";
import type { AdaptiveJsonSchema, Site } from "../../../api/groups/sites";
import { keepProfiles, readWhole, type WholeProfile } from "../../../resources/site/profile";
import { readAdaptiveSchema } from "../../../resources/site-adaptive-schema/site-adaptive-schema";
import type { Context } from "../../../run/context";

export interface SiteDetails {
  readonly schemas: ReadonlyMap<string, AdaptiveJsonSchema>;
  /** By the id of the site: the content of its published profile, or the reason why it is unknown. */
  readonly profiles?: ReadonlyMap<string, WholeProfile>;
}

export async function readSiteDetails(
  context: Context,
  sites: readonly Site[],
  options: ReadOptions,
): Promise<SiteDetails> {
  const schemas = await readSchemas(context, sites, options);
  keepProfiles(context);
  const profiles = sites.map(async (site) => [site.id, await readWhole(context, site)] as const);
  return { schemas, profiles: new Map(await Promise.all(profiles)) };
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

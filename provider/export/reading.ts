import type { ReadOptions } from "../organization/live/discovery";
import { type LiveOrganization, readOrganization } from "../organization/live/live";
import { type DetailsOf, type SectionName, type Sections, sectionList } from "../organization/sections";
import type { Context } from "../run/context";

/** The live data of an export. */
export type LiveEverything = LiveOrganization & {
  readonly details: { readonly [Name in SectionName]: DetailsOf<Sections[Name]> };
};

/** Reads the whole organization without changing it. */
export async function readEverything(context: Context, options: ReadOptions): Promise<LiveEverything> {
  const live = await readOrganization(context, options);
  const details: Record<string, unknown> = {};
  for (const { name, live: reading } of sectionList) {
    details[name] = await reading.readDetails?.(context, { ...live, own: live[name] }, options);
  }
  // The type says what each section reads.
  return { ...live, details: details as LiveEverything["details"] };
}

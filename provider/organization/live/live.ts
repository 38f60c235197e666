import type { Context } from "../../run/context";
import type { Properties } from "../../run/properties";
import { type LiveOf, type SectionName, type Sections, sectionList } from "../sections";
import type { Guarded, Section } from "../sections/section";
import type { Progress, ReadOptions } from "./discovery";

/** Everything that is live in one organization. */
export type LiveOrganization = { readonly organizationId: string } & {
  readonly [Name in SectionName]: LiveOf<Sections[Name]>;
};

/** What is live, as far as guards ask for it. */
export type GuardedLive = {
  readonly [Name in SectionName as Sections[Name]["live"] extends { readGuarded: unknown } ? Name : never]: LiveOf<
    Sections[Name]
  >;
};

type Lists = Omit<LiveOrganization, "teams">;

/** Reads the whole organization, and changes nothing: pages of 1,000, and about two requests a team. */
export async function readOrganization(context: Context, options: ReadOptions = {}): Promise<LiveOrganization> {
  const { organizationId } = context;
  const listed = await readEach(({ live }) => live.list?.(context), options.progress);
  // What each section reads is what its type says.
  const lists = { organizationId, ...listed } as unknown as Lists;
  return { ...lists, ...(await readEach(({ live }) => live.readAfter?.(context, lists, options))) } as LiveOrganization;
}

/** Reads what the guards ask for, which is read side by side. */
export async function readGuarded(context: Context, change: Guarded): Promise<GuardedLive> {
  return (await readEach(({ live }) => live.readGuarded?.(context, change))) as unknown as GuardedLive;
}

/** Waits for what some sections read, and tells how many have arrived. */
async function readEach(
  read: (section: Section) => Promise<unknown> | undefined,
  progress?: Progress,
): Promise<Properties> {
  const reads = sectionList.flatMap((section) => {
    const own = read(section);
    return own === undefined ? [] : [own.then((live) => [section.name, live] as const)];
  });
  let done = 0;
  await Promise.all(reads.map((one) => one.then(() => progress?.(++done, reads.length, "lists"))));
  return Object.fromEntries(await Promise.all(reads));
}

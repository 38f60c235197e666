import type { LivePeople } from "../../access/discovery";
import { roles } from "../../api/groups/shared";
import type { Translation } from "../../api/groups/translations";
import { isForbidden, isNotFound } from "../../api/http/errors";
import { translation } from "../../resources/translation";
import type { Context } from "../../run/context";
import type { Properties } from "../../run/properties";
import { safeText } from "../../text/safe-text";
import { declarable, describeObject, draftEntries, type Notes } from "../drafts/drafting";
import { compare, mapOf, mostListed, objectId, resourceName } from "./parts";
import type { Section } from "./section";

type Live = readonly Translation[];

export interface TranslationDetails {
  /** Titles of the translated spaces by id, as far as they are known. */
  readonly spaceTitles: ReadonlyMap<string, string>;
}

export interface UnmanagedTranslation {
  readonly id: string;
  readonly language: string;
  readonly space: string;
}

const declaredTranslation = translation.inputs.omit({ organizationId: true }).extend({ id: objectId });

export const translations = {
  shape: { translations: mapOf(resourceName, declaredTranslation, "Translations of spaces by name.").optional() },
  declareChildren: ({ translations = {} }) =>
    Object.entries(translations).map(([key, { id, ...inputs }]) => ({ resource: "Translation", key, inputs, id })),
  live: {
    list: ({ client, organizationId }): Promise<Live> =>
      client.listTranslations({ organizationId, query: { limit: mostListed } }).all(),
    readDetails: async (context, live): Promise<TranslationDetails> => {
      return { spaceTitles: await readSpaceTitles(context, live) };
    },
  },
  writing: {
    nameObjects: (live, { spaceTitles }) => ({
      kind: "translation",
      things: live.map(({ id, source, language }) => {
        return { id, title: `${spaceTitles.get(source.space) ?? source.space} ${language}` };
      }),
    }),
    draft: (drafting) => draftEntries(drafting, drafting.live, (one) => draftTranslation(one, drafting.notes)),
  },
  audit: {
    kind: "translations" as const,
    one: "translation",
    many: "translations",
    subjects: { translation: { prefix: "translation ", absence: "does not exist" } },
    listObjects: (live) =>
      live.map(({ id, language, source: { space } }) => ({
        subject: { kind: "translation", id },
        shown: { id, language, space },
      })),
    order: (a, b) => compare(`${a.space} ${a.language}`, `${b.space} ${b.language}`),
    symbol: "◼",
    describe: ({ id, space, language }) => safeText`${id}: space ${space} into ${language}`,
  },
} satisfies Section<Live, TranslationDetails, UnmanagedTranslation>;

/** Reads titles from the spaces of an administrator, because no operation lists all spaces. They are only used for names of translations. */
async function readSpaceTitles(
  { client, organizationId }: Context,
  { members, own }: Pick<LivePeople, "members"> & { readonly own: Live },
): Promise<ReadonlyMap<string, string>> {
  const spaceIds = new Set(own.map(({ source }) => source.space));
  const titles = new Map<string, string>();
  const administrators = members.filter(({ role }) => role === roles[0]);
  const [userId] = administrators.map(({ user }) => user.id).sort();
  if (spaceIds.size === 0 || userId === undefined) return titles;
  try {
    for await (const { space } of client.listMemberSpaces({ organizationId, userId, query: { limit: mostListed } })) {
      if (spaceIds.has(space.id)) titles.set(space.id, space.title);
      if (titles.size === spaceIds.size) break;
    }
  } catch (error) {
    if (!isForbidden(error) && !isNotFound(error)) throw error;
    return new Map<string, string>();
  }
  return titles;
}

function draftTranslation(live: Translation, notes: Notes): Properties | undefined {
  const what = describeObject("translation", `${live.source.space} ${live.language}`, live.id);
  const all = { translation: live, instructions: live.instructions, rerun: undefined };
  const values = { ...translation.lifecycle.values(all, live), ...translation.importable?.(all) };
  const declared = declarable(what, declaredTranslation, { id: live.id, ...values }, notes);
  return declared.source === undefined || declared.language === undefined ? undefined : declared;
}

import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { plainTextOf, richTextOf, sameMeaning } from "../api/groups/rich-text";
import { dateTime, identifier, richText } from "../api/groups/shared";
import { type Translation as LiveTranslation, languages, translationSettings } from "../api/groups/translations";
import { mayHaveHappened } from "../api/http/errors";
import { createOnce } from "../lifecycle/create-once";
import { defineResource, type Recognition } from "../lifecycle/definition";
import { type Finding, type ReviewedChange, titleWords } from "../lifecycle/review";
import { collectionOf } from "../run/collection";
import type { Context } from "../run/context";
import { propertiesIn } from "../run/properties";
import { safeText, trusted } from "../text/safe-text";
import { allowDuplicate, organizationId } from "./shared/common";

const inputs = z.strictObject({
  organizationId: organizationId.optional(),
  source: translationSettings.source.meta({ replacesUnlessLive: "source" }),
  language: translationSettings.language.meta({ replacesUnlessLive: "language" }),
  instructions: z
    .union([z.string(), richText])
    .describe("Instructions for the translation: plain text with one paragraph per line, or rich text as in the API.")
    .optional(),
  rerun: z
    .unknown()
    .describe("Any value. When it changes, the translation runs again.")
    .meta({
      unread: "is only in the state, so it has no drift, and a run that is started outside Pulumi does not change it.",
    })
    .optional(),
  allowDuplicate: allowDuplicate.optional(),
});
type Inputs = z.output<typeof inputs>;

const outputs = z.object({
  translationId: identifier.describe("Id of the translation."),
  result: z
    .object({
      space: z.string().describe("Id of the translated space."),
      revision: z.string().describe("Revision of the translated space."),
    })
    .nullable()
    .describe("The translated space and its revision; null until the first run is complete."),
  status: z.string().describe("`pending`, `running` or `completed`, at the last read."),
  createdAt: dateTime.describe("When the translation was created."),
});

interface Live {
  readonly translation: LiveTranslation;
  /** As recorded or sent, if the service does not show them. */
  readonly instructions: unknown;
  /** The value that the last run was started for. */
  readonly rerun: unknown;
}

const isSame = ({ source, language }: LiveTranslation, declared: Inputs): boolean =>
  source.space === declared.source.space && language === declared.language;

const recognition: Recognition<LiveTranslation, Inputs> = {
  what: ({ source, language }) => `a translation of space ${source.space} into ${language}`,
  collection: (context) => translationsOf(context),
  sameBy: { "source and language": isSame },
};

/**
 * A translation of a space into another language, which the service keeps up to date.
 *
 * @remarks
 * Its id is the id of the translation.
 *
 * A destroy deletes the translation.
 *
 * @example
 * ```ts
 * new docs.Translation("guides-fr", {
 *   source: { space: "guides", language: "en" },
 *   language: "fr",
 *   instructions: "Keep the names of products.",
 *   rerun: 1,
 * });
 * ```
 */
export const translation = defineResource({
  name: "Translation",
  inputs,
  outputs,
  deletionLoses: "all pages would be translated again, into another space",
  identities: ({ source, language }) => {
    const { space } = propertiesIn(source);
    return typeof space === "string"
      ? [`source ${JSON.stringify(space)} and language ${JSON.stringify(language)}`]
      : [];
  },
  recognition,
  equal: { instructions: sameMeaning },
  changesWith: { translationId: [], createdAt: [] },
  importable: ({ translation: { instructions } }: Live) => ({
    instructions: instructions && (plainTextOf(instructions) ?? instructions),
  }),
  review: { noun: "translation", section: "translations", title: titleOf, risks: deletionRisks },
  audited: "translation",
  warnings: (declared) =>
    [declared.language, declared.source.language]
      .filter((code) => !(languages as readonly string[]).includes(code))
      .map((code) => `"${code}" is not a known language of the service, which may refuse it`),

  lifecycle: {
    async create(context, declared) {
      const created = await createOnce({
        context,
        recognition,
        matches: (translation) => isSame(translation, declared),
        create: () =>
          context.client.createTranslation({ organizationId: context.organizationId, body: bodyOf(declared) }),
        declared,
      });
      // A creation starts a run already, so the declared value of `rerun` needs none.
      return { id: created.id, live: liveOf(created, declared) };
    },

    async observe(context, translationId, recorded) {
      const live = await translationsOf(context).find(translationId, recorded);
      return live && liveOf(live, recorded);
    },

    async *sync(context, translationId, before, declared) {
      let live = before;
      const { instructions, rerun } = declared;
      const path = { organizationId: context.organizationId, translationId };
      if (instructions !== undefined && !sameMeaning(live.instructions, instructions)) {
        const body = { instructions: toRichText(instructions) };
        const update = () => context.client.updateTranslation({ ...path, body });
        live = liveOf(await translationsOf(context).write(update), { ...live, instructions });
        yield live;
      }
      // A first value of `rerun` is only recorded: there is no earlier one from which it differs.
      if (live.rerun === undefined || rerun === undefined || isDeepStrictEqual(live.rerun, rerun)) return;
      await runOnce(context, live.translation);
      yield { ...live, rerun };
    },

    values: ({ translation, instructions, rerun }) => ({
      source: { space: translation.source.space, language: translation.source.language },
      language: translation.language,
      instructions: instructions as Inputs["instructions"],
      ...(rerun !== undefined && { rerun }),
    }),

    outputs: ({ translation: { id, status, result, createdAt } }) => ({
      translationId: id,
      status,
      result: result ? { space: result.space, revision: result.revision } : null,
      createdAt,
    }),

    remove: (context, translationId, recorded) => translationsOf(context).delete(translationId, recorded),
  },
});

export const translationsOf = collectionOf<LiveTranslation, Partial<Inputs>>(({ client, organizationId }) => ({
  name: `the translations of organization ${organizationId}`,
  list: (query) => client.listTranslations({ organizationId, query }),
  read: (translationId) => client.getTranslation({ organizationId, translationId }),
  remove: (translationId) => client.deleteTranslation({ organizationId, translationId }),
  kind: "translation",
  nameOf: titleOf,
  written: ({ instructions }) => [instructions],
}));

/** A review may not know the source yet, and an imported translation has no recorded one. */
function titleOf({ source, language }: { readonly source?: unknown; readonly language?: unknown }): string | undefined {
  const { space } = propertiesIn(source);
  return typeof space === "string" && typeof language === "string" ? `${space} in ${language}` : undefined;
}

function deletionRisks(change: ReviewedChange): Finding[] {
  const { operation, retained } = change;
  if ((operation !== "delete" && operation !== "replace") || retained) return [];
  const what = operation === "delete" ? "deleted" : "replaced by a new one";
  const text = safeText`the translation ${titleWords(change)} is ${trusted(what)}`;
  return [{ kind: "translation-deleted", severity: "medium", text }];
}

function liveOf(translation: LiveTranslation, known: Pick<Partial<Live>, "instructions" | "rerun">): Live {
  return { translation, instructions: translation.instructions ?? known.instructions, rerun: known.rerun };
}

function bodyOf({ source, language, instructions }: Inputs) {
  return { source, language, ...(instructions !== undefined && { instructions: toRichText(instructions) }) };
}

function toRichText(instructions: NonNullable<Inputs["instructions"]>) {
  return typeof instructions === "string" ? richTextOf(instructions) : instructions;
}

/** Starts a run. Each run costs money: if the answer is lost, the number of runs shows whether one was started. */
async function runOnce({ client, organizationId }: Context, { id, stats }: LiveTranslation): Promise<void> {
  const path = { organizationId, translationId: id };
  try {
    await client.runTranslation(path);
  } catch (error) {
    if (!mayHaveHappened(error)) throw error;
    const now = await client.getTranslation(path);
    if (now.stats.runs <= stats.runs) throw error;
  }
}

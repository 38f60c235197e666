import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { mayHaveHappened } from "../api/errors";
import { dateTime, identifier, richText } from "../api/shared";
import { type Translation as LiveTranslation, languages, translationSettings } from "../api/translations";
import { type Collection, type Context, ensureDeleted, unlessGone } from "../context";
import { createOnce } from "../creation";
import { defineResource } from "../resource";
import { resourceClass } from "../resource-class";
import { richTextOf, sameMeaning } from "../rich-text";
import { allowTwin, idsOf, organization, organizationId } from "./common";

const inputs = z.strictObject({
  organizationId: organizationId.optional(),
  source: translationSettings.source.meta({ replaces: "source" }),
  language: translationSettings.language.meta({ replaces: "language" }),
  instructions: z
    .union([z.string(), richText])
    .describe("What to keep in mind when translating: plain text, a paragraph a line, or rich text as the API has it.")
    .optional(),
  rerun: z
    .unknown()
    .describe(
      "Any value; when it changes, the translation runs again. The service does not return it, so it has no drift.",
    )
    .optional(),
  allowTwin: allowTwin.optional(),
});
type Inputs = z.output<typeof inputs>;

const outputs = z.object({
  translationId: identifier.describe("Id of the translation."),
  result: z
    .object({ space: z.string(), revision: z.string() })
    .nullable()
    .describe("The translated space and its revision; null until the first run is complete."),
  createdAt: dateTime.describe("When the translation was created."),
});

interface Live {
  readonly translation: LiveTranslation;
  /** The value that the last run was started for. */
  readonly rerun: unknown;
}

export const translation = defineResource({
  name: "Translation",
  inputs,
  outputs,
  equal: { instructions: sameMeaning },
  warnings: (declared) =>
    [declared.language, declared.source.language]
      .filter((code) => !(languages as readonly string[]).includes(code))
      .map((code) => `"${code}" is no language that the service is known to have; it may refuse it`),

  lifecycle: {
    create: (context, declared) =>
      createOnce({
        what: `a translation of space ${declared.source.space} into ${declared.language}`,
        context,
        candidates: () => lookalikes(context, declared),
        create: () => context.client.createTranslation({ ...organization(context), body: bodyOf(declared) }),
        // A creation is a run already.
        liveOf: (translation): Live => ({ translation, rerun: declared.rerun }),
        recognizable: true,
        allowTwin: declared.allowTwin === true,
      }),

    async observe(context, translationId, recorded) {
      const read = () => context.client.getTranslation({ ...organization(context), translationId });
      const found = await unlessGone(context, translationId, read, translationsOf(context));
      return found && { translation: found, rerun: recorded.rerun };
    },

    async *sync(context, translationId, before, declared) {
      let live = before;
      const { instructions, rerun } = declared;
      const path = { ...organization(context), translationId };
      if (instructions !== undefined && !sameMeaning(live.translation.instructions, instructions)) {
        const body = { instructions: asRichText(instructions) };
        live = { ...live, translation: await context.client.updateTranslation({ ...path, body }) };
        yield live;
      }
      if (live.rerun === undefined || rerun === undefined || isDeepStrictEqual(live.rerun, rerun)) return;
      await runOnce(context, live.translation);
      yield { ...live, rerun };
    },

    values: ({ translation, rerun }) => ({
      source: { space: translation.source.space, language: translation.source.language },
      language: translation.language,
      instructions: translation.instructions,
      ...(rerun !== undefined && { rerun }),
    }),

    outputs: ({ translation: { id, result, createdAt } }) => ({
      translationId: id,
      result: result ? { space: result.space, revision: result.revision } : null,
      createdAt,
    }),

    remove(context, translationId) {
      const remove = () => context.client.deleteTranslation({ ...organization(context), translationId });
      return ensureDeleted(context, translationId, remove, translationsOf(context));
    },
  },
});

/** A translation of a space into another language, which the service keeps up to date. */
export class Translation extends resourceClass(translation) {}

function translationsOf({ client, organizationId }: Context): Collection {
  return {
    name: `the translations of organization ${organizationId}`,
    ids: () => idsOf(client.listTranslations({ organizationId, query: { limit: 1000 } })),
  };
}

async function lookalikes({ client, organizationId }: Context, declared: Inputs): Promise<LiveTranslation[]> {
  const all = await client.listTranslations({ organizationId, query: { limit: 1000 } }).all();
  return all.filter(({ source, language }) => source.space === declared.source.space && language === declared.language);
}

function bodyOf({ source, language, instructions }: Inputs) {
  return { source, language, ...(instructions !== undefined && { instructions: asRichText(instructions) }) };
}

function asRichText(instructions: NonNullable<Inputs["instructions"]>) {
  return typeof instructions === "string" ? richTextOf(instructions) : instructions;
}

/** Each run costs: where the answer is lost, the number of runs tells whether there was one. */
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

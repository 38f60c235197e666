import { z } from "zod";
import { endpoint, none } from "../schema/endpoint";
import { count, dateTime, identifier, location, openEnum, page, pageQuery, permissionsOf, richText } from "./shared";

/** Translations of spaces. Language and source are set at creation; afterwards only the instructions can change. */

// biome-ignore format: a row for each language would be half of the file
export const languages = [
  "en", "fr", "de", "es", "it", "pt", "pt-br", "ru", "ja", "zh", "yue", "ko", "ar", "hi", "nl", "pl", "tr", "sv", "no",
  "da", "fi", "el", "cs", "hu", "ro", "th", "vi", "id", "ms", "he", "uk", "sk", "bg", "hr", "lt", "lv", "et", "sl",
  "zh-tw",
] as const;
/** Languages that only a newer version of the service has. */
export const newerLanguages: readonly Language[] = ["zh-tw"];
export type Language = (typeof languages)[number];
export const language = z.enum(languages).describe("Code of a language, such as `en`, `fr` or `pt-br`.");

/** A language in a request. Not limited to the known ones: the service may support more, and refuses the others itself. */
const anyLanguage = z.string().min(1).max(16);

export const translationStatuses = ["pending", "running", "completed"] as const;

/** Properties of a translation that a client can set. */
export const translationSettings = {
  source: z
    .strictObject({
      space: identifier.describe("Id of the space to translate."),
      language: anyLanguage.describe("Code of the language in which the space is written, such as `en`."),
    })
    .describe("Source of the translation: a space and its language. Can only be set at creation."),
  language: anyLanguage.describe("Code of the target language, such as `fr`. Can only be set at creation."),
  instructions: richText.describe("Instructions for the translation, as rich text."),
};

export const liveTranslation = z
  .strictObject({
    object: z.literal("translation"),
    id: identifier.describe("Id of the translation."),
    status: openEnum(translationStatuses).describe("State of the translation: `pending`, `running` or `completed`."),
    source: z
      .strictObject({
        space: identifier.describe("Id of the space to translate."),
        language: openEnum(languages).describe("Code of the language in which the space is written."),
      })
      .describe("What is translated."),
    language: openEnum(languages).describe("Code of the target language."),
    instructions: richText.optional().describe("Instructions for the translation."),
    result: z
      .strictObject({
        space: identifier.describe("Id of the translated space."),
        revision: identifier.describe("Revision of the translated space."),
        // Required from version 0.202 of the service on, unknown before.
        language: openEnum(languages).optional().describe("Code of the language of the translated space."),
      })
      .optional()
      .describe("The translated space."),
    createdAt: dateTime.describe("Creation of the translation."),
    updatedAt: dateTime.describe("Last update of the translation."),
    stats: z
      .strictObject({
        runs: count.describe("Number of runs."),
        totalWords: count.describe("Words of all runs."),
        totalPages: count.describe("Pages of all runs."),
        totalDuration: count.describe("Seconds of all runs."),
        latestRunDuration: count.describe("Seconds of the latest run."),
        latestPages: count.describe("Pages of the latest run."),
        latestWords: count.describe("Words of the latest run."),
      })
      .describe("Numbers of the runs."),
    permissions: permissionsOf("view", "edit"),
    urls: z.strictObject({ location }).describe("URLs of the translation."),
  })
  .meta({ id: "LiveTranslation", description: "A translation as the service answers it." });
export type Translation = z.output<typeof liveTranslation>;

const listPath = "/v1/orgs/{organizationId}/translations" as const;
const itemPath = `${listPath}/{translationId}` as const;
const oneTranslation = { reply: liveTranslation, answers: { organizationId: none, translationId: "id" } } as const;

export const translationEndpoints = {
  listTranslations: endpoint({
    route: `GET ${listPath}`,
    does: "list the translations of organization {organizationId}",
    query: pageQuery,
    reply: page(liveTranslation),
    answers: { organizationId: none },
  }),
  createTranslation: endpoint({
    route: `POST ${listPath}`,
    does: "create a translation in organization {organizationId}",
    body: z.strictObject({ ...translationSettings, instructions: translationSettings.instructions.optional() }),
    reply: liveTranslation,
    answers: {
      organizationId: none,
      "body.source.space": "source.space",
      "body.source.language": "source.language",
      "body.language": "language",
    },
    status: 201,
  }),
  getTranslation: endpoint({ route: `GET ${itemPath}`, does: "read translation {translationId}", ...oneTranslation }),
  updateTranslation: endpoint({
    route: `PUT ${itemPath}`,
    does: "update translation {translationId}",
    body: z.strictObject({ instructions: translationSettings.instructions }),
    ...oneTranslation,
  }),
  deleteTranslation: endpoint({ route: `DELETE ${itemPath}`, does: "delete translation {translationId}" }),
  // Not repeatable: each run costs, so a lost answer must not start another one.
  runTranslation: endpoint({ route: `POST ${itemPath}/run`, does: "run translation {translationId}", status: 204 }),
};

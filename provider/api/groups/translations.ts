import { z } from "zod";
import { endpoint, none } from "../schema/endpoint";
import { dateTime, identifier, openEnum, page, pageQuery, promised, richText, url } from "./shared";

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

/** In a request: the service may learn a language before its clients do, so it is the service that refuses one. */
const anyLanguage = z.string().min(1).max(16);

export const translationStatuses = ["pending", "running", "completed"] as const;

/** Properties of a translation that a client can set. */
export const translationSettings = {
  source: z
    .strictObject({
      space: identifier.describe("Id of the space to translate."),
      language: anyLanguage.describe("Code of the language that it is written in, such as `en`."),
    })
    .describe("What is translated: a space and the language that it is written in. Only set at creation."),
  language: anyLanguage.describe("Code of the language to translate into, such as `fr`. Only set at creation."),
  instructions: richText.describe("What to keep in mind when translating, as rich text."),
};

const count = z.number().int().min(0);

export const translation = z.strictObject({
  object: z.literal("translation"),
  id: identifier,
  status: openEnum(translationStatuses),
  source: z.strictObject({ space: identifier, language: openEnum(languages) }),
  language: openEnum(languages),
  instructions: promised(richText),
  result: z
    .strictObject({
      space: identifier,
      revision: identifier,
      // Required in a newer version, unknown in the older one.
      language: openEnum(languages).optional(),
    })
    .optional(),
  createdAt: dateTime,
  updatedAt: dateTime,
  /** Durations are in seconds. */
  stats: z.strictObject({
    runs: count,
    totalWords: count,
    totalPages: count,
    totalDuration: count,
    latestRunDuration: count,
    latestPages: count,
    latestWords: count,
  }),
  permissions: z.strictObject({ view: z.boolean(), edit: z.boolean() }),
  urls: z.strictObject({ location: url }),
});
export type Translation = z.output<typeof translation>;
/** As the service must answer it, whatever of it the client does without. */
export type TranslationAnswer = z.input<typeof translation>;

const o = "/v1/orgs/{organizationId}/translations" as const;
const t = `${o}/{translationId}` as const;

export const translations = {
  listTranslations: endpoint({
    route: `GET ${o}`,
    does: "list the translations of organization {organizationId}",
    query: pageQuery,
    reply: page(translation),
    answers: { organizationId: none },
  }),
  createTranslation: endpoint({
    route: `POST ${o}`,
    does: "create a translation in organization {organizationId}",
    body: z.strictObject({
      source: translationSettings.source,
      language: translationSettings.language,
      instructions: translationSettings.instructions.optional(),
    }),
    reply: translation,
    answers: {
      organizationId: none,
      "body.source.space": "source.space",
      "body.source.language": "source.language",
      "body.language": "language",
    },
    status: 201,
  }),
  getTranslation: endpoint({
    route: `GET ${t}`,
    does: "read translation {translationId}",
    reply: translation,
    answers: { organizationId: none, translationId: "id" },
  }),
  updateTranslation: endpoint({
    route: `PUT ${t}`,
    does: "update translation {translationId}",
    body: z.strictObject({ instructions: translationSettings.instructions }),
    reply: translation,
    answers: { organizationId: none, translationId: "id" },
  }),
  deleteTranslation: endpoint({ route: `DELETE ${t}`, does: "delete translation {translationId}" }),
  // Each run costs, so a lost answer is no reason to start another one.
  runTranslation: endpoint({ route: `POST ${t}/run`, does: "run translation {translationId}", status: 204 }),
};

import type { Endpoints } from "../../api/endpoints";
import type { RichText } from "../../api/groups/shared";
import { type Language, languages, newerLanguages, type Translation } from "../../api/groups/translations";
import { nearest } from "../../text/mistakes";
import type { Complete } from "../http/complete";
import { badRequest, existing } from "../http/errors";
import { pageOf } from "../http/paging";
import type { PathCall, RouteCall, Routes } from "../http/route";
import type { SpaceRecord } from "../spaces/record";
import { newId } from "../store/ids";
import type { Place, Service, Version } from "../store/service";
import type { Organization } from "../store/state";
import { completedRuns, startRun, statsOf, statusOf, type TranslationRecord } from "./record";

/** Translations of spaces, whose status follows the clock. */
export const translationRoutes = {
  listTranslations: (call) =>
    pageOf(call, {
      records: [...call.organization.translations.values()],
      key: ({ sequence }) => [sequence],
      item: (translation) => translationAnswer(call, translation),
    }),

  createTranslation: (call) => {
    const { organization, service, body } = call;
    const space = sourceOf(body.source.space, organization);
    const { from, into } = languagesOf(body, service);
    const createdAt = service.now().toISOString();
    const translation: TranslationRecord = {
      instructions: noInstructions,
      ...body,
      source: { space: space.id, language: from },
      language: into,
      id: newId("translation"),
      sequence: ++service.state.sequence,
      createdAt,
      updatedAt: createdAt,
      space: newId("space"),
      runs: [],
    };
    startRun(translation, space, service.now());
    organization.translations.set(translation.id, translation);
    return translationAnswer(call, translation);
  },

  getTranslation: (call) => translationAnswer(call, translationOf(call)),

  updateTranslation: (call) => {
    const translation = translationOf(call);
    translation.instructions = call.body.instructions;
    translation.updatedAt = call.service.now().toISOString();
    return translationAnswer(call, translation);
  },

  deleteTranslation: ({ organization, path }) => organization.translations.delete(path.translationId),

  runTranslation: (call) => {
    const translation = translationOf(call);
    const { space } = translation.source;
    startRun(translation, existing(call.organization.spaces.get(space), "space", space), call.service.now());
    translation.updatedAt = call.service.now().toISOString();
  },
} satisfies Partial<Routes>;

const noInstructions: RichText = { object: "document", data: {}, nodes: [] };

const translationOf = ({ organization, path }: PathCall<"translationId">): TranslationRecord =>
  existing(organization.translations.get(path.translationId), "translation", path.translationId);

function sourceOf(id: string, organization: Organization): SpaceRecord {
  const space = organization.spaces.get(id);
  if (space) return space;
  throw badRequest(`source.space: organization "${organization.id}" has no space "${id}"`);
}

type Body = RouteCall<Endpoints["createTranslation"]>["body"];

function languagesOf({ source, language }: Body, { version }: Service): { from: Language; into: Language } {
  const from = languageAt("source.language", source.language, version);
  const into = languageAt("language", language, version);
  if (from !== into) return { from, into };
  throw badRequest(`language: the source is in "${from}" already; use another one`);
}

function languageAt(at: string, code: string, version: Version): Language {
  const known = languages.filter((one) => version === "0.202" || !newerLanguages.includes(one));
  const found = known.find((one) => one === code);
  if (found) return found;
  const guess = nearest(code, known);
  throw badRequest(
    `${at}: "${code}" is not a supported language; ${guess ? `did you mean "${guess}"?` : `use one of ${known.join(", ")}`}`,
  );
}

function translationAnswer({ organization, service }: Place, translation: TranslationRecord): Complete<Translation> {
  const completed = completedRuns(translation, service.now());
  return {
    object: "translation",
    id: translation.id,
    status: statusOf(translation, service.now()),
    source: translation.source,
    language: translation.language,
    instructions: translation.instructions,
    result: completed.length > 0 ? resultOf(translation, completed.length, service) : undefined,
    createdAt: translation.createdAt,
    updatedAt: translation.updatedAt,
    stats: statsOf(completed),
    permissions: { view: true, edit: true },
    urls: { location: `${service.url}/v1/orgs/${organization.id}/translations/${translation.id}` },
  };
}

type Result = Complete<NonNullable<Translation["result"]>>;

/** Each completed run creates a new revision of the translated space. */
function resultOf({ space, language }: TranslationRecord, runs: number, { version }: Service): Result {
  return { space, revision: `${space}_${runs}`, language: version === "0.202" ? language : undefined };
}

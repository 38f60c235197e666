import { z } from "zod";
import type { Endpoints } from "../../api/endpoints";
import type { RichText } from "../../api/groups/shared";
import { type Language, languages, newerLanguages, type Translation } from "../../api/groups/translations";
import { badRequest, checkInput, requireExisting } from "../http/errors";
import { bySequence, pageOf } from "../http/paging";
import type { Complete, RouteCall, Routes } from "../http/route";
import type { SpaceRecord } from "../spaces/record";
import { newId } from "../store/ids";
import type { RecordContext, Service } from "../store/service";
import type { OrganizationRecord } from "../store/state";
import { newTranslation, progressOf, startRun, statsOf, type TranslationRecord } from "./record";

export const translationRoutes = {
  listTranslations: (call) =>
    pageOf(call, {
      records: [...call.organization.translations.values()],
      key: bySequence,
      item: (translation) => translationAnswer(call, translation),
    }),

  createTranslation: (call) => {
    const { organization, service, body } = call;
    const space = sourceOf(body.source.space, organization);
    const { from, into } = languagesOf(body, service);
    const settings = {
      instructions: noInstructions,
      ...body,
      source: { space: space.id, language: from },
      language: into,
      id: newId("translation"),
      sequence: ++service.state.sequence,
      createdAt: service.now().toISOString(),
    };
    const translation = newTranslation(settings, space, service.now());
    organization.translations.set(translation.id, translation);
    return translationAnswer(call, translation);
  },

  getTranslation: (call) => translationAnswer(call, call.translation),

  updateTranslation: (call) => {
    const { translation, body, service } = call;
    Object.assign(translation, body, { updatedAt: service.now().toISOString() });
    return translationAnswer(call, translation);
  },

  deleteTranslation: ({ organization, path }) => organization.translations.delete(path.translationId),

  runTranslation: ({ translation, organization, service }) => {
    const { space } = translation.source;
    startRun(translation, requireExisting(organization.spaces.get(space), "space", space), service.now());
    translation.updatedAt = service.now().toISOString();
  },
} satisfies Partial<Routes>;

const noInstructions: RichText = { object: "document", data: {}, nodes: [] };

function sourceOf(id: string, organization: OrganizationRecord): SpaceRecord {
  const space = organization.spaces.get(id);
  if (space) return space;
  throw badRequest(`source.space: organization "${organization.id}" has no space "${id}"`);
}

type Body = RouteCall<Endpoints["createTranslation"]>["body"];

function languagesOf({ source, language }: Body, { version }: Service): { from: Language; into: Language } {
  const known = z.enum(languages.filter((one) => version === "0.202" || !newerLanguages.includes(one)));
  const from = checkInput(known, source.language, ["source", "language"]);
  const into = checkInput(known, language, ["language"]);
  if (from !== into) return { from, into };
  throw badRequest(`language: the source is in "${from}" already; use another one`);
}

function translationAnswer(
  { organization, service }: RecordContext,
  translation: TranslationRecord,
): Complete<Translation> {
  const { completed, status } = progressOf(translation, service.now());
  // Each completed run creates a new revision of the translated space.
  const { space, language } = translation;
  const revision = `${space}_${completed.length}`;
  const newer = service.version === "0.202" ? { language } : { language: undefined };
  const result = { space, revision, ...newer } satisfies Complete<NonNullable<Translation["result"]>>;
  return {
    object: "translation",
    id: translation.id,
    status,
    source: translation.source,
    language,
    instructions: translation.instructions,
    result: completed.length > 0 ? result : undefined,
    createdAt: translation.createdAt,
    updatedAt: translation.updatedAt,
    stats: statsOf(completed),
    permissions: { view: true, edit: true },
    urls: { location: `${service.url}/v1/orgs/${organization.id}/translations/${translation.id}` },
  };
}

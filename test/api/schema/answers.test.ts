import { expect, it } from "vitest";
import { endpoints, type RowName } from "../../../provider/api/endpoints";
import { liveSite } from "../../../provider/api/groups/sites";
import { MismatchError, mayHaveHappened, mayStillHappen } from "../../../provider/api/http/errors";
import type { Answers, Endpoint } from "../../../provider/api/schema/endpoint";
import { endpoint, methodOf, none } from "../../../provider/api/schema/endpoint";
import { scriptedService } from "../../support/scripted-service";

/** An answer about another object is an error, for every row whose answer says which object it is about. */

const acme = { organizationId: "acme" };
const siteAt = { ...acme, siteId: "site_product" };
const request = { spaceId: "guides", changeRequestId: "cr_rollback" };
const saml = { ...acme, samlProviderId: "saml_acme" };
const translation = { ...acme, translationId: "translation_fr" };
const member = { ...acme, userId: "user_dana" };
const instructions = { object: "document" as const, data: {}, nodes: [] };

/** A call of each row that compares something. */
const calls: { readonly [Name in RowName]?: object } = {
  createSite: { ...acme, body: { title: "New" } },
  getSite: siteAt,
  updateSite: { ...siteAt, body: { title: "Product" } },
  getPublishedSite: siteAt,
  publishSite: siteAt,
  unpublishSite: siteAt,
  sortSiteStructure: { ...siteAt, body: { item: { type: "site-section", id: "section_guides" }, position: {} } },
  listSpaceChangeRequests: { spaceId: "guides" },
  createChangeRequest: { spaceId: "guides", body: { subject: "New" } },
  getChangeRequest: request,
  updateChangeRequest: { ...request, body: { subject: "Rollback" } },
  getContentFile: { ...request, fileId: "file_logo" },
  getContentPage: { ...request, pageId: "welcome" },
  getContentPageByPath: { ...request, pagePath: "welcome" },
  getReusableContent: { ...request, reusableContentId: "reusable_support" },
  getMember: member,
  updateMember: { ...member, body: { role: "read" } },
  markMemberSso: member,
  listMemberSpaces: member,
  createSamlProvider: { ...acme, body: { label: "New" } },
  getSamlProvider: saml,
  updateSamlProvider: { ...saml, body: { label: "Acme" } },
  createTranslation: { ...acme, body: { source: { space: "guides", language: "en" }, language: "it" } },
  getTranslation: translation,
  updateTranslation: { ...translation, body: { instructions } },
};

const rows = Object.entries(endpoints as Record<string, Endpoint>);
const compared = rows.flatMap(([row, { answers = {} }]) =>
  Object.entries(answers).flatMap(([place, properties]): [string, string, readonly string[]][] =>
    properties === none ? [] : [[row, place, [properties].flat()]],
  ),
);

/** The value with "other" where the path leads, in every element of an array. */
function changed(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return "other";
  if (Array.isArray(value)) return value.map((one) => changed(one, [name, ...rest]));
  const object = value as Record<string, unknown>;
  expect(object).toHaveProperty(name);
  return { ...object, [name]: changed(object[name], rest) };
}

it("there are calls for all of them", () => {
  expect([...new Set(compared.map(([row]) => row))].sort()).toEqual(Object.keys(calls).sort());
});

it.each(compared)("%s: an answer with another %s is not used", async (row, _place, properties) => {
  let lying = false;
  // "other" in the place of a number would be refused as a text; `withOtherNumber` changes the number.
  const changedProperties = properties.filter((property) => property !== "number");
  const { client, received } = await scriptedService(({ body }) =>
    lying
      ? changedProperties.reduce((all, property) => changed(all, property.split(".")), withOtherNumber(body))
      : body,
  );
  const call = () =>
    Promise.resolve((client as unknown as Record<string, (call: unknown) => unknown>)[row]?.(calls[row as RowName]));
  // The same call succeeds with an honest answer. A creation is not made twice.
  if (!row.startsWith("create")) await call();
  lying = true;
  const before = received.length;
  const error = await call().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(MismatchError);
  const { message } = error as Error;
  const said = message.replace(/^could not .*?: /, "could not WHAT: ").replace(/\(.*\)/, "(WHAT)");
  expect(said).toHaveWording("an answer about another object");
  const named = /\(.* is "other"( and number is 77)?, not ".*"\)/;
  // What people write may be a secret in the program of the other object.
  const unnamed = new RegExp(`\\(its ${properties[0]} is not the requested one(; its id is "\\w+")?\\)`);
  expect(message).toMatch(["title", "label", "path"].includes(properties[0] ?? "") ? unnamed : named);
  // A write may have been carried out, and is neither repeated nor taken for undone.
  const write = methodOf((endpoints as Record<string, Endpoint>)[row] as Endpoint) !== "GET";
  expect([mayHaveHappened(error), mayStillHappen(error)]).toEqual([write, write]);
  expect(received).toHaveLength(before + 1);
});

/** A change request with another number, because calls may name it by its number. Other answers stay as they are. */
function withOtherNumber(body: unknown): unknown {
  const isChangeRequest = (body as { object?: string }).object === "change-request";
  return isChangeRequest ? { ...(body as object), number: 77 } : body;
}

it("a change request is found by its number", async () => {
  const { client } = await scriptedService(({ body }) => body);
  const { number } = await client.getChangeRequest(request);
  expect((await client.getChangeRequest({ spaceId: "guides", changeRequestId: number })).id).toBe("cr_rollback");
});

it("each part of a path says which property of the answer repeats it, and each filter what it means", () => {
  for (const [row, { route, answers, reply, filters, query }] of rows) {
    const parameters = [...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const places = Object.keys(answers ?? {}).filter((place) => !place.startsWith("body."));
    expect([row, places.sort()]).toEqual([row, reply ? parameters.sort() : []]);
    const isList = query !== undefined && "limit" in query.shape && "page" in query.shape;
    const names = isList ? Object.keys(query.shape).filter((name) => !["page", "limit"].includes(name)) : [];
    if (row !== "searchSite") expect([row, Object.keys(filters ?? {}).sort()]).toEqual([row, names.sort()]);
  }
});

it("the compiler asks for what repeats a part of a path, and for what a filter means", () => {
  const route = "GET /v1/sites/{siteId}" as const;
  // @ts-expect-error: nothing says what repeats siteId
  endpoint({ route, does: "read", reply: liveSite });
  // @ts-expect-error: another parameter
  endpoint({ route, does: "read", reply: liveSite, answers: { site: "id" } satisfies Answers });
  endpoint({ route, does: "read", reply: liveSite, answers: { siteId: "id" } });
  const list = endpoints.listMembers;
  // @ts-expect-error: nothing says what the filters mean
  endpoint({ route: list.route, does: "list", query: list.query, reply: list.reply, answers: list.answers });
});

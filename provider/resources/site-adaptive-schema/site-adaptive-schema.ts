import { z } from "zod";
import { managementOf } from "../../access/management";
import { sitePart } from "../../access/subject";
import { givenId } from "../../api/groups/shared";
import { type AdaptiveJsonSchema, adaptiveJsonSchema, claim } from "../../api/groups/sites";
import { DocsError, isNotFound } from "../../api/http/errors";
import { defineResource } from "../../lifecycle/definition";
import type { Context } from "../../run/context";
import type { Properties } from "../../run/properties";
import { digest, Written, writesOf } from "../../run/writes";
import { organizationId } from "../shared/common";
import { itemsIn, nameOfItem, readStructure } from "../site/profile";
import { noSite, sitesOf } from "../site/site";
import {
  adaptiveSchemaReview,
  claimsIn,
  conditionUses,
  noClaims,
  sameClaims,
  sameSchema,
  schemaOf,
  typesByPath,
} from "./breaking";

/** The schema of the service stores the unsigned claims under `unsigned`, so a claim with that name would be lost. */
const claimName = z
  .string()
  .regex(/^(?!unsigned$)/, "use another name, or declare claims that nobody signed in unsignedClaims");

/** Whether these properties declare a schema in exactly one of the two ways. */
export function isOneSchema({ jsonSchema, claims, unsignedClaims }: Properties): boolean {
  const hasClaims = claims !== undefined || unsignedClaims !== undefined;
  return (jsonSchema !== undefined) !== hasClaims;
}

export const useOneSchema = "use either jsonSchema, or claims and unsignedClaims";

const inputs = z
  .strictObject({
    organizationId: organizationId.optional(),
    siteId: givenId.describe("Id of the site.").meta({ replacesUnlessLive: "siteId" }),
    jsonSchema: adaptiveJsonSchema
      .describe("The whole JSON Schema (draft-07), as in the API. Use either this, or `claims` and `unsignedClaims`.")
      .optional(),
    claims: z
      .record(claimName, claim)
      .describe(
        "Claims of a visitor by name, each with its type and description. The JSON Schema around them is generated. If omitted, the live ones stay.",
      )
      .optional(),
    unsignedClaims: z
      .record(z.string(), claim)
      .describe("Unsigned claims by name. If omitted, the live ones stay.")
      .optional(),
    allowBreaking: z
      .boolean()
      .describe("Allow a claim to be removed, or to get another type, although a condition of the site uses it.")
      .meta({ option: true })
      .optional(),
    onRelease: z
      .enum(["leave", "remove"])
      .describe(
        "What a deletion does, because the API cannot delete a schema: `leave` (changes nothing), or `remove` (removes all claims; the default).",
      )
      .meta({ option: true })
      .optional(),
  })
  .refine(isOneSchema, useOneSchema);

const part = "adaptive schema";

const equal = { jsonSchema: sameSchema, claims: sameClaims, unsignedClaims: sameClaims };

/**
 * What a site knows about its visitors, for content that adapts to them.
 *
 * @remarks
 * Its id is the id of the site.
 *
 * The API cannot delete a schema: `onRelease` decides what a deletion does. By default, the site has no claims afterwards.
 *
 * @example
 * ```ts
 * const handbook = new docs.Site("handbook", { title: "Handbook", adaptiveContent: { enabled: true } });
 *
 * new docs.SiteAdaptiveSchema("visitors", {
 *   siteId: handbook.id,
 *   claims: { beta: { type: "boolean", description: "Whether the visitor tests what is new." } },
 * });
 * ```
 */
export const siteAdaptiveSchema = defineResource({
  name: "SiteAdaptiveSchema",
  inputs,
  outputs: z.object({}),
  equal,
  review: adaptiveSchemaReview,
  audited: "adaptive-schema",
  sitePart: part,
  importable: (live: AdaptiveJsonSchema) => ({ jsonSchema: undefined, ...claimsIn(live) }),
  // Refuses a site that is missing.
  atPreview: (context, { siteId }, recorded) => (recorded ? Promise.resolve() : readPresent(context, siteId)),

  lifecycle: {
    create: async (context, { siteId }) => ({ id: siteId, live: await readPresent(context, siteId) }),

    observe: (context, siteId) => readAdaptiveSchema(context, siteId, noClaims),

    async *sync(context, siteId, live, declared) {
      const { claims, unsignedClaims } = claimsIn(live);
      const wanted =
        declared.jsonSchema ?? schemaOf(declared.claims ?? claims, declared.unsignedClaims ?? unsignedClaims);
      if (sameSchema(live, wanted)) return;
      if (declared.allowBreaking !== true) await refuseBreaking(context, siteId, live, wanted);
      yield await writeSchema(context, siteId, live, wanted);
    },

    values: (live) => ({ jsonSchema: live, ...claimsIn(live) }),

    outputs: () => ({}),

    async remove(context, siteId, recorded) {
      if (recorded.onRelease === "leave") return;
      if (managementOf(context.run).managerOf(sitePart(context.organizationId, siteId, part)))
        return context.run.tell(`the adaptive schema of site ${siteId} stays: another resource of this run manages it`);
      const live = await readAdaptiveSchema(context, siteId);
      if (live === undefined || sameSchema(live, noClaims)) return;
      if (sameSchema(await writeSchema(context, siteId, live, noClaims), noClaims)) return;
      throw new DocsError(
        `the adaptive schema of site ${siteId} still has claims, although the service reported success for its replacement; ` +
          "check the schema in the service, and run the command again",
      );
    },
  },
});

/** The live schema; `undefined` if the site is proven gone, and `ifNone` if the site has no schema. */
export function readAdaptiveSchema(
  context: Context,
  siteId: string,
  ifNone?: AdaptiveJsonSchema,
): Promise<AdaptiveJsonSchema | undefined> {
  const path = { organizationId: context.organizationId, siteId };
  return writtenSchema(context, siteId).read(async () => {
    try {
      return (await context.client.getSiteAdaptiveSchema(path)).jsonSchema;
    } catch (error) {
      if (!isNotFound(error)) throw error;
      const site = await sitesOf(context).find(siteId);
      return site && ifNone;
    }
  });
}

/** The schema of a site that must exist; one without a schema has no claims. */
async function readPresent(context: Context, siteId: string): Promise<AdaptiveJsonSchema> {
  const live = await readAdaptiveSchema(context, siteId, noClaims);
  if (!live) throw noSite(context, siteId);
  return live;
}

const writtenSchema = (context: Context, siteId: string) =>
  new Written(writesOf(context), "the adaptive schema of site", siteId, (schema: AdaptiveJsonSchema | undefined) =>
    digest(schema ?? noClaims),
  );

/** Replaces the schema. The answer has the live one. */
async function writeSchema(context: Context, siteId: string, live: AdaptiveJsonSchema, jsonSchema: AdaptiveJsonSchema) {
  const { client, organizationId } = context;
  const answer = await client.putSiteAdaptiveSchema({ organizationId, siteId, body: { jsonSchema } });
  writtenSchema(context, siteId).note(live, answer.jsonSchema);
  return answer.jsonSchema;
}

/** Refuses to remove a claim that a condition uses: the condition would silently hide content, or show it to everybody. */
async function refuseBreaking(context: Context, siteId: string, live: AdaptiveJsonSchema, wanted: AdaptiveJsonSchema) {
  const after = typesByPath(wanted);
  const broken = [...typesByPath(live)].filter(([path, type]) => after.get(path) !== type);
  if (broken.length === 0) return;
  const items = itemsIn((await readStructure(context, siteId)) ?? []);
  const uses = broken.flatMap(([path]) =>
    items
      .filter(({ condition }) => conditionUses(condition ?? "", path))
      .map((item) => `claim "${path}" is used by the condition of ${nameOfItem(item)}`),
  );
  if (uses.length === 0) return;
  throw new DocsError(
    `the adaptive schema of site ${siteId} is not changed: ${uses.join("; ")}; change the condition first, keep the claim, ` +
      "or declare allowBreaking: true",
  );
}

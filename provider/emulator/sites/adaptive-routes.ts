import type { AdaptiveJsonSchema, Claim } from "../../api/groups/sites";
import { Refusal } from "../http/errors";
import type { Routes } from "../http/route";
import type { SiteRecord } from "./record";
import { siteOf } from "./routes";

/** Adaptive schemas of sites, and the template conditions derived from them. */
export const siteAdaptiveRoutes = {
  getSiteAdaptiveSchema: (call) => schemaAnswer(siteOf(call)),

  putSiteAdaptiveSchema: (call) => {
    const site = siteOf(call);
    site.adaptiveSchema = { jsonSchema: call.body.jsonSchema, updatedAt: call.service.now().toISOString() };
    return schemaAnswer(site);
  },

  getTemplateConditions: (call) => {
    const schema = siteOf(call).adaptiveSchema;
    return { items: schema ? conditionsIn(schema.jsonSchema) : [] };
  },
} satisfies Partial<Routes>;

function schemaAnswer({ id, adaptiveSchema }: SiteRecord) {
  if (!adaptiveSchema) throw new Refusal(404, `site "${id}" has no adaptive schema`);
  return { object: "site-adaptive-schema" as const, ...adaptiveSchema };
}

interface TemplateCondition {
  readonly description: string;
  readonly condition: string;
}

function conditionsIn({ properties }: AdaptiveJsonSchema): TemplateCondition[] {
  return conditionsOf("visitor.claims", properties as Record<string, Claim>);
}

function conditionsOf(above: string, claims: Readonly<Record<string, Claim>>): TemplateCondition[] {
  return Object.entries(claims).flatMap(([name, claim]) => {
    const value = /^[A-Za-z_$][\w$]*$/.test(name) ? `${above}.${name}` : `${above}[${JSON.stringify(name)}]`;
    if (claim.type === "object") return conditionsOf(value, claim.properties ?? {});
    return [{ description: claim.description, condition: `${value} != null` }];
  });
}

import { z } from "zod";
import { organizationFile } from "../sections/schema";

/** The JSON Schema for editors: completion and checks while writing. Only the loader checks rules that compare several places. */
export function organizationJsonSchema(): Record<string, unknown> {
  const { $schema, ...schema } = z.toJSONSchema(organizationFile, { target: "draft-7", override: addEditorRules });
  return {
    $schema,
    $comment:
      'Generated; do not edit. For "teams: !include teams/*.yaml", add the tag to the settings of the editor: yaml.customTags: ["!include scalar"].',
    title: "organization.yaml of pulumi-docs-org",
    ...schema,
  };
}

interface Generated {
  zodSchema: z.core.$ZodType;
  jsonSchema: z.core.JSONSchema.BaseSchema;
}

/** Adds the patterns of map keys, and allows the pattern of an `!include` instead of a map. */
function addEditorRules({ zodSchema, jsonSchema }: Generated): void {
  const { description, ...ours } = z.globalRegistry.get(zodSchema) ?? {};
  for (const name of Object.keys(ours)) delete jsonSchema[name];
  if (ours.keys)
    jsonSchema.propertyNames = withoutDialect(z.toJSONSchema(ours.keys as z.ZodString, { target: "draft-7" }));
  if (ours.includable) Object.assign(jsonSchema, { type: ["object", "string"], pattern: "\\.ya?ml$" });
}

function withoutDialect({ $schema: _, ...schema }: z.core.JSONSchema.BaseSchema): z.core.JSONSchema.BaseSchema {
  return schema;
}

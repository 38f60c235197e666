import { z } from "zod";
import { organizationFile } from "../sections/schema";

/** For editors: completion and checks while the file is written. What needs more than one place to judge, only the loader finds. */
export function organizationJsonSchema(): Record<string, unknown> {
  const { $schema, ...schema } = z.toJSONSchema(organizationFile, { target: "draft-7", override: inEditors });
  return {
    $schema,
    $comment:
      'Generated; do not edit. For "teams: !include teams/*.yaml", tell the editor of the tag: yaml.customTags: ["!include scalar"].',
    title: "organization.yaml of pulumi-docs-org",
    ...schema,
  };
}

interface Generated {
  zodSchema: z.core.$ZodType;
  jsonSchema: z.core.JSONSchema.BaseSchema;
}

/** Keys of maps are held against their pattern, and the pattern of an include may stand in the place of a map. */
function inEditors({ zodSchema, jsonSchema }: Generated): void {
  const { description, ...ours } = z.globalRegistry.get(zodSchema) ?? {};
  for (const name of Object.keys(ours)) delete jsonSchema[name];
  if (ours.keys)
    jsonSchema.propertyNames = withoutDialect(z.toJSONSchema(ours.keys as z.ZodString, { target: "draft-7" }));
  if (ours.includable) Object.assign(jsonSchema, { type: ["object", "string"], pattern: "\\.ya?ml$" });
}

function withoutDialect({ $schema: _, ...schema }: z.core.JSONSchema.BaseSchema): z.core.JSONSchema.BaseSchema {
  return schema;
}

import { z } from "zod";
import { organizationFile } from "../provider/organization/sections/schema";

/** The JSON Schema for editors: completion and checks while writing. Only the loader checks rules that compare several places. */
export function organizationJsonSchema(): Record<string, unknown> {
  const { $schema, ...schema } = z.toJSONSchema(organizationFile, { target: "draft-7", override: addEditorRules });
  return {
    $schema,
    // No title: editors repeat it above the description of every property, once for each alternative.
    $comment:
      'Generated; do not edit. The schema of organization.yaml of pulumi-docs-org. For "teams: !include teams/*.yaml", add the tag to the ' +
      'settings of the editor: yaml.customTags: ["!include scalar"]. The schema of such a file ends with #/properties/teams.',
    ...schema,
  };
}

interface Generated {
  zodSchema: z.core.$ZodType;
  jsonSchema: z.core.JSONSchema.BaseSchema;
}

/** Allows the pattern of an `!include` instead of a map, and adds what editors show. */
function addEditorRules({ zodSchema, jsonSchema }: Generated): void {
  const { description, ...meta } = z.globalRegistry.get(zodSchema) ?? {};
  // zod copies everything that a schema registers. Editors know only the description.
  for (const name of Object.keys(meta)) delete jsonSchema[name];
  if (jsonSchema.pattern) addMessage(jsonSchema, ownMessage(zodSchema));
  if (meta.includable) {
    Object.assign(jsonSchema, { type: ["object", "string"], pattern: "\\.ya?ml$" });
    addMessage(jsonSchema, "use a map, or !include with a pattern of files that ends with .yaml or .yml");
  }
  if (jsonSchema.description?.includes("`")) jsonSchema.markdownDescription = jsonSchema.description;
}

/** Without a message, editors show the regular expression. */
function addMessage(jsonSchema: z.core.JSONSchema.BaseSchema, message: string | undefined): void {
  if (message !== undefined) jsonSchema.patternErrorMessage = message;
}

/** The message that the schema declares for a text that does not match. */
function ownMessage({ _zod: { def } }: z.core.$ZodType): string | undefined {
  const check = def.checks?.find((one) => "pattern" in one._zod.def);
  const message = (check?._zod.def.error ?? def.error)?.({ code: "invalid_format", input: "" } as never);
  return typeof message === "string" ? message : message?.message;
}

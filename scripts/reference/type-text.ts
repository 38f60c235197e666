import { z } from "zod";
import { changeRequest } from "../../provider/api/groups/change-requests";
import { member, memberSpace, memberTeam } from "../../provider/api/groups/members";
import { liveSamlProvider, signInProvider } from "../../provider/api/groups/saml";
import { semanticChange } from "../../provider/api/groups/semantic-changes";
import { block, richText } from "../../provider/api/groups/shared";
import { adaptiveJsonSchema, claim, liveSite, publishedSite, templateCondition } from "../../provider/api/groups/sites";
import { teamMember } from "../../provider/api/groups/teams";
import { liveTranslation } from "../../provider/api/groups/translations";
import { siteStructureOrder } from "../../provider/resources/site-structure-order/site-structure-order";

/** A type with a name: recursive types need one, and long types are easier to read with one. */
interface Named {
  readonly name: string;
  readonly schema: z.ZodType;
}

const schemas: readonly z.ZodType[] = [
  adaptiveJsonSchema,
  claim,
  richText,
  block,
  siteStructureOrder.inputs.shape.order.element,
  changeRequest,
  member,
  memberSpace,
  memberTeam,
  publishedSite,
  liveSamlProvider,
  semanticChange,
  signInProvider,
  liveSite,
  teamMember,
  templateCondition,
  liveTranslation,
];
const named = schemas.map((schema): Named => {
  const name = schema.meta()?.id;
  if (name === undefined) throw new Error(`a schema of type-text.ts has no name; add .meta({ id: "..." }) to it`);
  return { name, schema };
});

export function typeText(schema: z.ZodType, describe: Describe = () => ""): string {
  return namedOf(schema)?.name ?? spelledOut(schema, describe);
}

/** Returns the text before a property of an object, such as its doc comment. */
type Describe = (property: z.ZodType) => string;

/** The text of a type without its own name; types inside it keep their names. `unknown` includes `undefined`. */
export function spelledOut(schema: z.ZodType, describe: Describe = () => ""): string {
  const inner = (one: z.core.$ZodType) => typeText(one as z.ZodType, describe);
  const { def } = (schema as unknown as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "string":
    case "number":
    case "boolean":
    case "unknown":
      return def.type;
    case "literal":
      return def.values.map((value) => JSON.stringify(value)).join(" | ");
    case "enum":
      return Object.values(def.entries)
        .map((value) => JSON.stringify(value))
        .join(" | ");
    case "union":
      return def.options.map(inner).join(" | ");
    case "nullable":
      return `${inner(def.innerType)} | null`;
    case "optional":
      return inner(def.innerType).replace(/^(?!unknown$).*$/s, "$& | undefined");
    case "pipe":
      return inner(def.out);
    case "array":
      return inner(def.element)
        .replace(/^.* \| .*$/s, "($&)")
        .concat("[]");
    case "record":
      return `Record<string, ${inner(def.valueType)}>`;
    case "object":
      return objectText(def, describe);
    default:
      throw new Error(`cannot write the type of a schema of the kind ${def.type}; add it to type-text.ts`);
  }
}

function objectText({ shape, catchall }: z.core.$ZodObjectDef, describe: Describe): string {
  const rest =
    catchall && catchall._zod.def.type !== "never" ? [`[name: string]: ${typeText(catchall as z.ZodType)}`] : [];
  const properties = Object.entries(shape).map(([name, property]) =>
    // Doc comments need lines of their own.
    propertyText(name, property as z.ZodType, describe).replace(/^\/\*\*/, "\n$&"),
  );
  return `{ ${[...properties, ...rest].join("; ")} }`;
}

export function propertyText(name: string, property: z.ZodType, describe: Describe = () => ""): string {
  const mark = property instanceof z.ZodOptional ? "?" : "";
  return `${describe(property)}${name}${mark}: ${typeText(property, describe)}`;
}

/** The named types that a type text uses. */
export function namedIn(text: string): Named[] {
  return named.filter(({ name }) => new RegExp(`\\b${name}\\b`).test(text.replace(/"[^"]*"/g, "")));
}

/** A schema that was derived from a named one by a description or a limit still has the name. */
export function namedOf(schema: z.core.$ZodType | undefined): Named | undefined {
  if (schema === undefined) return undefined;
  return named.find((one) => one.schema === schema) ?? namedOf(schema._zod.parent);
}

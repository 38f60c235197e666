import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { releases } from "../../provider/access-plan/release";
import { changeRequestStatuses } from "../../provider/api/groups/change-requests";
import { roles, teamRoles } from "../../provider/api/groups/shared";
import { agentsContexts, siteTypes, siteVisibilities } from "../../provider/api/groups/sites";
import { descriptionOf } from "../reference/description";
import { anyObject, anything, type EnumSpec, type ObjectSpec, type PropertySpec, type TypeSpec } from "./spec";

/** Names of enums that several properties have. Other enums are named after their property. */
const valueNames: Readonly<Record<string, readonly string[]>> = {
  Role: [...roles, "guest"],
  Release: releases,
  TeamRole: teamRoles,
  SiteType: siteTypes,
  SiteVisibility: siteVisibilities,
  AgentsContext: agentsContexts,
  ChangeRequestStatus: changeRequestStatuses,
};

/** What values mean, for properties whose description does not say it in parentheses after the value. */
const valueTexts: Readonly<Record<string, string>> = {
  admin: "Manages content, such as creating and deleting spaces.",
  create: "Creates content.",
  review: "Reviews content.",
  edit: "Edits content.",
  comment: "Reads content and takes part in discussions.",
  read: "Reads content.",
  guest: "Has no role in the organization.",
  owner: "Manages the members of the team.",
  member: "Belongs to the team.",
  restore: "Restores the previous role.",
  leave: "Leaves everything as it is.",
  remove: "Removes the person.",
  draft: "Not yet open.",
  open: "Open for reviews.",
  archived: "Closed without a merge.",
  merged: "Merged into the content of the space.",
  excluded: "Agents cannot access the site.",
  included: "Agents can access the site.",
  boolean: "True or false.",
  string: "A text.",
  number: "A number.",
  array: "A list.",
  object: "An object.",
};

/** What a schema is for. The service may add values to what it answers, so an enum in a result is a text. */
type Use = "input" | "result";

/** Translates schemas into types of the package schema, and collects the types that need a name. */
export class Types {
  private readonly begun = new Map<string, z.core.$ZodType>();
  /** The description of the property that is being translated. Types inside it without a description of their own get this one. */
  private outerDescription = "";

  constructor(
    private readonly use: Use,
    readonly named = new Map<string, ObjectSpec | EnumSpec>(),
  ) {}

  /** The properties of an object, each named after its place if it needs a name. */
  properties(object: z.ZodObject, place: string): Record<string, PropertySpec> {
    const entries = Object.entries(object.shape).map(([name, schema]) => [
      name,
      this.property(schema as z.ZodType, place + capitalized(name)),
    ]);
    return Object.fromEntries(entries);
  }

  /** An object type without a name, such as the arguments of a function. */
  object(object: z.ZodObject, place: string): ObjectSpec {
    return objectSpec(this.properties(object, place), this.required(object));
  }

  /** The properties that must be declared or, in a result, that always have a value. */
  required({ shape }: z.ZodObject): string[] {
    const isRequired = (schema: z.ZodType): boolean =>
      this.use === "input" ? !(schema instanceof z.ZodOptional) : bare(schema) === schema;
    return Object.keys(shape).filter((name) => isRequired(shape[name] as z.ZodType));
  }

  objectNamed({ $ref = "" }: TypeSpec): ObjectSpec {
    const type = this.named.get($ref.replace(typePrefix, ""));
    if (!type || "enum" in type) throw new Error(`${$ref} is not an object`);
    return type;
  }

  private property(schema: z.ZodType, place: string): PropertySpec {
    const { replacesUnlessLive } = bare(schema).meta() ?? {};
    const literal = textLiteral(schema);
    const description = descriptionOf(schema) || (literal === undefined ? "" : `Always \`${literal}\`.`);
    const before = this.outerDescription;
    this.outerDescription = description || before;
    const type = this.type(schema, place);
    this.outerDescription = before;
    return {
      ...type,
      ...(literal !== undefined && { const: literal }),
      ...(description !== "" && { description }),
      ...(replacesUnlessLive !== undefined && { willReplaceOnChanges: true as const }),
    };
  }

  type(schema: z.core.$ZodType, place: string): TypeSpec {
    const { def } = (schema as unknown as z.core.$ZodTypes)._zod;
    switch (def.type) {
      case "string":
      case "boolean":
        return { type: def.type };
      case "number":
        return { type: schema instanceof z.ZodNumber && schema.format?.includes("int") ? "integer" : "number" };
      case "unknown":
        return anything;
      case "literal":
        return { type: typeof def.values[0] as "string" | "boolean" };
      case "enum":
        return this.enum(Object.values(def.entries).map(String), place);
      case "optional":
      case "nullable":
        return this.type(def.innerType, place);
      case "pipe":
        return this.type(def.out, place);
      case "array":
        return { type: "array", items: this.type(def.element, singular(place)) };
      case "record":
        return { type: "object", additionalProperties: this.type(def.valueType, singular(place)) };
      case "object":
        return this.objectType(schema as z.ZodObject, place);
      case "union":
        return this.union(schema as z.ZodUnion, place);
      default:
        throw new Error(`${place}: a schema of the kind ${def.type} has no type; add it to package-schema/types.ts`);
    }
  }

  private enum(values: readonly string[], place: string): TypeSpec {
    if (this.use === "result") return { type: "string" };
    const [shared] = Object.entries(valueNames).find(([, known]) => isDeepStrictEqual(known, values)) ?? [];
    const name = shared ?? place;
    const description = this.named.get(name)?.description ?? this.outerDescription;
    this.named.set(name, { type: "string", description, enum: values.map((value) => enumValue(value, description)) });
    return typeReference(name);
  }

  private objectType(schema: z.ZodObject, place: string): TypeSpec {
    if (isOpen(schema)) return anyObject;
    return this.namedType(schema, place, (name) => this.object(schema, name));
  }

  /** A type with a name. A recursive one refers to itself while it is made. */
  private namedType(schema: z.core.$ZodType, place: string, make: (name: string) => ObjectSpec): TypeSpec {
    const id = idOf(schema);
    const name = id ?? place;
    const known = this.begun.get(name);
    if (known && id === undefined) throw new Error(`two types would be named ${name}; give one of them meta({ id })`);
    if (known) return typeReference(name);
    this.begun.set(name, schema);
    const description = (schema as z.ZodType).description ?? this.outerDescription;
    this.named.set(name, { ...make(name), ...(description !== "" && { description }) });
    return typeReference(name);
  }

  private union(schema: z.ZodUnion, place: string): TypeSpec {
    const options = (schema.options as z.ZodType[]).filter((option) => !(option instanceof z.ZodNull));
    const values = options.map(valuesOf);
    if (values.every((found) => found !== undefined)) return this.enum(values.flat(), place);
    const objects = options.filter((option) => option instanceof z.ZodObject);
    const merged = objects.length === options.length ? this.merged(schema, objects, place) : undefined;
    if (merged) return merged;
    const [only, ...others] = objects;
    // The name of a union belongs to its only object.
    if (only && others.length === 0) {
      const name = idOf(schema) ?? place;
      const parts = options.map((option) =>
        option === only ? this.onlyObject(schema, only, name) : this.type(option, place),
      );
      return oneOf(parts);
    }
    const parts = options.map((option) => this.type(option, place + capitalized(valueIn(option) ?? "")));
    return { ...oneOf(parts), ...discriminatorOf(options, parts) };
  }

  private onlyObject(union: z.ZodUnion, only: z.ZodObject, place: string): TypeSpec {
    if (isOpen(only) || idOf(only) !== undefined) return this.type(only, place);
    return this.namedType(union, place, (name) => this.object(only, name));
  }

  /** Alternatives that have names, or properties of one name but different types, stay alternatives. Others become one type. */
  private merged(union: z.ZodUnion, options: readonly z.ZodObject[], place: string): TypeSpec | undefined {
    if (options.some((option) => isOpen(option) || idOf(option) !== undefined)) return undefined;
    if (haveConflict(options)) return undefined;
    return this.namedType(union, place, (name) => {
      const all: Record<string, PropertySpec> = {};
      for (const option of options) Object.assign(all, this.properties(option, name));
      const tag = tagOf(options);
      if (tag) {
        const type = this.enum(
          options.flatMap((option) => valuesOf(option.shape[tag] as z.ZodType) ?? []),
          name + capitalized(tag),
        );
        all[tag] = { ...type, description: "Which of the alternatives it is." };
      }
      const everywhere = Object.keys(all).filter((key) =>
        options.every((option) => this.required(option).includes(key)),
      );
      return objectSpec(all, everywhere);
    });
  }
}

function enumValue(value: string, text: string): EnumSpec["enum"][number] {
  // As in "`draft` (not yet open)".
  const aside = text.split(`\`${value}\` (`)[1]?.split(")")[0];
  const description = aside === undefined ? valueTexts[value] : `${capitalized(aside[0] ?? "")}${aside.slice(1)}.`;
  return { name: capitalized(value), value, description: description ?? `The value \`${value}\`.` };
}

const typePrefix = "#/types/docs:index:";
export const typeReference = (name: string): TypeSpec => ({ $ref: `${typePrefix}${name}` });

export const capitalized = (text: string): string =>
  text.replace(/(?:^|\W+)(\w?)/g, (_, first: string) => first.toUpperCase());

const singular = (place: string): string => place.replace(/([^s])s$/, "$1");

/** The schema without `optional` and `nullable`. */
export function bare(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return bare(schema.unwrap() as z.ZodType);
  return schema;
}

/** The name that a schema was given, also if it was described or limited since. */
function idOf(schema: z.core.$ZodType | undefined): string | undefined {
  if (schema === undefined) return undefined;
  return z.globalRegistry.get(schema)?.id ?? idOf(schema._zod.parent);
}

/** Whether an object has properties without names, or with names that no language can have. */
function isOpen({ def, shape }: z.ZodObject): boolean {
  const { catchall } = def;
  if (catchall && catchall._zod.def.type !== "never") return true;
  return Object.keys(shape).some((name) => !/^[A-Za-z]\w*$/.test(name));
}

function objectSpec(properties: Record<string, PropertySpec>, required: readonly string[]): ObjectSpec {
  return { type: "object", properties, ...(required.length > 0 && { required }) };
}

function textLiteral(schema: z.ZodType): string | undefined {
  const [value, ...others] = schema instanceof z.ZodLiteral ? [...schema.values] : [];
  return typeof value === "string" && others.length === 0 ? value : undefined;
}

/** The values of an enum or of literals that are texts. */
function valuesOf(schema: z.ZodType): string[] | undefined {
  if (schema instanceof z.ZodEnum) return schema.options.map(String);
  const values = schema instanceof z.ZodLiteral ? [...schema.values] : [];
  return values.length > 0 && values.every((value) => typeof value === "string") ? values.map(String) : undefined;
}

/** The property that tells alternatives apart: each has other texts for it. */
function tagOf(options: readonly z.ZodObject[]): string | undefined {
  return Object.keys(options[0]?.shape ?? {}).find((name) => {
    const values = options.map(({ shape }) => shape[name] && valuesOf(shape[name] as z.ZodType));
    const all = values.flat();
    return values.every((found) => found !== undefined) && new Set(all).size === all.length;
  });
}

function haveConflict(options: readonly z.ZodObject[]): boolean {
  const tag = tagOf(options);
  const names = new Set(options.flatMap(({ shape }) => Object.keys(shape)));
  return [...names].some((name) => {
    const found = options.flatMap(({ shape }) => (shape[name] ? [bare(shape[name] as z.ZodType)] : []));
    const kinds = new Set(found.map((schema) => schema.def.type));
    // Two lists may have different items.
    return name !== tag && (kinds.size > 1 || (kinds.has("array") && found.length > 1));
  });
}

function valueIn(option: z.ZodType): string | undefined {
  if (!(option instanceof z.ZodObject)) return undefined;
  return Object.values(option.shape)
    .map((schema) => textLiteral(schema as z.ZodType))
    .find((text) => text !== undefined);
}

function oneOf(parts: readonly TypeSpec[]): TypeSpec {
  const different = parts.filter((part, index) => parts.findIndex((other) => isDeepStrictEqual(other, part)) === index);
  const [only, ...others] = different;
  return only && others.length === 0 ? only : { oneOf: different };
}

function discriminatorOf(options: readonly z.ZodType[], parts: readonly TypeSpec[]): Pick<TypeSpec, "discriminator"> {
  const objects = options.filter((option) => option instanceof z.ZodObject);
  const propertyName = objects.length === options.length ? tagOf(objects) : undefined;
  if (propertyName === undefined) return {};
  const mapping = objects.flatMap(({ shape }, index) =>
    (valuesOf(shape[propertyName] as z.ZodType) ?? []).map((value) => [value, parts[index]?.$ref ?? ""]),
  );
  return { discriminator: { propertyName, mapping: Object.fromEntries(mapping) } };
}

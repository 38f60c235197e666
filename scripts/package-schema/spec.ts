export interface TypeSpec {
  readonly type?: "string" | "number" | "integer" | "boolean" | "array" | "object";
  readonly $ref?: string;
  readonly items?: TypeSpec;
  readonly additionalProperties?: TypeSpec;
  readonly oneOf?: readonly TypeSpec[];
  readonly discriminator?: { readonly propertyName: string; readonly mapping: Readonly<Record<string, string>> };
}

export interface PropertySpec extends TypeSpec {
  readonly description?: string;
  readonly const?: string;
  readonly secret?: true;
  readonly willReplaceOnChanges?: true;
}

export interface ObjectSpec {
  readonly type: "object";
  readonly description?: string;
  readonly properties: Readonly<Record<string, PropertySpec>>;
  readonly required?: readonly string[];
}

export interface EnumSpec {
  readonly type: "string";
  readonly description?: string;
  /** The name is what SDKs call the value. */
  readonly enum: readonly { readonly name: string; readonly value: string; readonly description: string }[];
}

export interface ResourceSpec {
  readonly description: string;
  readonly isComponent?: true;
  readonly inputProperties: Readonly<Record<string, PropertySpec>>;
  readonly requiredInputs: readonly string[];
  readonly properties: Readonly<Record<string, PropertySpec>>;
  readonly required: readonly string[];
  readonly aliases?: readonly { readonly type: string }[];
}

export interface FunctionSpec {
  readonly description: string;
  readonly inputs: ObjectSpec;
  readonly outputs: ObjectSpec;
}

export interface PackageSpec {
  readonly name: string;
  readonly version: string;
  readonly displayName: string;
  readonly description: string;
  readonly keywords: readonly string[];
  readonly license: string;
  readonly publisher: string;
  readonly meta: { readonly supportPack: true };
  readonly config: { readonly variables: Readonly<Record<string, PropertySpec>> };
  readonly provider: Omit<ResourceSpec, "aliases" | "isComponent">;
  readonly types: Readonly<Record<string, ObjectSpec | EnumSpec>>;
  readonly resources: Readonly<Record<string, ResourceSpec>>;
  readonly functions: Readonly<Record<string, FunctionSpec>>;
  readonly language: Readonly<Record<string, object>>;
}

/** The name of a resource, a function or a type for the engine. */
export const tokenOf = (name: string): string => `docs:index:${name}`;

export const anything: TypeSpec = { $ref: "pulumi.json#/Any" };
/** An object with properties that the schema does not name. */
export const anyObject: TypeSpec = { type: "object", additionalProperties: anything };

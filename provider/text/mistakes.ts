import { distance } from "fastest-levenshtein";
import { z } from "zod";
import { cut } from "./masking";
import { counted } from "./safe-text";
import { escaped } from "./visible";

declare module "zod" {
  interface GlobalMeta {
    /** Messages do not show the value of the property. */
    concealed?: true;
  }
}

/** Describes a mistake: what was found, what is allowed, what to do. */
export interface Mistake {
  readonly path: readonly PropertyKey[];
  readonly text: string;
  /** The name is wrong where it stands, so it is a mistake even if the value is not known yet, and a report points at the name. */
  readonly isAboutName?: true;
}

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

interface Options {
  /** Only the first mistakes, because each item of a list may have one. */
  readonly most?: number;
  /** Properties whose value no text shows, nor the names inside that value. */
  readonly secrets?: ReadonlySet<string>;
}

/** All mistakes in `value` according to the schema; for a union, those of the alternative that fits best. */
export function mistakesIn(schema: z.ZodType, value: unknown, { most, secrets }: Options = {}): Mistake[] {
  const isSecret = ([name]: Path) => secrets?.has(String(name)) ?? false;
  const result = schema.safeParse(value);
  if (result.success) return [];
  const issues = dropFollowUps(result.error.issues.slice(0, most));
  return issues.flatMap((issue) => explain({ issue, above: [], schema, value, isSecret }));
}

/** Drops the other mistakes of a value of the wrong type: zod also compares the number of items in a list with the length of a text. */
function dropFollowUps(issues: readonly Issue[]): Issue[] {
  const place = ({ path }: Issue) => JSON.stringify(path);
  const wrong = new Set(issues.filter(({ code }) => code === "invalid_type").map(place));
  return issues.filter((issue) => issue.code === "invalid_type" || !wrong.has(place(issue)));
}

/** All mistakes in one line: `title: found "a" (1 character); use 2 to 128 characters`. */
export function inOneLine(mistakes: readonly Mistake[]): string {
  return mistakes.map(({ path, text }) => (path.length > 0 ? `${dotted(path)}: ${text}` : text)).join("; ");
}

/** `a.b[2].c`, as a program would write it. */
export function dotted(path: Path): string {
  let text = "";
  for (const key of path) {
    const name = String(key);
    const isPlain = /^[A-Za-z_$][\w$]*$/.test(name) && name.length <= longestShown;
    if (typeof key === "number") text += `[${key}]`;
    else if (!isPlain) text += `[${quoted(name)}]`;
    else text += text ? `.${name}` : name;
  }
  return text;
}

/** Maximum number of characters of a name or value in a message. */
const longestShown = 60;

/** Shortens a text, and escapes invisible characters. */
export function quoted(text: string): string {
  return escaped(JSON.stringify(cut(text, longestShown, "...")));
}

/** The name that the user probably meant: it differs least, by at most two characters or a third of a long word. */
export function nearest(word: string, names: readonly string[]): string | undefined {
  const distanceTo = (name: string) => distance(word.toLowerCase(), name.toLowerCase());
  const best = names.toSorted((a, b) => distanceTo(a) - distanceTo(b))[0];
  const limit = Math.min(word.length - 1, Math.max(2, Math.floor(word.length / 3)));
  return best !== undefined && distanceTo(best) <= limit ? best : undefined;
}

/** As `nearest`, for users. The parts before the `@` must be near each other too, because a common domain alone makes e-mails similar. */
export function nearestUser(user: string, users: readonly string[]): string | undefined {
  const local = (name: string) => name.split("@", 1)[0] ?? name;
  const guess = nearest(user, users);
  return guess !== undefined && nearest(local(user), [local(guess)]) !== undefined ? guess : undefined;
}

export function valueAt(value: unknown, path: Path): unknown {
  let inner = value;
  for (const key of path) inner = typeof inner === "object" && inner !== null ? Reflect.get(inner, key) : undefined;
  return inner;
}

/** An issue with the value and the schema in which it was found. */
interface Explained {
  issue: Issue;
  above: Path;
  schema: z.ZodType;
  value: unknown;
  isSecret: (path: Path) => boolean;
}

function explain({ issue, above, schema, value, isSecret }: Explained): Mistake[] {
  const path = [...above, ...issue.path];
  const found = valueAt(value, path);
  if (issue.code === "unrecognized_keys") {
    const names = propertiesAt(schema, path);
    const text = (key: string) => (isSecret(path) ? unknownInside(names) : unknownProperty(key, names));
    return issue.keys.map((key) => ({ path: [...path, key], text: text(key), isAboutName: true }));
  }
  if (issue.code === "invalid_union") {
    const best = bestFitting(issue.errors);
    if (best)
      return dropFollowUps(best).flatMap((inner) => explain({ issue: inner, above: path, schema, value, isSecret }));
  }
  if (issue.code === "invalid_key") {
    const [wrong] = issue.issues;
    const use = wrong ? allowedWords(wrong, [], undefined) : issue.message;
    const name = String(path.at(-1));
    return [{ path, text: `found ${isSecret(path) ? size(name) : quoted(name)}; ${use}`, isAboutName: true }];
  }
  const schemas = schemasAt(schema, path);
  const isConcealed = isSecret(path) || schemas.some((one) => one.meta()?.concealed);
  const use = allowedWords(issue, schemas, isConcealed ? undefined : found);
  if (found === undefined) return [{ path, text: `missing; ${use}` }];
  const isLength = issue.code === "too_small" || issue.code === "too_big";
  const text = isLength ? shownWithLength(found) : shownValue(found);
  return [{ path, text: `found ${isConcealed ? size(found) : text}; ${use}` }];
}

/** The alternative that fits best: first of the right type, then with its mistakes deepest inside, then with the fewest. */
function bestFitting(alternatives: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  const depth = (issues: readonly Issue[]) => Math.min(...issues.map((issue) => issue.path.length));
  const isOtherType = (issues: readonly Issue[]) =>
    issues.some((issue) => issue.code === "invalid_type" && issue.path.length === 0);
  const ofType = alternatives.filter((issues) => !isOtherType(issues));
  const candidates = ofType.length > 0 ? ofType : alternatives;
  return candidates.toSorted((a, b) => depth(b) - depth(a) || a.length - b.length)[0];
}

function unknownProperty(key: string, names: readonly string[]): string {
  const guess = nearest(key, names);
  return `there is no such property; ${guess ? `did you mean "${guess}"?` : removal(names)}`;
}

/** For a property inside a secret, whose name must not be shown either. */
const unknownInside = (names: readonly string[]): string => `a property in it does not exist; ${removal(names)}`;

const removal = (names: readonly string[]): string =>
  `remove it${names.length > 0 ? ` or use one of ${names.join(", ")}` : ""}`;

function allowedWords(issue: Issue, schemas: readonly z.ZodType[], found: unknown): string {
  if (issue.code === "too_small" || issue.code === "too_big") return range(schemas) ?? `use ${issue.message}`;
  // A schema with a message of its own begins it with "use ...".
  if (issue.message.startsWith("use ")) return issue.message;
  if (issue.code === "invalid_value") return oneOf(issue.values, found);
  if (issue.code === "invalid_type") return `use ${typeWords(issue.expected, schemas)}`;
  if (issue.code === "invalid_union") return oneOf(discriminators(schemas), undefined);
  if (issue.code === "invalid_format") return `use ${format(issue)}`;
  return issue.message;
}

function oneOf(values: readonly unknown[], found: unknown): string {
  const names = values.map((value) => JSON.stringify(value)).join(", ");
  const texts = values.filter((value) => typeof value === "string");
  const guess = typeof found === "string" ? nearest(found, texts) : undefined;
  return `use ${values.length === 1 ? "" : "one of "}${names}${guess ? `; did you mean "${guess}"?` : ""}`;
}

const typeNames: Readonly<Record<string, string>> = { record: "object", int: "whole number", nonoptional: "value" };

function typeWords(expected: string, schemas: readonly z.ZodType[]): string {
  const values = schemas.find((schema) => schema instanceof z.ZodEnum)?.options;
  if (values) return `one of ${values.map((value) => JSON.stringify(value)).join(", ")}`;
  const type = typeNames[expected] ?? expected;
  if (type === "null") return type;
  return `${/^[aeio]/.test(type) ? "an" : "a"} ${type}`;
}

const formats: Record<string, string> = {
  url: 'an absolute URL such as "https://www.acme.test/"',
  datetime: 'a date and time such as "2027-01-31T12:00:00Z"',
  email: "an e-mail address",
};

function format(issue: Issue & { code: "invalid_format" }): string {
  // A pattern with a message of its own does not begin it with "Invalid".
  if (issue.format === "regex" && issue.message.startsWith("Invalid")) return `text that matches ${issue.pattern}`;
  return formats[issue.format] ?? issue.message;
}

function range(schemas: readonly z.ZodType[]): string | undefined {
  for (const schema of schemas) {
    if (schema instanceof z.ZodString) return lengthWords(schema.minLength, schema.maxLength, "character");
    if (schema instanceof z.ZodNumber) return lengthWords(finite(schema.minValue), finite(schema.maxValue), "");
  }
  return undefined;
}

function lengthWords(least: number | null, most: number | null, unit: string): string {
  const units = unit && ` ${unit}${(most ?? least) === 1 ? "" : "s"}`;
  if (least !== null && most !== null) return `use ${least} to ${most}${units}`;
  return least !== null ? `use at least ${least}${units}` : `use at most ${most}${units}`;
}

/** zod gives each whole number the largest safe integers as bounds. Messages do not name these. */
const finite = (bound: number | null) => (bound !== null && Math.abs(bound) < Number.MAX_SAFE_INTEGER ? bound : null);

/** All schemas that apply at the path: more than one inside a union. */
function schemasAt(schema: z.ZodType, path: Path): z.ZodType[] {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodUnion) return inner.options.flatMap((option) => schemasAt(option as z.ZodType, path));
  const [key, ...rest] = path;
  if (key === undefined) return [inner];
  const next = childOf(inner, key);
  return next ? schemasAt(next, rest) : [];
}

function childOf(schema: z.ZodType, key: PropertyKey): z.ZodType | undefined {
  if (schema instanceof z.ZodObject) return schema.shape[String(key)] ?? (schema.def.catchall as z.ZodType | undefined);
  if (schema instanceof z.ZodArray) return schema.element as z.ZodType;
  if (schema instanceof z.ZodRecord) return schema.valueType as z.ZodType;
  return undefined;
}

function unwrap(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodLazy)
    return unwrap(schema.unwrap() as z.ZodType);
  return schema;
}

function propertiesAt(schema: z.ZodType, path: Path): string[] {
  const objects = schemasAt(schema, path).filter((one) => one instanceof z.ZodObject);
  return [...new Set(objects.flatMap((object) => Object.keys(object.shape)))];
}

/** The values of `type`, `mode`, ... that tell the alternatives of a union apart. */
function discriminators(schemas: readonly z.ZodType[]): unknown[] {
  return schemas.flatMap((schema) => (schema instanceof z.ZodLiteral ? [...schema.values] : []));
}

function size(value: unknown): string {
  if (typeof value === "string") return `a text of ${counted(value.length, "character")}`;
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/** Shows a value in a message, shortened. */
export const shownValue = (value: unknown): string =>
  typeof value === "string" ? quoted(value) : cut(JSON.stringify(value) ?? String(value), 80, "...");

/** For a value whose length is the mistake. */
export const shownWithLength = (value: unknown): string =>
  typeof value === "string" ? `${quoted(value)} (${counted(value.length, "character")})` : shownValue(value);

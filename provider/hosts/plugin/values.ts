import { status } from "@grpc/grpc-js";
import { ListValue, NullValue, Struct, Value } from "google-protobuf/google/protobuf/struct_pb.js";
import { compareKeys } from "../../people/user";
import { type Properties, propertiesIn, unknownValue } from "../../run/properties";
import { CallError } from "./call-error";
import { entriesInBytes, entriesOfStruct, fieldsOf } from "./struct-bytes";

/** The key that marks an object as a special value of the engine. The marks below are those of 3.259. */
const signature = "4dabf18193072939515e22adb298388d";
const marks = {
  secret: "1b47061264138c4ac30d75fd1eb44270",
  output: "d0e6a833031e9bbcd3f4e8bde6ca49a4",
  resource: "5cf8f73096256a8f31e491e813e4eb8e",
} as const;
/** The engine's placeholders for unknown values; which one it sends depends on the type. */
const unknownMarks: ReadonlySet<string> = new Set([
  unknownValue,
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
  "030794c1-ac77-496b-92df-f27374a8bd58",
  "e48ece36-62e2-4504-bad9-02848725956a",
]);

/** Deeper values are refused before they exhaust the stack. The schemas allow far less. */
const deepest = 200;

/** Plain values, and which of the properties contain a secret. */
export interface Received {
  readonly properties: Properties;
  readonly secrets: ReadonlySet<string>;
}

/** Received properties, and what no message may show. */
export interface ReceivedTexts extends Received {
  /** The texts in the secrets, also names in an object. */
  readonly secretTexts: ReadonlySet<string>;
}

export type Receive = (struct: Struct | undefined) => ReceivedTexts;

/** Reads properties that the engine sends. Unknown values of every type become `unknownValue`. */
export function readStruct(struct: Struct | undefined): ReceivedTexts {
  const secrets = new Set<string>();
  const secretTexts = new Set<string>();
  const entries: [string, unknown][] = [];
  for (const [name, value] of entriesOfStruct(struct)) {
    const secretsInside: unknown[] = [];
    entries.push([name, plainOf(value, [name], secretsInside)]);
    if (secretsInside.length > 0) secrets.add(name);
    for (const secret of secretsInside) addTexts(secret, secretTexts);
  }
  return { properties: sortEntries(entries), secrets, secretTexts };
}

function addTexts(value: unknown, texts: Set<string>): void {
  if (typeof value === "string" && value !== unknownValue) texts.add(value);
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) for (const name of Object.keys(value)) texts.add(name);
  for (const inner of Object.values(value)) addTexts(inner, texts);
}

/** The plain value. Adds the secrets in it to `secrets`. `path` has the names of properties and the numbers of items that lead to it. */
function plainOf(bytes: Uint8Array, path: string[], secrets: unknown[]): unknown {
  if (path.length > deepest) throw invalid(path.slice(0, 3), `it is nested deeper than ${deepest} levels`);
  for (const [kind, value] of fieldsOf(bytes)) {
    if (kind === kinds.STRING_VALUE) return knownText(value.readString());
    if (kind === kinds.NULL_VALUE) return null;
    if (kind === kinds.BOOL_VALUE) return value.readBool();
    if (kind === kinds.NUMBER_VALUE) return value.readDouble();
    if (kind === kinds.LIST_VALUE) return itemsIn(value.readBytes(), path, secrets);
    if (kind === kinds.STRUCT_VALUE) return objectOf(propertiesOf(value.readBytes(), path, secrets), path, secrets);
  }
  throw invalid(path, "it has no value of a known kind");
}

const kinds = Value.KindCase;
const knownText = (text: string): string => (unknownMarks.has(text) ? unknownValue : text);

function itemsIn(list: Uint8Array, path: string[], secrets: unknown[]): unknown[] {
  const items: unknown[] = [];
  for (const [, item] of fieldsOf(list)) items.push(innerOf(String(items.length), item.readBytes(), path, secrets));
  return items;
}

function propertiesOf(struct: Uint8Array, path: string[], secrets: unknown[]): Properties {
  const entries: [string, unknown][] = [];
  for (const [name, value] of entriesInBytes(struct)) entries.push([name, innerOf(name, value, path, secrets)]);
  return sortEntries(entries);
}

/** Sorts properties by name: the engine sends them in any order, and the service keeps their order in a JSON Schema. */
const sortEntries = (entries: [name: string, value: unknown][]): Properties =>
  Object.fromEntries(entries.sort(([one], [other]) => compareKeys(one, other)));

function innerOf(name: string, value: Uint8Array, path: string[], secrets: unknown[]): unknown {
  path.push(name);
  const plain = plainOf(value, path, secrets);
  path.pop();
  return plain;
}

function objectOf(fields: Properties, path: readonly string[], secrets: unknown[]): unknown {
  if (!Object.hasOwn(fields, signature)) return fields;
  const { [signature]: mark, value = unknownValue, id = unknownValue, secret } = fields;
  if (mark === marks.secret || mark === marks.output) {
    if (mark === marks.secret || secret === true) secrets.push(value);
    return value;
  }
  if (mark === marks.resource) return id;
  throw invalid(path, "it is an asset, an archive or a special value of a newer engine");
}

function invalid(path: readonly string[], what: string): CallError {
  return new CallError(status.INVALID_ARGUMENT, `the value of ${path.join(".")} cannot be used: ${what}`);
}

/** Makes what is sent to the engine. Properties in `secrets` are marked, so that the engine encrypts them. */
export function toStruct(properties: Properties, secrets: ReadonlySet<string> = new Set()): Struct {
  const struct = new Struct();
  const fields = struct.getFieldsMap();
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined) continue;
    fields.set(name, messageFor(secrets.has(name) ? { [signature]: marks.secret, value } : value));
  }
  return struct;
}

function messageFor(plain: unknown): Value {
  const value = new Value();
  if (plain === null) return value.setNullValue(NullValue.NULL_VALUE);
  if (typeof plain === "boolean") return value.setBoolValue(plain);
  if (typeof plain === "number") return value.setNumberValue(plain);
  if (typeof plain === "string") return value.setStringValue(plain);
  if (Array.isArray(plain)) return value.setListValue(new ListValue().setValuesList(plain.map(messageFor)));
  if (typeof plain === "object") return value.setStructValue(toStruct(propertiesIn(plain)));
  throw new TypeError(`a ${typeof plain} cannot be sent to the engine`);
}

import { BinaryReader, Message } from "google-protobuf";
import { Struct, Value } from "google-protobuf/google/protobuf/struct_pb.js";

/**
 * Properties as the engine has sent them. Objects of the library for all values would take three times as long and, for a large
 * stack, most of the memory.
 */
class StructBytes extends Struct {
  constructor(readonly bytes: Uint8Array) {
    super();
  }
}

/** Makes a reader of messages that keeps the structs in these fields as bytes, which are read later. */
export function keepingStructs<Read extends Message>(fields: readonly number[], deserialize: (bytes: Buffer) => Read) {
  return (bytes: Buffer): Read => {
    // The library would copy a buffer.
    const reader = new BinaryReader(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length));
    const structs: [field: number, struct: Struct][] = [];
    const otherFields: Buffer[] = [];
    for (let begin = 0; reader.nextField(); begin = reader.getCursor()) {
      const field = reader.getFieldNumber();
      if (fields.includes(field)) structs.push([field, new StructBytes(reader.readBytes())]);
      else {
        reader.skipField();
        otherFields.push(bytes.subarray(begin, reader.getCursor()));
      }
    }
    const message = deserialize(Buffer.concat(otherFields));
    for (const [field, struct] of structs) Message.setWrapperField(message, field, struct);
    return message;
  };
}

/** The fields of a message, each with the reader at its value. */
export function* fieldsOf(bytes: Uint8Array): Generator<[field: number, value: BinaryReader]> {
  const reader = new BinaryReader(bytes);
  while (reader.nextField()) yield [reader.getFieldNumber(), reader];
}

/** The entries of a struct, each with the bytes of its value. The numbers of fields are those of `struct.proto`. */
export function* entriesInBytes(struct: Uint8Array): Generator<[name: string, value: Uint8Array]> {
  for (const [, entry] of fieldsOf(struct)) {
    let name = "";
    let value: Uint8Array | undefined;
    for (const [field, part] of fieldsOf(entry.readBytes())) {
      if (field === 1) name = part.readString();
      else value = part.readBytes();
    }
    if (value) yield [name, value];
  }
}

export function entriesOfStruct(struct: Struct | undefined): Iterable<[name: string, value: Uint8Array]> {
  if (!struct) return [];
  return entriesInBytes(struct instanceof StructBytes ? struct.bytes : struct.serializeBinary());
}

/** The structs and the texts in a struct by name, without a look into these structs. */
export function partsOf(struct: Struct | undefined) {
  const structs = new Map<string, Struct>();
  const texts = new Map<string, string>();
  for (const [name, bytes] of entriesOfStruct(struct)) {
    for (const [kind, value] of fieldsOf(bytes)) {
      if (kind === Value.KindCase.STRUCT_VALUE) structs.set(name, new StructBytes(value.readBytes()));
      else if (kind === Value.KindCase.STRING_VALUE) texts.set(name, value.readString());
      else value.skipField();
    }
  }
  return { structs, texts };
}

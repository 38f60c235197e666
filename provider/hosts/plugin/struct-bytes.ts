import { Message } from "google-protobuf";
import { Struct, Value } from "google-protobuf/google/protobuf/struct_pb.js";

/**
 * Properties as the engine has sent them. Objects of the library for all values would take three times as long and, for a large
 * stack, most of the memory.
 */
class StructBytes extends Struct {
  constructor(readonly bytes: Buffer) {
    super();
  }
}

/** Reads a message of protobuf field by field. */
export class MessageReader {
  /** The wire type of the last field. */
  private kind = 0;

  constructor(
    private readonly bytes: Buffer,
    private at = 0,
    private readonly end = bytes.length,
  ) {}

  get isAtEnd(): boolean {
    return this.at >= this.end;
  }

  get position(): number {
    return this.at;
  }

  /** Returns the number of the next field; 0 at the end. */
  field(): number {
    if (this.isAtEnd) return 0;
    const tag = this.integer();
    this.kind = tag % 8;
    return Math.floor(tag / 8);
  }

  integer(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.bytes[this.skipTo(this.at + 1)] as number;
      if (byte < 128) return value + byte * factor;
      value += (byte - 128) * factor;
    }
  }

  double(): number {
    return this.bytes.readDoubleLE(this.skipTo(this.at + 8));
  }

  text(): string {
    return this.bytes.toString("utf8", this.skipBytes(), this.at);
  }

  struct(): Struct {
    return new StructBytes(this.bytes.subarray(this.skipBytes(), this.at));
  }

  inner(): MessageReader {
    return new MessageReader(this.bytes, this.skipBytes(), this.at);
  }

  /** Leaves out the value of the last field. */
  skip(): void {
    if (this.kind === 0) this.integer();
    else if (this.kind === 2) this.skipBytes();
    else this.skipTo(this.at + (this.kind === 1 ? 8 : 4));
  }

  private skipBytes(): number {
    const length = this.integer();
    return this.skipTo(this.at + length);
  }

  /** Returns where the skipped bytes begin. */
  private skipTo(next: number): number {
    if (next > this.end) throw new RangeError("a message of the engine is cut off");
    const begin = this.at;
    this.at = next;
    return begin;
  }
}

/** Makes a reader of messages that keeps the structs in these fields as bytes, which are read later. */
export function keepingStructs<Read extends Message>(fields: readonly number[], deserialize: (bytes: Buffer) => Read) {
  return (bytes: Buffer): Read => {
    const reader = new MessageReader(bytes);
    const structs: [field: number, struct: Struct][] = [];
    const otherFields: Buffer[] = [];
    while (!reader.isAtEnd) {
      const begin = reader.position;
      const field = reader.field();
      if (fields.includes(field)) structs.push([field, reader.struct()]);
      else {
        reader.skip();
        otherFields.push(bytes.subarray(begin, reader.position));
      }
    }
    const message = deserialize(Buffer.concat(otherFields));
    for (const [field, struct] of structs) Message.setWrapperField(message, field, struct);
    return message;
  };
}

/** The entries of a struct, each with a reader of its value. The numbers of fields are those of `struct.proto`. */
export function* entriesIn(reader: MessageReader): Generator<[name: string, value: MessageReader]> {
  while (!reader.isAtEnd) {
    reader.field();
    const entry = reader.inner();
    let name = "";
    let value: MessageReader | undefined;
    while (!entry.isAtEnd) {
      if (entry.field() === 1) name = entry.text();
      else value = entry.inner();
    }
    if (value) yield [name, value];
  }
}

export function entriesOf(struct: Struct | undefined): Iterable<[name: string, value: MessageReader]> {
  if (!struct) return [];
  const bytes = struct instanceof StructBytes ? struct.bytes : Buffer.from(struct.serializeBinary());
  return entriesIn(new MessageReader(bytes));
}

/** The structs and the texts in a struct by name, without a look into these structs. */
export function partsOf(struct: Struct | undefined) {
  const structs = new Map<string, Struct>();
  const texts = new Map<string, string>();
  for (const [name, value] of entriesOf(struct)) {
    const kind = value.field();
    if (kind === Value.KindCase.STRUCT_VALUE) structs.set(name, value.struct());
    if (kind === Value.KindCase.STRING_VALUE) texts.set(name, value.text());
  }
  return { structs, texts };
}

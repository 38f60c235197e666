import { StringDecoder } from "node:string_decoder";

/** Reads bodies of answers within limits of size and depth. */

type Chunks = AsyncIterable<Uint8Array>;

/** Maximum nesting of JSON. No answer of the API comes near it; recursive code needs some bound. */
const deepest = 200;
/** Characters that are read of a body that is only shown in a message. */
const mostShown = 65_536;

export class TooLarge extends Error {}

/** Reads the whole body; throws TooLarge beyond `mostBytes`. */
export async function bytesOf(body: Chunks, mostBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop closes the connection.
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > mostBytes) throw new TooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Reads the beginning of the body as text, enough for a message. */
export async function readBeginning(body: Chunks): Promise<string> {
  const decoder = new StringDecoder("utf8");
  let text = "";
  for await (const chunk of body) {
    text += decoder.write(Buffer.from(chunk));
    if (text.length >= mostShown) break;
  }
  return text;
}

/** Parses JSON, or says why the text is not usable. */
export function parseJson(text: string): { readonly value: unknown } | { readonly problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { problem: "not JSON" };
  }
  return isTooDeep(value) ? { problem: `JSON with more than ${deepest} levels` } : { value };
}

/** Walks level by level: recursion would overflow the stack on a deep value. */
function isTooDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepest) return true;
    const next: unknown[] = [];
    for (const one of level) {
      if (typeof one !== "object" || one === null) continue;
      for (const inner of Object.values(one)) if (typeof inner === "object" && inner !== null) next.push(inner);
    }
    level = next;
  }
  return false;
}

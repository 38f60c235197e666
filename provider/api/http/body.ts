import { StringDecoder } from "node:string_decoder";

/** Bodies of answers: of limited size and depth, whatever the service sends. */

type Chunks = AsyncIterable<Uint8Array>;

/** No answer of the API nests nearly as deep; what walks over values recursively needs some bound. */
const deepest = 200;
/** What is read of a body that is only shown in a message. */
const mostShown = 65_536;

export class TooLarge extends Error {}

/** The whole body as text. */
export async function textOf(body: Chunks, mostBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop closes the connection.
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > mostBytes) throw new TooLarge();
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

/** The body as text, or as much of it as a message may need. */
export async function beginningOf(body: Chunks): Promise<string> {
  const decoder = new StringDecoder("utf8");
  let text = "";
  for await (const chunk of body) {
    text += decoder.write(Buffer.from(chunk));
    if (text.length >= mostShown) break;
  }
  return text;
}

/** Why the text is not usable JSON; `undefined` if it is. */
export function parseJson(text: string): { readonly value: unknown } | { readonly problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { problem: "not JSON" };
  }
  return isTooDeep(value) ? { problem: `JSON with more than ${deepest} levels` } : { value };
}

/** Level by level and not by recursion, which is what a deep value would break. */
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

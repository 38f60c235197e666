import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type Answer, errorAnswer } from "../http/errors";
import type { Service } from "../store/service";
import type { StreamAnswer } from "./exchange";
import type { Fault } from "./faults";

const json = "application/json; charset=utf-8";
const events = "text/event-stream; charset=utf-8";

export function send(response: ServerResponse, { status, headers, body }: Answer, service: Service): void {
  begin(response, status, service, { ...(body !== undefined && { "content-type": json }), ...headers });
  // A string is the body of an injected fault, such as a proxy's page, or a PDF.
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}

/** Sets the headers without sending them, so that Node.js adds the length of the body. */
function begin(response: ServerResponse, status: number, service: Service, headers: Record<string, string>) {
  response.statusCode = status;
  // The date of the service's clock, which may differ from the machine's.
  response.setHeader("date", service.now().toUTCString());
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}

export function resetConnection(response: ServerResponse): void {
  response.socket?.resetAndDestroy();
}

/**
 * A cut body is shorter than its Content-Length, which is at least 1 for this. A malformed body is half a document, or half the
 * events, with the Content-Length of this half.
 */
export async function sendDamaged(
  response: ServerResponse,
  answer: Answer | StreamAnswer,
  service: Service,
  damage: NonNullable<Fault["damage"]>,
): Promise<void> {
  const isStream = "events" in answer;
  const text = isStream ? await wholeText(answer.events) : (JSON.stringify(answer.body) ?? "");
  // The end of an event: without it, a client would ignore the half, and not find it malformed.
  const half = `${text.slice(0, Math.ceil(text.length / 2))}${isStream ? "\n\n" : ""}`;
  const announced = damage === "cut" ? Math.max(1, Buffer.byteLength(text)) : Buffer.byteLength(half);
  const headers = { "content-type": isStream ? events : json, ...answer.headers, "content-length": `${announced}` };
  // 204 and 205 have no body to damage, so they become 200.
  begin(response, text === "" ? 200 : answer.status, service, headers);
  if (damage === "malformed") response.end(half);
  else response.write(half, () => response.destroy());
}

/** Sends each event as `data: <JSON>`; the end of the body ends the stream. Stops if the client disconnects. */
export async function sendEvents(response: ServerResponse, answer: StreamAnswer, service: Service): Promise<void> {
  begin(response, answer.status, service, { "content-type": events, ...answer.headers });
  // It fails for a client that disconnects: then the connection has ended and nothing is left to do.
  await pipeline(Readable.from(textOf(answer.events)), response).catch(() => undefined);
}

async function* textOf(sent: AsyncIterable<unknown>): AsyncGenerator<string> {
  try {
    for await (const event of sent) yield `data: ${JSON.stringify(event)}\n\n`;
  } catch (error) {
    // The status is already sent, so the error becomes an event named "error", which clients of the service understand.
    yield `event: error\ndata: ${JSON.stringify(errorAnswer(error).body)}\n\n`;
  }
}

const wholeText = async (sent: AsyncIterable<unknown>) => (await Readable.from(textOf(sent)).toArray()).join("");

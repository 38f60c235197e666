import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type Answer, answerTo } from "../http/errors";
import type { Service } from "../store/service";
import type { StreamAnswer } from "./exchange";
import type { Fault } from "./faults";

/** Ways of sending an answer, resets and damaged bodies among them. */

type Damage = NonNullable<Fault["damage"]>;

export function send(response: ServerResponse, { status, headers, body }: Answer, service: Service): void {
  const type = body === undefined ? {} : json;
  begin(response, status, { ...commonHeaders(service), ...type, ...headers });
  // A string is the body of an injected fault, such as a proxy's page, or a PDF.
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}

/** Sets the headers without sending them, so that Node.js adds the length of the body. */
function begin(response: ServerResponse, status: number, headers: Record<string, string>): void {
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}

const json = { "content-type": "application/json; charset=utf-8" };

/** `Date` header of the service's clock, which may differ from the machine's. */
const commonHeaders = (service: Service) => ({ date: service.now().toUTCString() });

export function resetConnection(response: ServerResponse): void {
  response.socket?.resetAndDestroy();
}

export function sendDamaged(response: ServerResponse, answer: Answer, service: Service, damage: Damage): void {
  const text = JSON.stringify(answer.body) ?? "";
  const half = text.slice(0, Math.ceil(text.length / 2));
  // A cut body is shorter than its Content-Length; a malformed one is half a document with the right Content-Length.
  const announced = damage === "cut" ? Math.max(1, Buffer.byteLength(text)) : Buffer.byteLength(half);
  // 204 and 205 have no body to damage, so they become 200.
  const status = answer.body === undefined ? 200 : answer.status;
  begin(response, status, { ...commonHeaders(service), ...json, ...answer.headers, "content-length": `${announced}` });
  if (damage === "malformed") response.end(half);
  else response.write(half, () => response.destroy());
}

/** Sends each event as `data: <JSON>`; the end of the body ends the stream. Stops if the client disconnects. */
export async function sendEvents(
  response: ServerResponse,
  answer: StreamAnswer,
  service: Service,
  damage?: Damage,
): Promise<void> {
  const texts = damage ? damaged(textOf(answer.events), damage) : textOf(answer.events);
  const type = { "content-type": "text/event-stream; charset=utf-8" };
  begin(response, answer.status, { ...commonHeaders(service), ...type, ...answer.headers });
  // It fails for a cut, and for a client that disconnects: both times, the connection has ended and nothing is left to do.
  await pipeline(Readable.from(texts), response).catch(() => undefined);
}

async function* textOf(events: AsyncIterable<unknown>): AsyncGenerator<string> {
  try {
    for await (const event of events) yield `data: ${JSON.stringify(event)}\n\n`;
  } catch (error) {
    // The status is already sent, so the error becomes an event named "error", which clients of the service understand.
    yield `event: error\ndata: ${JSON.stringify(answerTo(error).body)}\n\n`;
  }
}

/** Sends the first event and half of the second; then the connection ends (`cut`) or just the event (`malformed`). */
async function* damaged(texts: AsyncIterable<string>, damage: Damage): AsyncGenerator<string> {
  let number = 0;
  for await (const text of texts) {
    if (++number === 1) yield text;
    if (number !== 2) continue;
    yield `${text.slice(0, text.length / 2)}${damage === "cut" ? "" : "\n\n"}`;
    if (damage === "cut") throw new Error("the stream is cut by an injected fault");
  }
}

import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import { type Answer, answerTo } from "../http/errors";
import type { Service } from "../store/service";
import type { StreamAnswer } from "./exchange";
import type { Fault } from "./faults";

/** Ways of sending an answer, including those that no framework offers: resets and damaged bodies. */

type Damage = NonNullable<Fault["damage"]>;

export function send(reply: FastifyReply, { status, headers, body }: Answer, service: Service): FastifyReply {
  reply.code(status).headers(commonHeaders(service));
  if (body === undefined) return reply.headers(headers).send();
  // A string is the body of an injected fault, such as a proxy's page.
  return reply.headers({ ...json, ...headers }).send(typeof body === "string" ? body : JSON.stringify(body));
}

const json = { "content-type": "application/json; charset=utf-8" };

/** `Date` header of the service's clock, which may differ from the machine's. */
const commonHeaders = (service: Service) => ({ date: service.now().toUTCString() });

export function resetConnection(reply: FastifyReply): FastifyReply {
  reply.hijack();
  reply.raw.socket?.resetAndDestroy();
  return reply;
}

export function sendDamaged(reply: FastifyReply, answer: Answer, service: Service, damage: Damage): FastifyReply {
  reply.hijack();
  const text = JSON.stringify(answer.body) ?? "";
  const half = text.slice(0, Math.ceil(text.length / 2));
  // A cut body is shorter than its Content-Length; a malformed one is half a document with the right Content-Length.
  const announced = damage === "cut" ? Math.max(1, Buffer.byteLength(text)) : Buffer.byteLength(half);
  // 204 and 205 have no body to damage, so they become 200.
  const status = answer.body === undefined ? 200 : answer.status;
  reply.raw.writeHead(status, { ...commonHeaders(service), ...json, ...answer.headers, "content-length": announced });
  if (damage === "malformed") reply.raw.end(half);
  else reply.raw.write(half, () => reply.raw.destroy());
  return reply;
}

/** Sends each event as `data: <JSON>`; the end of the body ends the stream. Stops if the client disconnects. */
export function sendEvents(reply: FastifyReply, answer: StreamAnswer, service: Service, damage?: Damage): FastifyReply {
  const stream = Readable.from(damage ? damaged(textOf(answer.events), damage) : textOf(answer.events));
  if (damage === "cut") stream.once("error", () => reply.raw.destroy());
  const headers = { ...commonHeaders(service), "content-type": "text/event-stream; charset=utf-8", ...answer.headers };
  return reply.code(answer.status).headers(headers).send(stream);
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

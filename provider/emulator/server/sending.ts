import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import { type Answer, answerTo } from "../http/errors";
import type { Service } from "../store/service";
import type { StreamAnswer } from "./exchange";
import type { Fault } from "./faults";

/** Ways of sending an answer, also the ones that no framework offers: resets, damaged bodies. */

type Damage = NonNullable<Fault["damage"]>;

export function send(reply: FastifyReply, { status, headers, body }: Answer, service: Service): FastifyReply {
  reply.code(status).headers(commonHeaders(service));
  if (body === undefined) return reply.headers(headers).send();
  // A text is the body of a fault, such as a proxy's page.
  return reply.headers({ ...json, ...headers }).send(typeof body === "string" ? body : JSON.stringify(body));
}

const json = { "content-type": "application/json; charset=utf-8" };

/** The clock of the service is not always that of the machine. */
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
  // A cut body is shorter than announced; a malformed one is half a document that ends as HTTP wants it.
  const announced = damage === "cut" ? Math.max(1, Buffer.byteLength(text)) : Buffer.byteLength(half);
  // 204 and 205 have no body that could be damaged, so they become 200.
  const status = answer.body === undefined ? 200 : answer.status;
  reply.raw.writeHead(status, { ...commonHeaders(service), ...json, ...answer.headers, "content-length": announced });
  if (damage === "malformed") reply.raw.end(half);
  else reply.raw.write(half, () => reply.raw.destroy());
  return reply;
}

/** Each event is `data: <JSON>`; the end of the body is the end. It stops when the client goes away. */
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
    // The status is sent already; clients of the service know an event named "error".
    yield `event: error\ndata: ${JSON.stringify(answerTo(error).body)}\n\n`;
  }
}

/** The first event, then half of the second: the connection ends there, or only the event does. */
async function* damaged(texts: AsyncIterable<string>, damage: Damage): AsyncGenerator<string> {
  let number = 0;
  for await (const text of texts) {
    if (++number === 1) yield text;
    if (number !== 2) continue;
    yield `${text.slice(0, text.length / 2)}${damage === "cut" ? "" : "\n\n"}`;
    if (damage === "cut") throw new Error("the stream is cut, as a fault asked for");
  }
}

import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { endpoints, type RowName } from "../../api/endpoints";
import { methodOf } from "../../api/schema/endpoint";
import { type Answer, answerTo, nothingAt, Refusal, tooManyRequests, unauthorized } from "../http/errors";
import type { Service } from "../store/service";
import { exchange, type StreamAnswer } from "./exchange";
import type { Fault, Faults } from "./faults";
import type { LoggedRequest, RequestLog } from "./log";
import type { RateLimit } from "./rate";
import { resetConnection, send, sendDamaged, sendEvents } from "./sending";

export interface RowOptions {
  readonly service: Service;
  readonly token: string;
  readonly faults: Faults;
  readonly log: RequestLog;
  /** Milliseconds added to each answer. */
  readonly latency: number;
  readonly rate: RateLimit | undefined;
  /** Aborts waiting for latency and delays. */
  readonly closing: AbortSignal;
}

/** Serves a row over HTTP: adds log, token, rate, faults and latency to the exchange. */
export function addRow(app: FastifyInstance, url: string, row: RowName, options: RowOptions): void {
  const entries = new WeakMap<FastifyRequest, LoggedRequest>();
  app.route({
    method: methodOf(endpoints[row]),
    url,
    onRequest: async (request) => {
      const entry = loggedRequest(row, request, options.service);
      // The router accepts empty parameters: /sites/ would be a site without an id.
      if (Object.values(request.params as object).includes("")) throw nothingAt(entry.method, entry.path);
      entries.set(request, options.log.add(entry));
      authenticate(request, options.token);
      const seconds = options.rate?.take() ?? 0;
      if (seconds > 0) throw tooManyRequests(seconds);
    },
    onSend: async (request, reply) => {
      const entry = entries.get(request);
      if (entry) entry.status = reply.statusCode;
    },
    handler: (request, reply) => {
      const entry = entries.get(request) as LoggedRequest;
      entry.body = request.body;
      return serve(entry, request, reply, options);
    },
  });
}

async function serve(entry: LoggedRequest, request: FastifyRequest, reply: FastifyReply, options: RowOptions) {
  const { service, latency, closing } = options;
  const fault = options.faults.take(entry.row);
  const answer = fault ? faultyAnswer(fault, entry.row, request, service) : answerOf(entry.row, request, service);
  await pause(latency + (fault?.delay ?? 0), closing);
  if (fault?.reset === "after" && "events" in answer) for await (const _ of answer.events);
  if (fault?.reset || closing.aborted) return resetConnection(reply);
  if ("events" in answer) return sendEvents(reply, answer, service, fault?.damage);
  if (!fault?.damage) return send(reply, answer, service);
  entry.status = answer.status;
  return sendDamaged(reply, answer, service, fault.damage);
}

function faultyAnswer(fault: Fault, row: RowName, request: FastifyRequest, service: Service): Answer | StreamAnswer {
  const { status, headers = {}, body, reset } = fault;
  if (status === undefined && reset !== "before") return answerOf(row, request, service);
  const usual = answerTo(new Refusal(status ?? 500, "a fault that was asked for"));
  return { ...usual, headers, body: body === undefined ? usual.body : body };
}

function answerOf(row: RowName, request: FastifyRequest, service: Service): Answer | StreamAnswer {
  const path = request.params as Record<string, string>;
  const query = request.query as Record<string, unknown>;
  try {
    return exchange(row, { path, query, body: request.body }, service);
  } catch (error) {
    return answerTo(error);
  }
}

function loggedRequest(row: RowName, { method, url, query }: FastifyRequest, service: Service): LoggedRequest {
  const path = url.split("?", 1)[0] as string;
  return { row, method, path, query, body: undefined, status: 0, at: service.now().toISOString() };
}

function authenticate({ headers }: FastifyRequest, token: string): void {
  const { authorization } = headers;
  if (authorization === undefined) throw unauthorized("the Authorization header is missing");
  const [, sent] = /^Bearer +(.+)$/i.exec(authorization) ?? [];
  if (sent === undefined) throw unauthorized('the Authorization header is not "Bearer <token>"');
  if (sent !== token) throw unauthorized("the token is unknown");
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  // Rejects only when the emulator closes.
  if (milliseconds > 0) await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
}

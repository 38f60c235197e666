import type { IncomingMessage } from "node:http";
import { endpoints } from "../../api/endpoints";
import { methodOf, pathOf } from "../../api/schema/endpoint";
import { type Answer, nothingAt } from "../http/errors";
import { readJson } from "./body";
import { fault } from "./faults";
import type { RowOptions } from "./rows";

interface ControlRoute {
  readonly does: string;
  /** Status of the answer, 200 by default. */
  readonly status?: 201;
  answer(body: unknown): unknown;
}

/** Paths to control the emulator from tests in other languages. They need no token (see `refuseWebPages`) and ignore latency and rate. */
export function controlAnswers({ service, faults, log, join }: RowOptions) {
  const routes: Readonly<Record<string, ControlRoute>> = {
    "GET /_emulator": {
      does: "lists what can be called, and what can be made to fail",
      answer: () => ({ version: service.version, operations, faults: faultProperties, control }),
    },
    "GET /_emulator/requests": {
      does: "counts requests by operation",
      answer: () => log.requests(),
    },
    "DELETE /_emulator/requests": {
      does: "resets the counts, and answers what they were",
      answer: () => log.reset(),
    },
    "GET /_emulator/faults": {
      does: "lists the faults that are still to be injected",
      answer: () => ({ items: faults.pending() }),
    },
    "POST /_emulator/faults": {
      does: "adds a fault",
      status: 201,
      answer: (body) => faults.add(body),
    },
    "DELETE /_emulator/faults": {
      does: "removes all faults, and answers those that were still pending",
      answer: () => ({ items: faults.clear() }),
    },
    "POST /_emulator/read-lag": {
      does: 'sets the milliseconds by which reads lag, such as {"lists":10000}; {} ends the lag',
      answer: (body) => service.past.setLag(body),
    },
    "POST /_emulator/members": {
      does: 'lets a person join the organization of the start, such as {"email":"zoe@acme.test"}',
      status: 201,
      answer: (body) => join(body),
    },
  };
  const control = Object.entries(routes).map(([route, { does }]) => {
    const [method, path] = route.split(" ");
    return { method, path, does };
  });
  return async (method: string, path: string, request: IncomingMessage): Promise<Answer> => {
    const route = routes[`${method} ${path}`];
    if (!route) throw nothingAt(method, path);
    return { status: route.status ?? 200, headers: {}, body: route.answer(await readJson(request)) };
  };
}

const operations = Object.entries(endpoints).map(([row, one]) => ({ row, method: methodOf(one), path: pathOf(one) }));
const faultProperties = Object.fromEntries(
  Object.entries(fault.shape).map(([name, { description = "" }]) => [name, description]),
);
